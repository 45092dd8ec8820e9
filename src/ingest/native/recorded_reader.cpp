// Definitions first, wherever they stand in the file; then the events, chunk by chunk in file order,
// with every id and tick translated; the rest is TraceBuilder's.
#include "ingest/native/recorded_reader.h"

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "ingest/native/chunk_columns.h"
#include "ingest/native/complete_memory.h"
#include "ingest/native/definitions.h"
#include "ingest/native/event_columns.h"
#include "ingest/native/event_kinds.h"
#include "ingest/native/part_reader.h"
#include "ingest/native/recorded_args.h"
#include "ingest/native/recorded_text.h"
#include "trace/builder.h"
#include "trace/distinct_rows.h"

namespace skyline::ingest::native {
namespace {

using tracefile::Chunk;
using tracefile::kNoId;
using tracefile::TableId;

// As Kineto does: file time 0 is the last multiple of a quarter of a year, so that ranks of one run agree.
constexpr int64_t kBaseGridNs = int64_t{7'889'238} * 1'000'000'000;

// Like kineto_json: longer durations are damage.
constexpr int64_t kLongestNs = int64_t{1} << 53;

class RecordedReader {
 public:
  RecordedReader(const tracefile::Reader& file, std::shared_ptr<const Definitions> definitions,
                 unsigned threads, TraceBuilder& builder)
      : file_(file), defined_(*definitions), threads_(threads), draft_(builder.draft) {}

  void run() {
    choose_base();
    translate_strings_of_stacks();
    define_tracks();
    read_events_and_memory();
    describe();
    take_losses();
    judge_ending();
  }

 private:
  StringId intern(std::string_view text) { return texts_.intern(text); }

  // The trace's id of a string of the file; none if it is not defined.
  StringId string(uint32_t id) {
    if (id == kNoId) return StringId();
    if (const StringId* known = strings_.find(id)) return *known;
    const std::string_view* text = defined_.strings.find(id);
    const StringId interned = text == nullptr ? StringId() : intern(*text);
    strings_.set(id, interned);
    return interned;
  }

  void choose_base() {
    for (const Chunk& chunk : file_.chunks()) {
      if (chunk.table() != TableId::kClock) continue;
      const Result<Column<int64_t>> times = chunk.column(tracefile::clock::kUnixNs);
      if (!times.ok() || times.value().empty() || times.value()[0] < 0) continue;
      draft_.info.base_ns = times.value()[0] / kBaseGridNs * kBaseGridNs;
      return;
    }
  }

  void translate_strings_of_stacks() {
    for (const uint32_t id : defined_.frame_ids) {
      const Frame& frame = *defined_.frames.find(id);
      frames_.set(id, FrameId(static_cast<uint32_t>(draft_.frames.size())));
      draft_.frames.add({.file = string(frame.file), .function = string(frame.function), .line = frame.line});
    }
    for (const uint32_t id : defined_.module_ids) {
      const Module& module = *defined_.modules.find(id);
      modules_.set(id, ModuleId(static_cast<uint32_t>(draft_.modules.size())));
      draft_.modules.add({.name = string(module.name), .class_name = string(module.class_name)});
    }
    // A parent is written before its children; one that is not is damage, and so no cycle can arise.
    for (const uint32_t id : defined_.stack_ids) {
      const Stack& stack = *defined_.stacks.find(id);
      draft_.stacks.add({.parent = reference(stacks_, stack.parent),
                         .frame = reference(frames_, stack.frame),
                         .module = reference(modules_, stack.module)});
      stacks_.set(id, StackId(static_cast<uint32_t>(draft_.stacks.size() - 1)));
    }
  }

  // What an id stands for in the trace; ids that the file does not define are counted.
  template <typename T>
  T reference(const IdMap<T>& known, uint32_t id) {
    if (id == kNoId) return T();
    if (const T* found = known.find(id)) return *found;
    draft_.losses.add(Loss::kUnknownId, chunk_offset_);
    return T();
  }

  void define_tracks() {
    process_ = intern(defined_.meta_text(tracefile::meta::kProcessId));
    const std::string_view name = defined_.meta_text(tracefile::meta::kProcessName);
    process_name_ = name.empty() ? StringId() : intern(name);
    for (const uint32_t id : defined_.thread_ids) {
      const Thread& thread = *defined_.threads.find(id);
      const TrackId track = add_track(id, std::to_string(thread.os_tid));
      if (!thread.name.empty()) draft_.tracks[track.value].thread_name = intern(thread.name);
    }
  }

  TrackId add_track(uint32_t id, const std::string& thread) {
    const TrackId track(static_cast<uint32_t>(draft_.tracks.size()));
    Track& added = draft_.tracks.emplace_back();
    added.process = process_;
    added.process_name = process_name_;
    added.thread = intern(thread);
    tracks_.set(id, track);
    return track;
  }

  // Threads whose definition is missing (the recorder was killed) still keep their events apart.
  TrackId track(uint32_t id) {
    if (const TrackId* known = tracks_.find(id)) return *known;
    draft_.losses.add(Loss::kUnknownId, chunk_offset_);
    return add_track(id, "unknown " + std::to_string(id));
  }

  // Chunks are unpacked on all threads, a few at a time, and appended in file order.
  void read_events_and_memory() {
    std::vector<const Chunk*> chunks;
    for (const Chunk& chunk : file_.chunks()) {
      if (chunk.table() == TableId::kEvents) chunks.push_back(&chunk);
      if (chunk.table() == TableId::kMemory) add_memory(chunk);
      if (chunk.table() == TableId::kLiveBlocks) add_live_blocks(chunk);
      if (chunk.table() == TableId::kTensors) add_tensors(chunk);
    }
    complete_memory(std::move(alive_), draft_.memory);
    draft_.event_count += draft_.memory.size();
    const size_t wave = size_t{4} * threads_;
    for (size_t begin = 0; begin < chunks.size(); begin += wave) {
      std::vector<EventColumns> read(std::min(wave, chunks.size() - begin));
      parallel_for(read.size(), threads_, [&](size_t i) { read[i] = read_events(*chunks[begin + i]); });
      for (size_t i = 0; i < read.size(); ++i) {
        chunk_offset_ = chunks[begin + i]->offset();
        if (read[i].ok) {
          add_events(read[i]);
        } else {
          draft_.losses.add(Loss::kDamagedChunk, chunk_offset_);
        }
        first_row_ += chunks[begin + i]->rows();
      }
    }
  }

  void add_events(const EventColumns& events) {
    SliceTable& slices = draft_.slices;
    for (size_t i = 0; i < events.size(); ++i) {
      const EventKindTraits& kind = traits_of_kind(events.kind[i]);
      ++counts_[static_cast<size_t>(kind.category)];
      ++draft_.event_count;
      const int64_t start = time_ns(events.start_ticks[i]);
      const int64_t end = time_ns(end_tick(events.start_ticks[i], events.dur_ticks[i]));
      if (end - start >= kLongestNs) {
        draft_.losses.add(Loss::kBadTime, chunk_offset_);
        continue;
      }
      const SliceId slice(static_cast<uint32_t>(slices.size()));
      slices.add({.start_ns = start,
                  .dur_ns = end - start,
                  .name = name(events.name[i]),
                  .track = track(events.thread[i]),
                  .category = kind.category,
                  .source_place = first_row_ + i});
      slices.detail.back() = kind.category == Category::kPython ? draft_.pythons.add({.slice = slice})
                                                                : add_op(events, i, slice);
      if (events.collective[i] != kNoId) add_collective(events.collective[i], slice);
    }
  }

  StringId name(uint32_t id) {
    const StringId known = string(id);
    if (known.exists()) return known;
    draft_.losses.add(Loss::kUnknownId, chunk_offset_);
    return draft_.strings.intern("unknown");
  }

  uint32_t add_op(const EventColumns& events, size_t i, SliceId slice) {
    const StackId stack = draft_.stacks.size() == 0 ? StackId() : reference(stacks_, events.stack[i]);
    return draft_.ops.add({.slice = slice,
                           .external_id = first_row_ + i + 1,
                           .sequence = events.sequence[i],
                           .fwd_thread = events.fwd_thread[i],
                           .stack = stack,
                           .module = stack.exists() ? draft_.stacks.module[stack.value] : ModuleId(),
                           .signature = signature(events.shapes[i]),
                           .concrete_inputs = values(events.shapes[i])});
  }

  StringId values(uint32_t id) {
    const Shape* shape = id == kNoId ? nullptr : defined_.shapes.find(id);
    return shape == nullptr || shape->values.empty() ? StringId() : intern(shape->values);
  }

  SignatureId signature(uint32_t id) {
    if (id == kNoId) return {};
    if (const SignatureId* known = signatures_.find(id)) return *known;
    const Shape* shape = defined_.shapes.find(id);
    SignatureRow row;
    if (shape == nullptr) {
      draft_.losses.add(Loss::kUnknownId, chunk_offset_);
    } else {
      if (!shape->dims.empty()) row.dims = intern(shape->dims);
      if (!shape->types.empty()) row.types = intern(shape->types);
      if (!shape->strides.empty()) row.strides = intern(shape->strides);
    }
    const SignatureId found =
        row == SignatureRow() ? SignatureId() : SignatureId(distinct_signatures_.add(draft_.signatures, row));
    signatures_.set(id, found);
    return found;
  }

  void add_collective(uint32_t id, SliceId slice) {
    const Collective* collective = defined_.collectives.find(id);
    if (collective == nullptr) return draft_.losses.add(Loss::kUnknownId, chunk_offset_);
    draft_.collectives.add({.slice = slice,
                            .name = string(collective->name),
                            .dtype = string(collective->dtype),
                            .group_name = string(collective->group_name),
                            .group_ranks = string(collective->group_ranks),
                            .in_elements = collective->in_elements,
                            .out_elements = collective->out_elements,
                            .group_size = collective->group_size});
  }

  void add_memory(const Chunk& chunk) {
    namespace memory = tracefile::memory;
    chunk_offset_ = chunk.offset();
    ChunkColumns columns(chunk);
    const Column<uint32_t> threads = columns(memory::kThread);
    const Column<uint64_t> ticks = columns(memory::kTicks), addresses = columns(memory::kAddress);
    const Column<int64_t> sizes = columns(memory::kBytes), allocated = columns(memory::kTotalAllocated);
    const Column<int64_t> reserved = columns(memory::kTotalReserved);
    const Column<int32_t> device_types = columns(memory::kDeviceType),
                          device_ids = columns(memory::kDeviceId);
    if (!columns.ok()) return draft_.losses.add(Loss::kDamagedChunk, chunk.offset());
    static_assert(tracefile::kNotSaid == kUnknownBytes);
    for (size_t i = 0; i < chunk.rows(); ++i) {
      draft_.memory.add({.time_ns = time_ns(ticks[i]),
                         .track = track(threads[i]),
                         .address = addresses[i],
                         .bytes = sizes[i],
                         .total_allocated = allocated[i],
                         .total_reserved = reserved[i],
                         .device_type = device_types[i],
                         .device_id = device_ids[i]});
    }
  }

  void add_live_blocks(const Chunk& chunk) {
    ChunkColumns columns(chunk);
    const Column<uint64_t> addresses = columns(tracefile::live_blocks::kAddress);
    const Column<int64_t> sizes = columns(tracefile::live_blocks::kBytes);
    if (!columns.ok()) return draft_.losses.add(Loss::kDamagedChunk, chunk.offset());
    for (size_t i = 0; i < chunk.rows(); ++i) {
      if (addresses[i] != 0 && sizes[i] > 0) alive_[addresses[i]] = sizes[i];
    }
  }

  void add_tensors(const Chunk& chunk) {
    namespace t = tracefile::tensors;
    chunk_offset_ = chunk.offset();
    ChunkColumns columns(chunk);
    const Column<uint8_t> roles = columns(t::kRole);
    const Column<uint32_t> names = columns(t::kName), modules = columns(t::kModule), dims = columns(t::kDims);
    const Column<uint64_t> addresses = columns(t::kAddress), ticks = columns(t::kTicks);
    const Column<int64_t> sizes = columns(t::kBytes);
    if (!columns.ok()) return draft_.losses.add(Loss::kDamagedChunk, chunk.offset());
    TensorTable& tensors = draft_.tensors;
    for (size_t i = 0; i < chunk.rows(); ++i) {
      if (roles[i] >= kTensorRoles) {  // of a later program, or damage
        draft_.losses.add(Loss::kUnknownId, chunk_offset_);
        continue;
      }
      tensors.add({.role = static_cast<TensorRole>(roles[i]),
                   .name = name(names[i]),
                   .module = string(modules[i]),
                   .dims = string(dims[i]),
                   .address = addresses[i],
                   .bytes = sizes[i],
                   .time_ns = time_ns(ticks[i])});
    }
  }

  int64_t time_ns(uint64_t ticks) { return defined_.clock.unix_ns(ticks, clock_hint_) - draft_.info.base_ns; }

  void describe() {
    namespace meta = tracefile::meta;
    for (const EventKindTraits& kind : kEventKinds) {
      uint64_t& count = counts_[static_cast<size_t>(kind.category)];
      if (count > 0) draft_.event_counts.push_back({draft_.strings.intern(kind.word), 'X', count});
      count = 0;
    }
    if (const size_t rows = draft_.memory.size(); rows > 0) {
      draft_.event_counts.push_back({draft_.strings.intern("cpu_instant_event"), 'i', rows});
    }
    TraceInfo& info = draft_.info;
    info.producer = file_.creator();
    if (const std::string_view torch = defined_.meta_text(meta::kTorchVersion); !torch.empty()) {
      info.producer.append(", PyTorch ").append(torch);
    }
    info.trace_name = defined_.meta_text(meta::kTraceName);
    info.host_name = defined_.meta_text(meta::kHostName);
    info.backend = defined_.meta_text(meta::kBackend);
    info.rank = defined_.meta_number(meta::kRank, -1);
    info.world_size = defined_.meta_number(meta::kWorldSize, -1);
    info.record_shapes = switch_of(meta::kRecordShapes);
    info.profile_memory = switch_of(meta::kRecordMemory);
    info.with_stack = switch_of(meta::kRecordStacks);
    info.with_modules = switch_of(meta::kRecordModules);
    for (const auto& [key, value] : defined_.meta) info.metadata.emplace_back(key, value);
    draft_.sources = defined_.sources;
  }

  int switch_of(std::string_view key) const {
    const int64_t value = defined_.meta_number(key, -1);
    return value < 0 ? -1 : value != 0;
  }

  void judge_ending() {
    const tracefile::Ending& ending = file_.ending();
    switch (ending.kind) {
      case tracefile::Ending::Kind::kComplete:
        return draft_.losses.add(Loss::kTrailingBytes, ending.offset, ending.rest_bytes);
      case tracefile::Ending::Kind::kTruncated:
        return draft_.losses.add(Loss::kTruncated, ending.offset);
      case tracefile::Ending::Kind::kDamaged:
        return draft_.losses.add(Loss::kCorruptStream, ending.offset);
    }
  }

  // Kinds that we know are counted as such, others together; their sentences go to the metadata.
  void take_losses() {
    for (const auto& [name, loss] : defined_.losses) {
      const LossKind* const known = find_loss(name);
      const bool is_known = known != nullptr;
      draft_.losses.add(is_known ? known->loss : Loss::kRecorderOther, 0, loss.first);
      if (!is_known && loss.first > 0) draft_.info.metadata.emplace_back("loss." + name, loss.second);
    }
  }

  const tracefile::Reader& file_;
  const Definitions& defined_;
  const unsigned threads_;
  Trace& draft_;
  uint64_t chunk_offset_ = 0;  // of what is being read, for losses
  uint64_t first_row_ = 0;     // of the current chunk among all events
  size_t clock_hint_ = 0;
  RecordedText texts_{draft_};
  BlockSizes alive_;  // when the recording began
  StringId process_, process_name_;
  IdMap<StringId> strings_;
  IdMap<SignatureId> signatures_;
  DistinctRows<SignatureTable> distinct_signatures_;
  IdMap<FrameId> frames_;
  IdMap<ModuleId> modules_;
  IdMap<StackId> stacks_;
  IdMap<TrackId> tracks_;
  std::array<uint64_t, kCategories.size()> counts_ = {};
};

}  // namespace

void read_recorded(std::shared_ptr<const tracefile::Reader> file, const std::string& path, unsigned threads,
                   TraceBuilder& builder) {
  Trace& draft = builder.draft;
  const std::shared_ptr<const Definitions> definitions = read_definitions(*file, draft.losses);
  RecordedReader(*file, definitions, threads, builder).run();
  read_parts(*file, path, definitions->meta_text(tracefile::meta::kRecordingId), draft);
  draft.info.path = path;
  draft.info.format = "skyline";
  draft.info.compression = "skyline";
  draft.info.source_bytes = file->file_bytes();
  draft.args = recorded_args(std::move(file), definitions, draft.info.base_ns);
}

}  // namespace skyline::ingest::native
