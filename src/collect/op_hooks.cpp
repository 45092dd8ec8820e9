// Operators and ranges.
//
// torch calls begin() and end() around every observed operator, mostly without the GIL. begin() notes
// what cannot be known later and reads the clock last; end() reads the clock first and writes one
// record. Nothing here may throw: an exception would be caught and logged by torch for every call.
#include "collect/op_hooks.h"

#include <ATen/record_function.h>

#include <atomic>

#include "collect/collective_info.h"
#include "collect/input_signature.h"
#include "collect/recorder.h"
#include "collect/thread_log.h"

namespace skyline::collect {
namespace {

constexpr size_t kMaxOpen = 4096;  // recursion deeper than this is not followed

at::CallbackHandle handle = at::INVALID_CALLBACK_HANDLE;

RecordKind kind_of(at::RecordScope scope) {
  return scope == at::RecordScope::USER_SCOPE ? RecordKind::kUserRange : RecordKind::kOp;
}

// A nested operator that is called from the same place in Python has its caller's stack.
void note_stack(OpenRange& range, ThreadLog& log, bool with_modules) {
  range.place = StackCache::here();
  if (range.place.frame == nullptr) return;
  const OpenRange* parent = log.open.size() > 1 ? &log.open[log.open.size() - 2] : nullptr;
  const bool inherits = parent != nullptr && parent->place == range.place;
  range.stack = inherits ? parent->stack : log.stacks.current(with_modules);
}

// The range that c10d puts around a collective; what it says of it is only there now. Collectives are
// few and long, so a text is made each time. The stack is that of the operator around it.
std::atomic<uint32_t> collective_name = kNoId;

void note_collective(OpenRange& range) {
  const std::string text = describe_collective();
  if (text.empty()) return;
  range.kind = RecordKind::kCollective;
  range.stack = Recorder::instance().collectives().intern(text).id;
}

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
  ThreadLog* const log = this_thread_log();
  const CallbackScope scope(*log);
  if (!scope.entered() || log->open.size() >= kMaxOpen) return nullptr;
  const Options& options = Recorder::instance().options();
  OpenRange& range = log->open.emplace_back();
  range.owner = &function;
  range.sequence = function.seqNr();
  range.name = log->names.find(function.name());
  range.fwd_thread = static_cast<uint32_t>(function.forwardThreadId());
  range.kind = kind_of(function.scope());
  range.stack = kNoStack;
  range.shapes = options.shapes ? input_signature(function, log->shapes) : kNoId;
  if (options.stacks) note_stack(range, *log, options.modules);
  if (range.name == collective_name) [[unlikely]] {
    note_collective(range);
  }
  range.start = read_ticks();
  return nullptr;
}

void end(const at::RecordFunction& function, at::ObserverContext*) {
  const uint64_t now = read_ticks();
  ThreadLog* const log = this_thread_log();
  const CallbackScope scope(*log);
  if (!scope.entered()) return;
  // Ends come in reverse order of begins, but for ranges that end on another thread: these are
  // left open here and unknown there.
  while (!log->open.empty() && log->open.back().owner != &function) {
    bool is_open = false;
    for (const OpenRange& range : log->open) is_open |= range.owner == &function;
    if (!is_open) return;
    log->open.pop_back();
  }
  if (log->open.empty()) return;
  const OpenRange& range = log->open.back();
  Record record;
  record.start = range.start;
  record.end = now;
  record.sequence = range.sequence;
  record.name = range.name;
  record.shapes = range.shapes;
  record.stack = range.stack;
  record.fwd_thread = range.fwd_thread & 0xffffff;
  record.kind = static_cast<uint32_t>(range.kind) & 0xff;
  log->open.pop_back();
  log->append(record);
}

}  // namespace

void install_op_hooks(const Options& options) {
  collective_name = Recorder::instance().names().intern(at::kParamCommsCallName).id;
  at::RecordFunctionCallback callback(begin, end);
  callback.needsInputs(options.shapes);
  if (options.ops) {
    callback.scopes(
        {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION, at::RecordScope::USER_SCOPE});
  } else {
    callback.scopes({at::RecordScope::USER_SCOPE});
  }
  handle = at::addGlobalCallback(callback);
}

void remove_op_hooks() {
  if (handle != at::INVALID_CALLBACK_HANDLE) at::removeCallback(handle);
  handle = at::INVALID_CALLBACK_HANDLE;
}

}  // namespace skyline::collect
