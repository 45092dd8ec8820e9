#include "collect/torch/direct_calls.h"

#include "collect/torch/known_torch.h"

#if SKYLINE_KNOWS_TORCH_STEPS

#include <ATen/core/function_schema.h>

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
#include "collect/torch/direct_trial.h"
#include "collect/torch/op_records.h"
#include "collect/torch/torch_steps.h"

namespace skyline::collect::direct_calls {
namespace {

using Guard = TorchSteps::Guard;
using Inputs = TorchSteps::Inputs;
using Schema = TorchSteps::Schema;

// The recording under way, in all bits but the lowest; that one: its short way is open. 0 while there is
// none.
std::atomic<uint64_t> way = 0;
constexpr uint64_t compared(uint64_t session) { return session << 1; }
constexpr uint64_t open(uint64_t session) { return session << 1 | 1; }

// Torch's steps are ours, all or some; who changes that holds the mutex.
std::mutex steps_mutex;
bool are_steps_ours = false;

at::StepCallbacks::StartEndPair observer = {};

// Why the way of this recording is closed for good; nullptr: it is not, or not yet open.
std::atomic<const char*> refusal = nullptr;
constexpr const char* kOthersObserve = "somebody else observes operators";

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
} kMark;

bool has_mark(const Guard* guard) {
  const void* functions = nullptr;
  std::memcpy(&functions, static_cast<const void*>(guard), sizeof functions);
  return functions == &kMark.destructor;
}

// Fills in what the guard's inline functions look at.
at::StepCallbacks& set_mark(Guard* guard, at::RecordScope scope) {
  const void* const functions = &kMark.destructor;
  std::memcpy(static_cast<void*>(guard), &functions, sizeof functions);
  inputs_of(*guard) = {};
  guard->setForwardThreadId(0);
  return *new (&step_callbacks_of(*guard)) at::StepCallbacks(kMarkedThread, scope);
}

// The calling thread's log where the short way is open to it, else nullptr.
ThreadLog* short_way() {
  ThreadLog* const log = log_of_thread;
  if (log == nullptr || open(log->session) != way.load(std::memory_order_relaxed)) return nullptr;
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

// Torch gets its steps back when nobody records any more and no marked guard is left, which its own would not
// know how to take apart.
void undo_if_unused() {
  const std::lock_guard lock(steps_mutex);
  if (!are_steps_ours || way.load(std::memory_order_relaxed) != 0) return;
  uint64_t marked = 0;
  for_each_log([&](ThreadLog& log) { marked += log.marked.load(std::memory_order_acquire); });
  if (marked > 0) return;  // the last of them comes here again
  restore_torch_steps(TorchSteps::kThatMakeGuards);
  are_steps_ours = false;
}

// Counted before the way is looked at again: end() closes it and looks at the count then, with a fence of all
// threads between.
bool count_mark(ThreadLog& log) {
  log.marked.store(log.marked.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (open(log.session) == way.load(std::memory_order_relaxed)) [[likely]] {
    return true;
  }
  log.marked.store(log.marked.load(std::memory_order_relaxed) - 1, std::memory_order_release);
  return false;
}

void uncount_mark() {
  ThreadLog& log = *log_of_thread;
  log.marked.store(log.marked.load(std::memory_order_relaxed) - 1, std::memory_order_release);
  if (way.load(std::memory_order_relaxed) == 0) [[unlikely]] {
    undo_if_unused();
  }
}

// Whether the first operators are being compared (direct_trial.h).
bool is_trial() {
  const uint64_t now = way.load(std::memory_order_relaxed);
  return now != 0 && (now & 1) == 0;
}

void open_if_agreed() {
  uint64_t closed = way.load(std::memory_order_relaxed);
  if (closed == 0 || (closed & 1) != 0 || !direct_trial::has_agreed()) return;
  way.compare_exchange_strong(closed, closed | 1, std::memory_order_release);
}

// What takes the place of torch's steps.

std::optional<at::StepCallbacks> torchs_callbacks(at::RecordScope scope) {
  const TorchsWay gate;
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
  if (takes_torchs_way(log) || !count_mark(*log)) return torchs_callbacks(scope);
  return our_callbacks(scope, log->with_shapes);
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

void tell_trial(Guard& guard, std::string_view name, int64_t sequence, Inputs inputs) {
  if (is_trial()) direct_trial::step_saw({&guard, name, sequence, inputs});
}

SKYLINE_HOT void run(Guard& guard, Schema schema, c10::DispatchKey key, c10::DispatchKeySet keys) {
  if (!has_mark(&guard)) {
    tell_trial(guard, schema.get().name(), torch_steps.sequence_number(key, keys), {});
    return torch_steps.run(guard, schema, key, keys);
  }
  begin_marked(guard, schema.get(), torch_steps.sequence_number(key, keys), {});
}

SKYLINE_HOT void run_with_inputs(Guard& guard, Schema schema, c10::DispatchKey key, c10::DispatchKeySet keys,
                                 Inputs inputs) {
  if (!has_mark(&guard)) {
    tell_trial(guard, schema.get().name(), torch_steps.sequence_number(key, keys), inputs);
    return torch_steps.run_with_inputs(guard, schema, key, keys, inputs);
  }
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
  if (!has_mark(guard)) {
    torch_steps.destroy(guard);
    if (!is_trial()) return;
    direct_trial::step_ended(guard);
    return open_if_agreed();
  }
  end_range(guard);
  uncount_mark();
}

// Nobody keeps a marked guard on the heap today.
void destroy_and_free(Guard* guard) {
  destroy(guard);
  ::operator delete(guard);
}

// The engine's guard has no observers: then nobody makes its name.
void construct_of_scope(Guard* guard, at::RecordScope scope) {
  const void* const caller = __builtin_return_address(0);
  if (scope == at::RecordScope::FUNCTION && caller == engine_call.load(std::memory_order_relaxed)) {
    ThreadLog* const log = short_way();
    const uint32_t name = log == nullptr ? kNoId : log->backward_ranges.find(current_backward_class());
    if (name != kNoId && count_mark(*log)) {
      set_mark(guard, scope);
      return begin_marked(*guard, name, -1, {});
    }
  }
  if (ThreadLog* const log = log_of_thread) log->latest_guard = {guard, caller};
  const TorchsWay gate;
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
void close_for_others() {
  if (way.load(std::memory_order_relaxed) != 0) refusal.store(kOthersObserve, std::memory_order_relaxed);
  end();
}

at::CallbackHandle add_global_callback(at::RecordFunctionCallback callback) {
  close_for_others();
  return torch_steps.add_global_callback(callback);
}

void reenable_callback(at::CallbackHandle handle) {
  close_for_others();
  torch_steps.reenable_callback(handle);
}

// What the engine's range around functions of this class is called.
void learn_backward_range(ThreadLog& log, uint32_t name) {
  const uint64_t key = current_backward_class();
  if (key == 0 || log.backward_ranges.find(key) != kNoId || !current_backward_class_has_one_name()) return;
  if (!Recorder::instance().names().is_instead(name)) log.backward_ranges.insert(key, name);
}

bool take_steps() {
  are_steps_ours = replace_torch_steps({.destroy = destroy,
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
  return are_steps_ours;
}

}  // namespace

void begin(at::StepCallbacks::StartEndPair new_observer, bool alone) {
  if (observer.start_ == nullptr) observer = new_observer;
  refusal.store(alone ? nullptr : kOthersObserve, std::memory_order_relaxed);
  if (!alone || direct_trial::has_differed()) return;
  const std::lock_guard lock(steps_mutex);
  if (!take_steps()) {
    refusal.store("the libraries of this torch call each other in another way", std::memory_order_relaxed);
    return;
  }
  const uint64_t session = Recorder::instance().session();
  way.store(direct_trial::has_agreed() ? open(session) : compared(session), std::memory_order_release);
}

bool end() {
  is_left = false;
  return (way.exchange(0, std::memory_order_relaxed) & 1) != 0;
}

void undo() {
  {
    const std::lock_guard lock(steps_mutex);
    if (are_steps_ours) restore_torch_steps(TorchSteps::kThatFollow);
  }
  undo_if_unused();
}

std::string_view why_not() {
  if (const char* const known = refusal.load(std::memory_order_relaxed)) return known;
  if (direct_trial::has_differed()) return "it told of operators something else than torch's observers did";
  return "too few operators came to compare it with torch's observers";
}

void observers_changed() { observers_version.fetch_add(1, std::memory_order_release); }

void lock_for_fork() {
  fork_gate.lock();
  steps_mutex.lock();
}
void unlock_after_fork() {
  steps_mutex.unlock();
  fork_gate.unlock();
}

void leave() {
  end();
  is_left = true;
}

void learn(const Guard& guard) {
  ThreadLog* const log = log_of_thread;
  if (log == nullptr || way.load(std::memory_order_relaxed) == 0) return;
  if (is_trial()) direct_trial::observer_was_told(guard);
  log->torch_tls = &at::get_record_function_tls_();
  const size_t known = log->torch_tls->sorted_tls_callbacks_.size() + 1;
  if (step_callbacks_of(const_cast<Guard&>(guard)).callbacks_.size() > known) close_for_others();

  constexpr std::string_view kEngine = "autograd::engine::evaluate_function: ";
  if (guard.scope() != at::RecordScope::FUNCTION || log->latest_guard.guard != &guard) return;
  if (!std::string_view(guard.name()).starts_with(kEngine)) return;
  engine_call.store(log->latest_guard.caller, std::memory_order_relaxed);
  learn_backward_range(*log, log->open.back().record.name);
}

}  // namespace skyline::collect::direct_calls

#endif
