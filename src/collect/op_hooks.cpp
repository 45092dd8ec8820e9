// Operators and ranges.
//
// torch calls begin() and end() around every observed operator, mostly without the GIL. begin() notes
// what cannot be known later and reads the clock last; end() reads the clock first and writes one
// record. Nothing here may throw: an exception would be caught and logged by torch for every call.
#include "collect/op_hooks.h"

#include <ATen/record_function.h>

#include <atomic>
#include <unordered_set>
#include <utility>

#include "collect/callback_scope.h"
#include "collect/collective_info.h"
#include "collect/input_signature.h"

namespace skyline::collect {
namespace {

at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;

RecordKind kind_of(at::RecordScope scope) {
  return scope == at::RecordScope::USER_SCOPE ? RecordKind::kUserRange : RecordKind::kOp;
}

// A nested operator that is called from the same place in Python has its caller's stack. Not so in a range:
// the frame that began it is gone, and another may stand in its place.
void note_stack(OpenRange& range, ThreadLog& log) {
  range.place = StackCache::here();
  if (range.place.frame == nullptr) return;
  const OpenRange* const parent = log.open.around_back();
  const bool inherits = parent != nullptr && parent->record.kind == static_cast<uint8_t>(RecordKind::kOp) &&
                        parent->place == range.place;
  range.record.stack =
      inherits ? parent->record.stack : log.stacks.stack_of(range.place.frame, log.with_modules);
}

// The autograd engine puts a range without a number around each backward function:
//
//   autograd::engine::evaluate_function: MulBackward0
//     MulBackward0                                         has a sequence number and the forward thread
//
// As in torch.profiler, the range gets both from the function, if that is the first thing inside.
void tell_parent(const OpenRange& range, OpenRange& parent, at::RecordScope scope) {
  const bool is_first = !std::exchange(parent.has_inside, true);
  if (scope != at::RecordScope::BACKWARD_FUNCTION || !is_first || parent.record.sequence != -1) return;
  if (parent.record.kind != static_cast<uint8_t>(RecordKind::kOp)) return;
  parent.record.sequence = range.record.sequence;
  parent.record.fwd_thread = range.record.fwd_thread;
}

// The range that c10d puts around a collective; what it says of it is only there now. Collectives are
// few and long, so a text is made each time. The stack is that of the operator around it.
std::atomic<uint32_t> collective_name = kNoId;

void note_collective(OpenRange& range) {
  const std::string text = describe_collective();
  if (text.empty()) return;
  range.record.kind = static_cast<uint8_t>(RecordKind::kCollective);
  range.record.stack = Recorder::instance().collectives().intern(text).id;
}

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
  ThreadLog* const log = this_thread_log();
  const CallbackScope scope(*log);
  if (!scope.entered() || log->open.size() == OpenRanges::kMost) return nullptr;
  OpenRange& range = log->open.push();
  range.owner = &function;
  Record& record = range.record;
  record.sequence = function.seqNr();
  record.name = log->names.find(function.name());
  record.fwd_thread = static_cast<uint32_t>(function.forwardThreadId()) & 0xffffff;
  record.kind = static_cast<uint8_t>(kind_of(function.scope()));
  record.stack = kNoStack;
  record.shapes = log->with_shapes ? input_signature(function, log->shapes) : kNoId;
  range.has_inside = false;
  if (OpenRange* const parent = log->open.around_back()) tell_parent(range, *parent, function.scope());
  if (log->with_stacks) note_stack(range, *log);
  if (record.name == collective_name.load(std::memory_order_relaxed)) [[unlikely]] {
    note_collective(range);
  }
  record.start = read_ticks();
  return nullptr;
}

// Ends come in reverse order of begins, but for ranges that end on another thread: these are left open
// here and unknown there. False when the range is not open.
bool close_until(OpenRanges& open, const void* owner) {
  for (size_t i = open.size(); i-- > 0;) {
    if (open[i].owner != owner) continue;
    open.shrink(i + 1);
    return true;
  }
  return false;
}

void end(const at::RecordFunction& function, at::ObserverContext*) {
  const uint64_t now = read_ticks();
  ThreadLog* const log = this_thread_log();
  const CallbackScope scope(*log);
  if (!scope.entered() || log->open.size() == 0) return;
  if (log->open.back().owner != &function && !close_until(log->open, &function)) return;
  Record& record = log->open.back().record;
  record.end = now;
  log->append(record);
  log->open.shrink(log->open.size() - 1);
}

}  // namespace

void install_op_hooks(const Options& options) {
  collective_name = Recorder::instance().names().intern(at::kParamCommsCallName).id;
  at::RecordFunctionCallback callback(begin, end);
  callback.needsInputs(options.shapes);
  std::unordered_set<at::RecordScope, std::hash<at::RecordScope>> scopes;
  if (options.ops) scopes = {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION};
  if (options.ranges) scopes.insert(at::RecordScope::USER_SCOPE);
  if (scopes.empty()) return;
  callback.scopes(scopes);
  handle = at::addGlobalCallback(callback);
}

void remove_op_hooks() {
  if (handle != at::INVALID_CALLBACK_HANDLE) at::removeCallback(handle);
  handle = at::INVALID_CALLBACK_HANDLE;
}

}  // namespace skyline::collect
