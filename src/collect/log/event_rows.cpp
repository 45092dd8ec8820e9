#include "collect/log/event_rows.h"

#include <algorithm>

#include "collect/tables/ids.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

table::EventKind event_kind(const Record& record) {
  const auto kind = static_cast<RecordKind>(record.kind);
  if (kind == RecordKind::kUserRange || kind == RecordKind::kForeignRange)
    return table::EventKind::kUserRange;
  return record.fwd_thread != 0 ? table::EventKind::kBackward : table::EventKind::kOp;
}

// A column that says nothing is left out; a reader takes its rows for `missing`.
template <typename T>
void add_if_said(table::ChunkBuilder& chunk, const table::NumberColumn<T>& column, const Column<T>& values) {
  const bool says_something =
      std::any_of(values.begin(), values.end(), [&](T value) { return value != column.missing; });
  if (says_something) chunk.add(column, values.span());
}

}  // namespace

void EventRows::resize(size_t rows) {
  const auto resize_all = [rows](auto&... columns) { (columns.resize_uninitialized(rows), ...); };
  resize_all(thread_, name_, fwd_thread_, shapes_, stack_, collective_, start_, duration_, sequence_, kind_);
}

// Rows into columns, one pass.
void EventRows::take(std::span<const Record> records, uint32_t thread) {
  size_t row = size();
  resize(row + records.size());
  for (const Record& record : records) {
    const auto kind = static_cast<RecordKind>(record.kind);
    if (kind == RecordKind::kMemory) continue;
    const bool is_collective = kind == RecordKind::kCollective;
    const bool is_foreign = kind == RecordKind::kForeignRange;
    thread_[row] = is_foreign ? record.shapes : thread;
    start_[row] = record.start;
    duration_[row] = std::max(record.end, record.start) - record.start;
    sequence_[row] = record.sequence;
    name_[row] = record.name;
    shapes_[row] = is_foreign ? kNoId : record.shapes;
    stack_[row] = is_collective ? kNoStack : record.stack;
    collective_[row] = is_collective ? record.stack : kNoId;
    fwd_thread_[row] = record.fwd_thread;
    kind_[row] = static_cast<uint8_t>(event_kind(record));
    ++row;
  }
  resize(row);
}

void EventRows::write_to(ChunkSink& sink) {
  if (start_.empty()) return;
  table::ChunkBuilder& chunk = sink.begin(table::TableId::kEvents);
  chunk.add(table::events::kThread, thread_.span());
  chunk.add(table::events::kStartTicks, start_.span());
  chunk.add(table::events::kDurTicks, duration_.span());
  chunk.add(table::events::kName, name_.span());
  chunk.add(table::events::kKind, kind_.span());
  add_if_said(chunk, table::events::kSequence, sequence_);
  add_if_said(chunk, table::events::kFwdThread, fwd_thread_);
  add_if_said(chunk, table::events::kShapes, shapes_);
  add_if_said(chunk, table::events::kStack, stack_);
  add_if_said(chunk, table::events::kCollective, collective_);
  sink.append();
  resize(0);
}

}  // namespace skyline::collect
