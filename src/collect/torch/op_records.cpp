#include "collect/torch/op_records.h"

#include <ATen/core/function_schema.h>

#include <atomic>
#include <utility>

#include "collect/log/callback_scope.h"
#include "collect/tables/hot.h"
#include "collect/torch/collective_info.h"
#include "collect/torch/input_signature.h"
#include "collect/torch/schema_epoch.h"

namespace skyline::collect {
namespace {

uint32_t number_of(uint32_t name, NameCache&) { return name; }
uint32_t number_of(const char* name, NameCache& names) { return names.find(name); }
uint32_t number_of(std::string_view name, NameCache& names) { return names.find(name); }
uint32_t number_of(const c10::FunctionSchema& schema, NameCache& names) {
  return names.find(&schema, schema_epoch.load(std::memory_order_relaxed), schema.name());
}

RecordKind kind_of(at::RecordScope scope) {
  return scope == at::RecordScope::USER_SCOPE ? RecordKind::kUserRange : RecordKind::kOp;
}

// What is called from the same place in Python as the operator around it has that one's stack.
void note_stack(OpenRange& range, const OpenRange* parent, ThreadLog& log) {
  range.place = StackCache::here();
  if (range.place.frame == nullptr) return;
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

// What the range says of a collective is only there now. Collectives are few and long, so a text is made each
// time. The stack is that of the operator around it.
std::atomic<uint32_t> collective_name = kNoId;

void note_collective(OpenRange& range) {
  const std::string text = describe_collective();
  if (text.empty()) return;
  range.record.kind = static_cast<uint8_t>(RecordKind::kCollective);
  range.record.stack = Recorder::instance().collectives().intern(text).id;
}

// Those inside whose end was not seen go with it. False when the range is not open.
bool close_until(OpenRanges& open, const void* owner) {
  for (size_t i = open.size(); i-- > 0;) {
    if (open[i].owner != owner) continue;
    open.shrink(i + 1);
    return true;
  }
  return false;
}

template <typename Name>
void fill(OpenRange& range, const Name& name, const RangeStart& start, OpenRange* parent, ThreadLog& log) {
  range.owner = start.owner;
  Record& record = range.record;
  record.sequence = start.sequence;
  record.name = number_of(name, log.names);
  record.fwd_thread = static_cast<uint32_t>(start.forward_thread) & 0xffffff;
  record.kind = static_cast<uint8_t>(kind_of(start.scope));
  record.stack = kNoStack;
  record.shapes = log.with_shapes ? input_signature(start.inputs, log.shapes, log.with_values) : kNoId;
  range.has_inside = false;
  if (parent != nullptr) tell_parent(range, *parent, start.scope);
  if (log.with_stacks) note_stack(range, parent, log);
  if (record.name == collective_name.load(std::memory_order_relaxed)) [[unlikely]] {
    note_collective(range);
  }
}

template <typename Name>
bool begin(const Name& name, const RangeStart& start) {
  ThreadLog* const log = this_thread_log();
  if (log == nullptr) [[unlikely]] {
    return false;
  }
  const CallbackScope scope(*log);
  if (!scope.entered()) return false;
  if (log->open.size() == OpenRanges::kMost) [[unlikely]] {
    log->dropped.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  OpenRange& range = log->open.push();
  try {
    fill(range, name, start, log->open.around_back(), *log);
  } catch (...) {  // no memory for something that was new to us
    log->open.shrink(log->open.size() - 1);
    log->dropped.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  range.record.start = read_ticks();
  return true;
}

}  // namespace

SKYLINE_HOT bool begin_range(const char* name, const RangeStart& start) noexcept {
  return begin(name, start);
}
SKYLINE_HOT bool begin_range(const c10::FunctionSchema& schema, const RangeStart& start) noexcept {
  return begin(schema, start);
}
SKYLINE_HOT bool begin_range(std::string_view name, const RangeStart& start) noexcept {
  return begin(name, start);
}
SKYLINE_HOT bool begin_range(uint32_t name, const RangeStart& start) noexcept { return begin(name, start); }

SKYLINE_HOT void end_range(const void* owner) noexcept {
  const uint64_t now = read_ticks();
  ThreadLog* const log = this_thread_log();
  if (log == nullptr) [[unlikely]] {
    return;
  }
  const CallbackScope scope(*log);
  if (!scope.entered() || log->open.size() == 0) return;
  if (log->open.back().owner != owner && !close_until(log->open, owner)) return;
  Record& record = log->open.back().record;
  record.end = now;
  log->append(record);
  log->open.shrink(log->open.size() - 1);
}

std::optional<BegunRange> begin_user_range(const char* name, const RangeStart& start) noexcept {
  ThreadLog* const log = this_thread_log();
  if (log == nullptr) return std::nullopt;
  const CallbackScope scope(*log);
  if (!scope.entered()) return std::nullopt;
  OpenRange range;
  try {
    fill(range, name, start, log->open.size() > 0 ? &log->open.back() : nullptr, *log);
  } catch (...) {
    log->dropped.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }
  range.record.start = read_ticks();
  return BegunRange{range.record, log->id, log->session};
}

void end_user_range(BegunRange& range) noexcept {
  range.record.end = read_ticks();
  ThreadLog* const log = this_thread_log();
  if (log == nullptr) return;
  const CallbackScope scope(*log);
  if (!scope.entered() || range.session != log->session) return;
  if (range.thread != log->id) {
    range.record.kind = static_cast<uint8_t>(RecordKind::kForeignRange);
    range.record.shapes = range.thread;
  }
  log->append(range.record);
  range.session = 0;
}

void cut_open_ranges(ThreadLog& log, uint64_t now) {
  for (; log.open.size() > 0; log.open.shrink(log.open.size() - 1)) {
    log.open.back().record.end = now;
    log.append(log.open.back().record);
  }
}

void note_collective_name() {
  collective_name = Recorder::instance().names().intern(at::kParamCommsCallName).id;
}

}  // namespace skyline::collect
