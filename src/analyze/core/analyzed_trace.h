// AnalyzedTrace: a trace and what is found out about it on the way to figures, tables and the verdict. Each
// such intermediate result is made when it is first asked for, once per trace, whoever asks:
//
//   const ActivityView& view = analyzed.get<ActivityView>();              // a class, made by its constructor
//   for (const uint32_t op : analyzed.get<operator_calls>()) …            // what a function returns
//
// The constructor or function stands with the room that it belongs to, and takes the Trace, or the
// AnalyzedTrace if it needs other intermediates. There must be no circle among them.
//
// May be asked from any thread; who asks for something that is being made waits for it. If making it throws
// (memory runs out), nothing is stored and the next one tries again. References stay valid as long as the
// AnalyzedTrace lives.
//
// Results that depend on more than the trace (a step, a query) are in results(), which holds as many of them
// as fit its budget.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <typeindex>

#include "base/cache.h"
#include "trace/trace.h"

namespace skyline::analyze {

class AnalyzedTrace {
 public:
  explicit AnalyzedTrace(std::shared_ptr<const Trace> trace);
  explicit AnalyzedTrace(const Trace& trace);  // which must outlive it
  AnalyzedTrace(const AnalyzedTrace&) = delete;
  AnalyzedTrace& operator=(const AnalyzedTrace&) = delete;

  const Trace& trace() const { return *trace_; }

  template <typename T>
  const T& get() const {
    return make_once<T>(typeid(T), [this] {
      if constexpr (std::is_constructible_v<T, const AnalyzedTrace&>) {
        return std::make_shared<const T>(*this);
      } else {
        return std::make_shared<const T>(*trace_);
      }
    });
  }

  template <auto make>
  const auto& get() const {
    const auto call = [this] {
      if constexpr (std::is_invocable_v<decltype(make), const AnalyzedTrace&>) {
        return make(*this);
      } else {
        return make(*trace_);
      }
    };
    using T = decltype(call());
    return make_once<T>(typeid(MadeBy<make>), [&] { return std::make_shared<const T>(call()); });
  }

  Cache& results() const { return results_; }

 private:
  template <auto make>
  struct MadeBy {};

  struct Slot {
    std::mutex making;
    std::shared_ptr<const void> value;  // null: not made yet
  };

  template <typename T, typename Make>
  const T& make_once(std::type_index kind, const Make& make) const {
    Slot& slot = slot_of(kind);
    const std::lock_guard<std::mutex> lock(slot.making);
    if (slot.value == nullptr) slot.value = make();
    return *static_cast<const T*>(slot.value.get());
  }

  Slot& slot_of(std::type_index kind) const;

  const std::shared_ptr<const Trace> trace_;
  mutable std::mutex mutex_;
  mutable std::map<std::type_index, Slot> slots_;
  mutable Cache results_;  // refer to slots
};

}  // namespace skyline::analyze
