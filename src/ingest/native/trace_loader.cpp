#include "ingest/native/trace_loader.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "ingest/native/chunk_columns.h"
#include "ingest/native/older_columns.h"
#include "ingest/native/stored_columns.h"
#include "ingest/native/stored_info.h"
#include "trace/laws.h"

namespace skyline::ingest::native {
namespace {

using tracefile::Chunk;
using tracefile::TableId;
using tracefile::Texts;

class TraceLoader {
 public:
  TraceLoader(const tracefile::Reader& file, unsigned threads) : threads_(threads) {
    for (const Chunk& chunk : file.chunks()) {
      chunks_[chunk.table()].push_back(&chunk);
      if (!chunk.has_proof_of_rows()) fail_at(chunk);
    }
  }

  Result<std::unique_ptr<Trace>> load() {
    if (error_) return *error_;
    // Columns are unpacked straight to their place, all of them on all threads.
    for_each_stored_column(*trace_, *this);
    parallel_for(tasks_.size(), threads_, [&](size_t i) { tasks_[i](); });

    load_lists();
    if (error_) return *error_;
    SKYLINE_TRY([[maybe_unused]] const Done taken, take_older_inputs(chunks_[TableId::kTraceOps], *trace_));
    if (const std::optional<std::string_view> law = broken_law(*trace_, threads_)) {
      return Error{"its tables contradict each other (" + std::string(*law) + ")"};
    }
    return std::move(trace_);
  }

  // Plans one column. One that the program which wrote the file did not know has its missing value in every
  // row.
  template <typename T>
  void operator()(const tracefile::NumberColumn<Stored<T>>& spec, const ColumnDecl<T>& declared,
                  Column<T>& column) {
    const std::vector<const Chunk*>& chunks = chunks_[spec.table];
    size_t rows = 0;
    for (const Chunk* chunk : chunks) rows += chunk->rows();
    const bool is_absent =
        std::none_of(chunks.begin(), chunks.end(), [&](const Chunk* chunk) { return chunk->has(spec); });
    if (is_absent) {
      if (declared.may_be_missing && declared.filled != Filled::kIfAny) column.assign(rows, declared.missing);
      return;
    }
    column.resize_uninitialized(rows);
    Stored<T>* to = as_stored(column.data());
    for (const Chunk* chunk : chunks) {
      tasks_.push_back([this, chunk, spec, to] {
        const Status read = chunk->read(spec, std::span<Stored<T>>(to, chunk->rows()));
        if (!read.ok()) fail(read.error());
      });
      to += chunk->rows();
    }
  }

 private:
  void fail(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }

  void fail_at(const Chunk& chunk) {
    fail({"the chunk at byte " + std::to_string(chunk.offset()) + " is damaged"});
  }

  // Calls take(columns, rows) for every chunk of a table; take returns false if it is damaged.
  template <typename Take>
  void for_each_chunk(TableId table, Take take) {
    for (const Chunk* chunk : chunks_[table]) {
      ChunkColumns columns(*chunk);
      take(columns, chunk->rows());
      if (!columns.ok()) fail_at(*chunk);
    }
  }

  void load_lists() {
    namespace f = tracefile;
    Trace& trace = *trace_;
    for_each_chunk(TableId::kTraceInfo, [&](ChunkColumns& columns, size_t rows) {
      const Texts keys = columns(f::trace_info::kKey), values = columns(f::trace_info::kValue);
      for (size_t i = 0; columns.ok() && i < rows; ++i) take_info_row(keys[i], values[i], trace);
    });
    for_each_chunk(TableId::kTraceMetadata, [&](ChunkColumns& columns, size_t rows) {
      const Texts keys = columns(f::trace_metadata::kKey), values = columns(f::trace_metadata::kValue);
      for (size_t i = 0; columns.ok() && i < rows; ++i) trace.info.metadata.emplace_back(keys[i], values[i]);
    });
    for_each_chunk(TableId::kTraceStrings, [&](ChunkColumns& columns, size_t rows) {
      const Texts texts = columns(f::trace_strings::kText);
      for (size_t i = 0; columns.ok() && i < rows; ++i) {
        const size_t row = trace.strings.size();
        if (trace.strings.intern(texts[i]).value != row) return fail({"a text stands in it twice"});
      }
    });
    for_each_chunk(TableId::kSources, [&](ChunkColumns& columns, size_t rows) {
      const Texts paths = columns(f::sources::kPath), hashes = columns(f::sources::kHash);
      const Texts texts = columns(f::sources::kText);
      for (size_t i = 0; columns.ok() && i < rows; ++i) {
        trace.sources.push_back({std::string(paths[i]), std::string(hashes[i]), std::string(texts[i])});
      }
    });
    for_each_chunk(TableId::kTraceSummaries, [&](ChunkColumns& columns, size_t rows) {
      const Texts names = columns(f::trace_summaries::kName), bytes = columns(f::trace_summaries::kBytes);
      for (size_t i = 0; columns.ok() && i < rows; ++i)
        trace.summaries.push_back({std::string(names[i]), std::string(bytes[i])});
    });
    load_devices();
    load_tracks();
    load_steps();
    load_counts();
  }

  void load_devices() {
    namespace d = tracefile::trace_devices;
    for_each_chunk(d::kT, [&](ChunkColumns& columns, size_t rows) {
      const Column<int64_t> ids = columns(d::kId), memory = columns(d::kMemoryBytes);
      const Texts names = columns(d::kName);
      const Column<int64_t> multiprocessors = columns(d::kMultiprocessors),
                            majors = columns(d::kComputeMajor);
      const Column<int64_t> minors = columns(d::kComputeMinor), warps = columns(d::kWarpSize);
      const Column<int64_t> threads = columns(d::kMaxThreads);
      for (size_t i = 0; columns.ok() && i < rows; ++i) {
        trace_->info.devices.push_back({ids[i], std::string(names[i]), memory[i], multiprocessors[i],
                                        majors[i], minors[i], warps[i], threads[i]});
      }
    });
  }

  void load_tracks() {
    namespace t = tracefile::trace_tracks;
    for_each_chunk(t::kT, [&](ChunkColumns& columns, size_t rows) {
      const Column<uint32_t> processes = columns(t::kProcess), threads = columns(t::kThread);
      const Column<uint32_t> process_names = columns(t::kProcessName), labels = columns(t::kProcessLabel);
      const Column<uint32_t> thread_names = columns(t::kThreadName), firsts = columns(t::kFirstSlice);
      const Column<uint32_t> slices = columns(t::kSliceCount), activities = columns(t::kActivityCount);
      const Column<uint16_t> lanes = columns(t::kLanes);
      for (size_t i = 0; columns.ok() && i < rows; ++i) {
        trace_->tracks.push_back({StringId(processes[i]), StringId(threads[i]), StringId(process_names[i]),
                                  StringId(labels[i]), StringId(thread_names[i]), SliceId(firsts[i]),
                                  slices[i], activities[i], lanes[i]});
      }
    });
  }

  void load_steps() {
    namespace s = tracefile::trace_steps;
    for_each_chunk(s::kT, [&](ChunkColumns& columns, size_t rows) {
      const Column<int64_t> numbers = columns(s::kNumber), starts = columns(s::kStartNs),
                            ends = columns(s::kEndNs);
      const Column<uint32_t> tracks = columns(s::kTrack), slices = columns(s::kSlice);
      for (size_t i = 0; columns.ok() && i < rows; ++i) {
        trace_->steps.push_back({numbers[i], starts[i], ends[i], TrackId(tracks[i]), SliceId(slices[i])});
      }
    });
  }

  void load_counts() {
    namespace c = tracefile::trace_event_counts;
    for_each_chunk(c::kT, [&](ChunkColumns& columns, size_t rows) {
      const Column<uint32_t> categories = columns(c::kCategory);
      const Column<uint8_t> phases = columns(c::kPhase);
      const Column<uint64_t> counts = columns(c::kCount);
      for (size_t i = 0; columns.ok() && i < rows; ++i) {
        trace_->event_counts.push_back({StringId(categories[i]), static_cast<char>(phases[i]), counts[i]});
      }
    });
    namespace l = tracefile::trace_losses;
    for_each_chunk(l::kT, [&](ChunkColumns& columns, size_t rows) {
      const Texts names = columns(l::kName), details = columns(l::kDetail);
      const Column<uint64_t> counts = columns(l::kCount), offsets = columns(l::kFirstOffset);
      for (size_t i = 0; columns.ok() && i < rows; ++i) {
        for (const LossKind& kind : kLosses) {
          if (kind.name != names[i]) continue;
          trace_->losses.add(kind.loss, offsets[i], counts[i]);
          trace_->losses.describe(kind.loss, std::string(details[i]));
        }
      }
    });
  }

  const unsigned threads_;
  std::map<TableId, std::vector<const Chunk*>> chunks_;
  std::unique_ptr<Trace> trace_ = std::make_unique<Trace>();
  std::vector<std::function<void()>> tasks_;
  std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace

bool has_tables(const tracefile::Reader& file) {
  return std::any_of(file.chunks().begin(), file.chunks().end(),
                     [](const Chunk& chunk) { return chunk.table() == TableId::kTraceInfo; });
}

Result<std::unique_ptr<Trace>> load_tables(const tracefile::Reader& file, unsigned threads) {
  return TraceLoader(file, threads).load();
}

}  // namespace skyline::ingest::native
