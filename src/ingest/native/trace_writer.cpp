#include "ingest/native/trace_writer.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/parallel.h"
#include "ingest/native/stored_columns.h"
#include "ingest/native/stored_info.h"

namespace skyline::ingest::native {
namespace {

using tracefile::ChunkBuilder;
using tracefile::TableId;

constexpr size_t kRowsPerChunk = 1 << 18;      // some MB of columns: enough for zstd, little for one thread
constexpr size_t kTextBytesPerRead = 4 << 20;  // gzip files can be entered about that often
constexpr size_t kTextBytesPerChunk = 512 << 10;
constexpr size_t kStringBytesPerChunk = 64 << 20;
constexpr int kTextLevel = 1;

// Fills builder after builder on all threads and appends them in order.
using FillChunk = std::function<void(ChunkBuilder& chunk)>;

Status append_in_order(const std::vector<FillChunk>& fills, unsigned threads, tracefile::Writer& writer) {
  std::vector<ChunkBuilder> builders;
  const size_t wave = std::min<size_t>(fills.size(), size_t{2} * threads);
  for (size_t i = 0; i < wave; ++i) builders.emplace_back(TableId::kEnd);
  for (size_t begin = 0; begin < fills.size(); begin += wave) {
    const size_t count = std::min(wave, fills.size() - begin);
    parallel_for(count, threads, [&](size_t i) { fills[begin + i](builders[i]); });
    for (size_t i = 0; i < count; ++i) {
      SKYLINE_RETURN_IF_ERROR(writer.append(builders[i]));
    }
  }
  return Done{};
}

// The columns of each table, in the order of the list.
class ColumnPlan {
 public:
  template <typename T>
  void operator()(const tracefile::NumberColumn<Stored<T>>& spec, const ColumnDecl<T>&,
                  const Column<T>& column) {
    if (column.empty()) return;
    Table& table = tables_[spec.table];
    table.rows = column.size();
    table.adds.push_back(
        [spec, values = as_stored(column.data())](ChunkBuilder& chunk, size_t begin, size_t end) {
          chunk.add(spec, std::span<const Stored<T>>(values + begin, end - begin));
        });
  }

  std::vector<FillChunk> fills() const {
    std::vector<FillChunk> fills;
    for (const auto& [id, table] : tables_) {
      for (size_t begin = 0; begin < table.rows; begin += kRowsPerChunk) {
        const size_t end = std::min(table.rows, begin + kRowsPerChunk);
        fills.push_back([&table = table, id = id, begin, end](ChunkBuilder& chunk) {
          chunk.restart(id);
          for (const AddColumn& add : table.adds) add(chunk, begin, end);
        });
      }
    }
    return fills;
  }

 private:
  using AddColumn = std::function<void(ChunkBuilder& chunk, size_t begin, size_t end)>;
  struct Table {
    size_t rows = 0;
    std::vector<AddColumn> adds;
  };

  std::map<TableId, Table> tables_;
};

// A column made from a list of structs: `get` of each.
template <typename T, typename Rows, typename Get>
void add_numbers(ChunkBuilder& chunk, const tracefile::NumberColumn<T>& column, const Rows& rows, Get get) {
  Column<T> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(static_cast<T>(get(row)));
  chunk.add(column, values);
}

template <typename Rows, typename Get>
void add_texts(ChunkBuilder& chunk, const tracefile::TextColumn& column, const Rows& rows, Get get) {
  std::vector<std::string_view> texts;
  texts.reserve(rows.size());
  for (const auto& row : rows) texts.push_back(get(row));
  chunk.add(column, texts);
}

void fill_pairs(ChunkBuilder& chunk, const tracefile::TextColumn& keys, const tracefile::TextColumn& values,
                const InfoRows& rows) {
  chunk.restart(keys.table);
  add_texts(chunk, keys, rows, [](const auto& row) { return std::string_view(row.first); });
  add_texts(chunk, values, rows, [](const auto& row) { return std::string_view(row.second); });
}

void fill_devices(ChunkBuilder& chunk, const std::vector<Device>& devices) {
  namespace d = tracefile::trace_devices;
  chunk.restart(d::kT);
  add_numbers(chunk, d::kId, devices, [](const Device& row) { return row.id; });
  add_texts(chunk, d::kName, devices, [](const Device& row) { return std::string_view(row.name); });
  add_numbers(chunk, d::kMemoryBytes, devices, [](const Device& row) { return row.memory_bytes; });
  add_numbers(chunk, d::kMultiprocessors, devices, [](const Device& row) { return row.multiprocessors; });
  add_numbers(chunk, d::kComputeMajor, devices, [](const Device& row) { return row.compute_major; });
  add_numbers(chunk, d::kComputeMinor, devices, [](const Device& row) { return row.compute_minor; });
  add_numbers(chunk, d::kWarpSize, devices, [](const Device& row) { return row.warp_size; });
  add_numbers(chunk, d::kMaxThreads, devices,
              [](const Device& row) { return row.max_threads_per_multiprocessor; });
}

void fill_tracks(ChunkBuilder& chunk, std::span<const Track> tracks) {
  namespace t = tracefile::trace_tracks;
  chunk.restart(t::kT);
  add_numbers(chunk, t::kProcess, tracks, [](const Track& row) { return row.process.value; });
  add_numbers(chunk, t::kThread, tracks, [](const Track& row) { return row.thread.value; });
  add_numbers(chunk, t::kProcessName, tracks, [](const Track& row) { return row.process_name.value; });
  add_numbers(chunk, t::kProcessLabel, tracks, [](const Track& row) { return row.process_label.value; });
  add_numbers(chunk, t::kThreadName, tracks, [](const Track& row) { return row.thread_name.value; });
  add_numbers(chunk, t::kFirstSlice, tracks, [](const Track& row) { return row.first_slice.value; });
  add_numbers(chunk, t::kSliceCount, tracks, [](const Track& row) { return row.slice_count; });
  add_numbers(chunk, t::kActivityCount, tracks, [](const Track& row) { return row.activity_count; });
  add_numbers(chunk, t::kLanes, tracks, [](const Track& row) { return row.lanes; });
}

void fill_steps(ChunkBuilder& chunk, std::span<const Step> steps) {
  namespace s = tracefile::trace_steps;
  chunk.restart(s::kT);
  add_numbers(chunk, s::kNumber, steps, [](const Step& row) { return row.number; });
  add_numbers(chunk, s::kStartNs, steps, [](const Step& row) { return row.start_ns; });
  add_numbers(chunk, s::kEndNs, steps, [](const Step& row) { return row.end_ns; });
  add_numbers(chunk, s::kTrack, steps, [](const Step& row) { return row.track.value; });
  add_numbers(chunk, s::kSlice, steps, [](const Step& row) { return row.slice.value; });
}

void fill_event_counts(ChunkBuilder& chunk, std::span<const EventCount> counts) {
  namespace c = tracefile::trace_event_counts;
  chunk.restart(c::kT);
  add_numbers(chunk, c::kCategory, counts, [](const EventCount& row) { return row.category.value; });
  add_numbers(chunk, c::kPhase, counts,
              [](const EventCount& row) { return static_cast<uint8_t>(row.phase); });
  add_numbers(chunk, c::kCount, counts, [](const EventCount& row) { return row.count; });
}

void fill_losses(ChunkBuilder& chunk, const LossCounts& losses) {
  namespace l = tracefile::trace_losses;
  chunk.restart(l::kT);
  add_texts(chunk, l::kName, kLosses, [](const LossKind& kind) { return kind.name; });
  add_numbers(chunk, l::kCount, kLosses, [&](const LossKind& kind) { return losses[kind.loss].count; });
  add_numbers(chunk, l::kFirstOffset, kLosses,
              [&](const LossKind& kind) { return losses[kind.loss].first_offset; });
  add_texts(chunk, l::kDetail, kLosses,
            [&](const LossKind& kind) { return std::string_view(losses[kind.loss].detail); });
}

// Strings that together stay within what one chunk takes; at least one each.
void plan_strings(const StringPool& strings, std::vector<FillChunk>& fills) {
  const auto text = [&strings](size_t row) { return strings[StringId(static_cast<uint32_t>(row))]; };
  for (size_t begin = 0; begin < strings.size();) {
    size_t end = begin, bytes = 0;
    do bytes += text(end++).size();
    while (end < strings.size() && end - begin < kRowsPerChunk &&
           bytes + text(end).size() <= kStringBytesPerChunk);
    fills.push_back([text, begin, end](ChunkBuilder& chunk) {
      std::vector<std::string_view> texts;
      for (size_t row = begin; row < end; ++row) texts.push_back(text(row));
      chunk.restart(TableId::kTraceStrings);
      chunk.add(tracefile::trace_strings::kText, texts);
    });
    begin = end;
  }
}

template <typename Rows, typename Fill>
void plan_rows(const Rows& rows, Fill fill, std::vector<FillChunk>& fills) {
  for (size_t begin = 0; begin < rows.size(); begin += kRowsPerChunk) {
    const auto part = std::span(rows).subspan(begin, std::min(kRowsPerChunk, rows.size() - begin));
    fills.push_back([part, fill](ChunkBuilder& chunk) { fill(chunk, part); });
  }
}

// A chunk for each, so that the others need not be unpacked.
void plan_summaries(const std::vector<Summary>& summaries, std::vector<FillChunk>& fills) {
  for (const Summary& summary : summaries) {
    fills.push_back([&summary](ChunkBuilder& chunk) {
      const std::string_view name = summary.name, bytes = summary.bytes;
      chunk.restart(TableId::kTraceSummaries);
      chunk.add(tracefile::trace_summaries::kName, std::span(&name, 1));
      chunk.add(tracefile::trace_summaries::kBytes, std::span(&bytes, 1));
    });
  }
}

Status check_summaries(const std::vector<Summary>& summaries) {
  for (const Summary& summary : summaries) {
    // The length stands before the bytes.
    if (summary.bytes.size() > tracefile::kMaxColumnBytes - sizeof(uint32_t))
      return Error{"the summary " + summary.name + " is too large for a file"};
  }
  return Done{};
}

}  // namespace

Status append_tables(const Trace& trace, unsigned threads, tracefile::Writer& writer) {
  SKYLINE_TRY([[maybe_unused]] const Done small, check_summaries(trace.summaries));
  const InfoRows info = info_rows(trace);
  std::vector<FillChunk> fills;
  fills.push_back([&](ChunkBuilder& chunk) {
    fill_pairs(chunk, tracefile::trace_info::kKey, tracefile::trace_info::kValue, info);
  });
  fills.push_back([&](ChunkBuilder& chunk) {
    fill_pairs(chunk, tracefile::trace_metadata::kKey, tracefile::trace_metadata::kValue,
               trace.info.metadata);
  });
  fills.push_back([&](ChunkBuilder& chunk) { fill_devices(chunk, trace.info.devices); });
  fills.push_back([&](ChunkBuilder& chunk) { fill_losses(chunk, trace.losses); });
  plan_strings(trace.strings, fills);
  plan_rows(trace.tracks, fill_tracks, fills);
  plan_rows(trace.steps, fill_steps, fills);
  plan_rows(trace.event_counts, fill_event_counts, fills);

  ColumnPlan columns;
  for_each_stored_column(trace, columns);
  for (FillChunk& fill : columns.fills()) fills.push_back(std::move(fill));
  plan_summaries(trace.summaries, fills);
  return append_in_order(fills, threads, writer);
}

Status append_text(const Trace& trace, unsigned threads, tracefile::Writer& writer) {
  const uint64_t size = trace.info.text_bytes;
  std::vector<ChunkBuilder> builders;
  constexpr size_t kChunksPerRead = kTextBytesPerRead / kTextBytesPerChunk;
  for (size_t i = 0; i < threads * kChunksPerRead; ++i) builders.emplace_back(TableId::kText, kTextLevel);
  const uint64_t wave = uint64_t{threads} * kTextBytesPerRead;
  for (uint64_t begin = 0; begin < size; begin += wave) {
    std::vector<Status> read(threads, Done{});
    std::vector<size_t> chunks(threads);
    parallel_for(threads, threads, [&](size_t t) {
      const uint64_t offset = begin + t * kTextBytesPerRead;
      if (offset >= size) return;
      const Result<std::string> text =
          trace.args->text_at(offset, std::min<uint64_t>(kTextBytesPerRead, size - offset));
      if (!text.ok()) read[t] = text.error();
      if (!text.ok()) return;
      for (size_t at = 0; at < text.value().size(); at += kTextBytesPerChunk) {
        const std::string_view block = std::string_view(text.value()).substr(at, kTextBytesPerChunk);
        const uint64_t block_offset[] = {offset + at};
        ChunkBuilder& chunk = builders[t * kChunksPerRead + chunks[t]++];
        chunk.restart(TableId::kText);
        chunk.add(tracefile::source_text::kOffset, block_offset);
        chunk.add(tracefile::source_text::kText, std::span(&block, 1));
      }
    });
    for (size_t t = 0; t < threads; ++t) {
      if (!read[t].ok()) return read[t].error();
      for (size_t i = 0; i < chunks[t]; ++i) {
        SKYLINE_RETURN_IF_ERROR(writer.append(builders[t * kChunksPerRead + i]));
      }
    }
  }
  return Done{};
}

Status append_recording(const tracefile::Reader& recording, tracefile::Writer& writer) {
  for (const tracefile::Chunk& chunk : recording.chunks()) {
    // Tables from an earlier conversion are written anew.
    if (tracefile::is_of_whole_trace(chunk.table())) continue;
    const Result<Column<char>> payload = chunk.payload();
    SKYLINE_RETURN_IF_ERROR(recording.check_unchanged("the file"));
    if (!payload.ok()) return payload.error();
    SKYLINE_RETURN_IF_ERROR(writer.append(chunk, payload.value()));
  }
  return Done{};
}

}  // namespace skyline::ingest::native
