// Operators and ranges, as torch tells its observers of them: on all threads, mostly without the GIL.
#include "collect/torch/op_hooks.h"

#include <ATen/record_function.h>

#include <unordered_set>

#include "collect/torch/direct_calls.h"
#include "collect/torch/op_records.h"
#include "collect/torch/user_ranges.h"

namespace skyline::collect {
namespace {

at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
  if (function.scope() == at::RecordScope::USER_SCOPE) return user_ranges::begin(function);
  const bool is_recorded = begin_range(function.name(), {.owner = &function,
                                                         .sequence = function.seqNr(),
                                                         .forward_thread = function.forwardThreadId(),
                                                         .scope = function.scope(),
                                                         .inputs = function.inputs()});
  if (is_recorded) direct_calls::learn(function);
  return nullptr;
}

void end(const at::RecordFunction& function, at::ObserverContext* context) {
  if (context != nullptr) return user_ranges::end(*context);
  if (function.scope() != at::RecordScope::USER_SCOPE) end_range(&function);
}

// All but ranges: TorchScript's functions, and whatever torch adds.
std::unordered_set<at::RecordScope, std::hash<at::RecordScope>> op_scopes() {
  std::unordered_set<at::RecordScope, std::hash<at::RecordScope>> scopes;
  for (int i = 0; i < static_cast<int>(at::RecordScope::NUM_SCOPES); ++i) {
    scopes.insert(static_cast<at::RecordScope>(i));
  }
  scopes.erase(at::RecordScope::USER_SCOPE);
  return scopes;
}

}  // namespace

void install_op_hooks(const Options& options) {
  remove_op_hooks();  // those of the process that this one is a copy of
  note_collective_name();
  at::RecordFunctionCallback callback(begin, end);
  callback.needsInputs(options.shapes);
  std::unordered_set<at::RecordScope, std::hash<at::RecordScope>> scopes;
  if (options.ops) scopes = op_scopes();
  if (options.ranges) scopes.insert(at::RecordScope::USER_SCOPE);
  if (scopes.empty()) return;
  callback.scopes(scopes);
  const bool alone = !at::hasGlobalCallbacks();
  handle = at::addGlobalCallback(callback);
  direct_calls::observers_changed();
  if (options.ops && options.direct) direct_calls::begin({begin, end}, alone);
}

bool remove_op_hooks() {
  const bool direct = direct_calls::end();
  if (handle != at::INVALID_CALLBACK_HANDLE) at::removeCallback(handle);
  handle = at::INVALID_CALLBACK_HANDLE;
  direct_calls::observers_changed();
  return direct;
}

void renew_op_hooks() noexcept try {
  static_cast<void>(at::getStepCallbacksUnlessEmpty(at::RecordScope::FUNCTION));
} catch (...) {  // then the child asks
}

void leave_op_hooks() { direct_calls::leave(); }

}  // namespace skyline::collect
