#include "collect/torch/direct_calls.h"

#include "collect/torch/known_torch.h"

#if SKYLINE_KNOWS_TORCH_STEPS

#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <variant>

#include "collect/recorder.h"
#include "collect/tables/hot.h"
#include "collect/torch/backward_class.h"
#include "collect/torch/op_records.h"
#include "collect/torch/torch_steps.h"

namespace skyline::collect::direct_calls {
namespace {

using Guard = TorchSteps::Guard;
using Inputs = TorchSteps::Inputs;
using Schema = TorchSteps::Schema;

// The recording under way; 0 while torch's own way is taken.
std::atomic<uint64_t> session = 0;
at::StepCallbacks::StartEndPair observer = {};

// Our observer is there and records nothing.
std::atomic<bool> is_left = false;

// Held while torch may hold its lock on observers.
std::mutex fork_gate;
std::atomic<uint32_t> observers_version = 1;

// Takes the gate where torch has something to tell this thread; ours changes seldom, so mostly it is not
// taken.
class TorchsWay {
 public:
  TorchsWay() {
    ThreadLog* const log = log_of_thread;
    const uint32_t version = observers_version.load(std::memory_order_acquire);
    if (log != nullptr && log->known_observers == version) return;
    gate_ = std::unique_lock(fork_gate);
    if (log != nullptr) log->known_observers = version;
  }

 private:
  std::unique_lock<std::mutex> gate_;
};

// Where the engine makes its ranges; nullptr until it was seen.
std::atomic<const void*> engine_call = nullptr;

// What torch's headers keep to themselves of a guard.
at::StepCallbacks& step_callbacks_of(Guard& guard);
Inputs& inputs_of(Guard& guard);

template <auto kStepCallbacks, auto kInputs>
struct Inside {
  friend at::StepCallbacks& step_callbacks_of(Guard& guard) { return guard.*kStepCallbacks; }
  friend Inputs& inputs_of(Guard& guard) { return guard.*kInputs; }
};
template struct Inside<&Guard::step_callbacks_, &Guard::inputs_>;

// Marked guards. The mark is laid out as the table of the class's virtual functions: one that is destroyed
// through it ends here too.
void destroy(Guard* guard);
void destroy_and_free(Guard* guard);

constexpr uint64_t kMarkedThread = UINT64_MAX;  // torch's numbers of threads are small
const struct {
  std::ptrdiff_t to_whole_object = 0;
  const std::type_info* type = &typeid(Guard);
  void (*destructor)(Guard*) = destroy;
  void (*deleting_destructor)(Guard*) = destroy_and_free;
} mark;

bool has_mark(const Guard* guard) {
  const void* functions = nullptr;
  std::memcpy(&functions, static_cast<const void*>(guard), sizeof functions);
  return functions == &mark.destructor;
}

// Fills in what the guard's inline functions look at.
at::StepCallbacks& set_mark(Guard* guard, at::RecordScope scope) {
  const void* const functions = &mark.destructor;
  std::memcpy(static_cast<void*>(guard), &functions, sizeof functions);
  inputs_of(*guard) = {};
  guard->setForwardThreadId(0);
  return *new (&step_callbacks_of(*guard)) at::StepCallbacks(kMarkedThread, scope);
}

// The calling thread's log where the short way is open to it, else nullptr.
ThreadLog* short_way() {
  ThreadLog* const log = log_of_thread;
  if (log == nullptr || log->session != session.load(std::memory_order_relaxed)) return nullptr;
  const at::RecordFunctionTLS* const tls = log->torch_tls;
  const bool alone =
      tls != nullptr && tls->tls_record_function_enabled_ && tls->sorted_tls_callbacks_.empty();
  return alone ? log : nullptr;
}

bool has_short_way(at::RecordScope scope) {
  return scope == at::RecordScope::FUNCTION || scope == at::RecordScope::BACKWARD_FUNCTION;
}

// Now and then torch's way is taken, so that learn() can see who observes by then. A prime, so that it comes
// round to every operator of a loop, however regular that is.
constexpr uint32_t kLookEvery = 251;

bool takes_torchs_way(ThreadLog* log) {
  if (log == nullptr) return true;
  if (++log->short_ways < kLookEvery) return false;
  log->short_ways = 0;
  return true;
}

// What takes the place of torch's steps.

std::optional<at::StepCallbacks> torchs_callbacks(at::RecordScope scope) {
  const TorchsWay way;
  std::optional<at::StepCallbacks> callbacks = torch_steps.step_callbacks(scope);
  if (!is_left.load(std::memory_order_relaxed) || !callbacks) return callbacks;
  if (callbacks->callbacks_.size() == 1 && callbacks->callbacks_[0].start_ == observer.start_)
    callbacks.reset();
  return callbacks;
}

// Complete, whoever may get it.
std::optional<at::StepCallbacks> our_callbacks(at::RecordScope scope, bool with_inputs) {
  std::optional<at::StepCallbacks> callbacks(std::in_place, kMarkedThread, scope);
  callbacks->callbacks_.push_back(observer);
  callbacks->needs_inputs_ = with_inputs;
  return callbacks;
}

SKYLINE_HOT std::optional<at::StepCallbacks> step_callbacks(at::RecordScope scope) {
  ThreadLog* const log = has_short_way(scope) ? short_way() : nullptr;
  return takes_torchs_way(log) ? torchs_callbacks(scope) : our_callbacks(scope, log->with_shapes);
}

SKYLINE_HOT void construct(Guard* guard, at::StepCallbacks&& callbacks) {
  if (callbacks.thread_id_ != kMarkedThread) return torch_steps.construct(guard, std::move(callbacks));
  at::StepCallbacks& own = set_mark(guard, callbacks.scope_);
  own.callbacks_.push_back(observer);
  own.needs_inputs_ = callbacks.needs_inputs_;
}

template <typename Name>
void begin_marked(Guard& guard, Name&& name, int64_t sequence, Inputs inputs) {
  begin_range(name, {.owner = &guard,
                     .sequence = sequence,
                     .forward_thread = guard.forwardThreadId(),
                     .scope = guard.scope(),
                     .inputs = inputs});
}

SKYLINE_HOT void run(Guard& guard, Schema schema, c10::DispatchKey key, c10::DispatchKeySet keys) {
  if (!has_mark(&guard)) return torch_steps.run(guard, schema, key, keys);
  begin_marked(guard, schema.get(), torch_steps.sequence_number(key, keys), {});
}

SKYLINE_HOT void run_with_inputs(Guard& guard, Schema schema, c10::DispatchKey key, c10::DispatchKeySet keys,
                                 Inputs inputs) {
  if (!has_mark(&guard)) return torch_steps.run_with_inputs(guard, schema, key, keys, inputs);
  begin_marked(guard, schema.get(), torch_steps.sequence_number(key, keys), inputs);
}

void before(Guard* guard, TorchSteps::Function function, int64_t sequence) {
  if (!has_mark(guard)) return torch_steps.before(guard, function, sequence);
  if (const auto* const name = std::get_if<std::string_view>(&function)) {
    begin_marked(*guard, *name, sequence, guard->inputs());
  } else {
    begin_marked(*guard, std::get_if<Schema>(&function)->get(), sequence, guard->inputs());
  }
}

SKYLINE_HOT void destroy(Guard* guard) {
  if (!has_mark(guard)) return torch_steps.destroy(guard);
  end_range(guard);
}

// Nobody keeps a marked guard on the heap today.
void destroy_and_free(Guard* guard) {
  destroy(guard);
  ::operator delete(guard, sizeof *guard);
}

// The engine's guard has no observers: then nobody makes its name.
void construct_of_scope(Guard* guard, at::RecordScope scope) {
  const void* const caller = __builtin_return_address(0);
  if (scope == at::RecordScope::FUNCTION && caller == engine_call.load(std::memory_order_relaxed)) {
    const ThreadLog* const log = short_way();
    const uint32_t name = log == nullptr ? kNoId : log->backward_ranges.find(current_backward_class());
    if (name != kNoId) {
      set_mark(guard, scope);
      return begin_marked(*guard, name, -1, {});
    }
  }
  if (ThreadLog* const log = log_of_thread) log->latest_guard = {guard, caller};
  const TorchsWay way;
  torch_steps.construct_of_scope(guard, scope);
}

// The engine does this around each backward function. Torch finds out anew who observes what, though nothing
// has changed.
void set_observers_of_thread(const at::RecordFunctionTLS& observers) {
  if (short_way() != nullptr && observers.tls_record_function_enabled_ &&
      observers.sorted_tls_callbacks_.empty())
    return;
  const std::lock_guard gate(fork_gate);
  torch_steps.set_observers_of_thread(observers);
}

// Somebody else begins to observe all threads.

at::CallbackHandle add_global_callback(at::RecordFunctionCallback callback) {
  end();
  return torch_steps.add_global_callback(callback);
}

void reenable_callback(at::CallbackHandle handle) {
  end();
  torch_steps.reenable_callback(handle);
}

// What the engine's range around functions of this class is called.
void learn_backward_range(ThreadLog& log, uint32_t name) {
  const uint64_t key = current_backward_class();
  if (key == 0 || log.backward_ranges.find(key) != kNoId || !current_backward_class_has_one_name()) return;
  if (!Recorder::instance().names().is_instead(name)) log.backward_ranges.insert(key, name);
}

bool in_place() {
  static const bool done = replace_torch_steps({.destroy = destroy,
                                                .before = before,
                                                .run = run,
                                                .run_with_inputs = run_with_inputs,
                                                .construct = construct,
                                                .step_callbacks = step_callbacks,
                                                .construct_of_scope = construct_of_scope,
                                                .set_observers_of_thread = set_observers_of_thread,
                                                .add_global_callback = add_global_callback,
                                                .reenable_callback = reenable_callback,
                                                .sequence_number = nullptr});
  return done;
}

}  // namespace

void begin(at::StepCallbacks::StartEndPair new_observer) {
  if (observer.start_ == nullptr) observer = new_observer;
  if (!in_place()) return;
  session.store(Recorder::instance().session(), std::memory_order_release);
}

bool end() {
  is_left = false;
  return session.exchange(0, std::memory_order_relaxed) != 0;
}

void observers_changed() { observers_version.fetch_add(1, std::memory_order_release); }

void lock_for_fork() { fork_gate.lock(); }
void unlock_after_fork() { fork_gate.unlock(); }

void leave() {
  end();
  is_left = true;
}

void learn(const Guard& guard) {
  ThreadLog* const log = log_of_thread;
  if (log == nullptr || session.load(std::memory_order_relaxed) == 0) return;
  log->torch_tls = &at::get_record_function_tls_();
  const size_t known = log->torch_tls->sorted_tls_callbacks_.size() + 1;
  if (step_callbacks_of(const_cast<Guard&>(guard)).callbacks_.size() > known) end();

  constexpr std::string_view kEngine = "autograd::engine::evaluate_function: ";
  if (guard.scope() != at::RecordScope::FUNCTION || log->latest_guard.guard != &guard) return;
  if (!std::string_view(guard.name()).starts_with(kEngine)) return;
  engine_call.store(log->latest_guard.caller, std::memory_order_relaxed);
  learn_backward_range(*log, log->open.back().record.name);
}

}  // namespace skyline::collect::direct_calls

#endif
