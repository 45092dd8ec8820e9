#include "collect/torch/schema_epoch.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>

namespace skyline::collect {
namespace {

struct Listener : c10::OpRegistrationListener {
  void onOperatorRegistered(const c10::OperatorHandle&) override {}
  void onOperatorDeregistered(const c10::OperatorHandle&) override { schema_epoch.fetch_add(1); }
};

}  // namespace

std::atomic<uint32_t> schema_epoch = 1;

void watch_schemas() {
  static const auto* const registered = new c10::RegistrationHandleRAII(
      c10::Dispatcher::singleton().addRegistrationListener(std::make_unique<Listener>()));
  static_cast<void>(registered);  // for ever
}

}  // namespace skyline::collect
