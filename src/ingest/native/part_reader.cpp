#include "ingest/native/part_reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "base/folder_names.h"
#include "ingest/native/chunk_columns.h"
#include "ingest/native/definitions.h"
#include "ingest/native/event_kinds.h"
#include "ingest/native/recorded_text.h"

namespace skyline::ingest::native {
namespace {

namespace fs = std::filesystem;
using tracefile::Chunk;
using tracefile::kNoId;
using tracefile::TableId;

constexpr std::string_view kEnding = ".part";
constexpr uint64_t kMostBytes = uint64_t{256} << 20;
constexpr size_t kMostParts = 4096;

class PartReader {
 public:
  PartReader(const tracefile::Reader& file, const Definitions& definitions, Trace& draft)
      : file_(file), defined_(definitions), draft_(draft) {}

  void run() {
    add_process();
    find_tracks();
    translate_stacks();
    for (const Chunk& chunk : file_.chunks()) {
      if (chunk.table() == TableId::kSamples) add_samples(chunk);
      if (chunk.table() == TableId::kGcPauses) add_pauses(chunk);
      if (chunk.table() == TableId::kEvents) add_ranges(chunk);
      if (chunk.table() == TableId::kCounters) add_counters(chunk);
      if (chunk.table() == TableId::kSettings) add_settings(chunk);
    }
    take_losses();
  }

 private:
  StringId intern(std::string_view text) { return texts_.intern(text); }
  StringId string(uint32_t id) {
    const std::string_view* const text = id == kNoId ? nullptr : defined_.strings.find(id);
    return text == nullptr ? StringId() : intern(*text);
  }
  std::string_view meta(std::string_view key) const { return defined_.meta_text(key); }

  void add_process() {
    const std::string_view name = meta(tracefile::meta::kProcessName),
                           role = meta(tracefile::meta::kProcessRole);
    process_ = ProcessId(static_cast<uint32_t>(draft_.processes.size()));
    draft_.processes.add({.pid = defined_.meta_number(tracefile::meta::kProcessId, -1),
                          .name = name.empty() ? StringId() : intern(name),
                          .rank = draft_.info.rank,
                          .parent_pid = defined_.meta_number(tracefile::meta::kProcessParent, -1),
                          .role = role.empty() ? StringId() : intern(role)});
    const std::string prefix = std::string(meta(tracefile::meta::kProcessId)) + ".";
    for (const auto& [key, value] : defined_.meta) {
      if (key.starts_with("samples.")) draft_.info.metadata.emplace_back("process." + prefix + key, value);
    }
  }

  // A thread of the recorded process has its track already.
  void find_tracks() {
    const StringId process = intern(meta(tracefile::meta::kProcessId));
    const std::string_view name = meta(tracefile::meta::kProcessName);
    for (const uint32_t id : defined_.thread_ids) {
      const Thread& thread = *defined_.threads.find(id);
      const StringId number = intern(std::to_string(thread.os_tid));
      const auto known = std::find_if(draft_.tracks.begin(), draft_.tracks.end(), [&](const Track& track) {
        return track.process == process && track.thread == number;
      });
      tracks_.set(id, TrackId(static_cast<uint32_t>(known - draft_.tracks.begin())));
      if (known != draft_.tracks.end()) continue;
      Track& added = draft_.tracks.emplace_back();
      added.process = process;
      added.thread = number;
      if (!name.empty()) added.process_name = intern(name);
      if (!thread.name.empty()) added.thread_name = intern(thread.name);
    }
  }

  void translate_stacks() {
    for (const uint32_t id : defined_.frame_ids) {
      const Frame& frame = *defined_.frames.find(id);
      frames_.set(id, FrameId(static_cast<uint32_t>(draft_.frames.size())));
      draft_.frames.add({.file = string(frame.file), .function = string(frame.function), .line = frame.line});
    }
    // A parent is written before its children; one that is not is damage, and so no cycle can arise.
    for (const uint32_t id : defined_.stack_ids) {
      const Stack& stack = *defined_.stacks.find(id);
      draft_.stacks.add({.parent = reference(stacks_, stack.parent),
                         .frame = reference(frames_, stack.frame),
                         .module = {}});
      stacks_.set(id, StackId(static_cast<uint32_t>(draft_.stacks.size() - 1)));
    }
  }

  template <typename T>
  T reference(const IdMap<T>& known, uint32_t id) {
    if (id == kNoId) return T();
    if (const T* found = known.find(id)) return *found;
    draft_.losses.add(Loss::kUnknownId, 0);
    return T();
  }

  // Rows of threads that the part does not define (it was cut) are left out, and counted.
  const TrackId* track(uint32_t id) {
    const TrackId* const found = tracks_.find(id);
    if (found == nullptr) draft_.losses.add(Loss::kUnknownId, 0);
    return found;
  }

  int64_t time_ns(uint64_t ticks) { return defined_.clock.unix_ns(ticks, clock_hint_) - draft_.info.base_ns; }
  int64_t duration_ns(uint64_t start, uint64_t dur) {
    const uint64_t end = start + dur < start ? start : start + dur;
    return std::max<int64_t>(0, time_ns(end) - time_ns(start));
  }
  void damaged() { draft_.losses.add(Loss::kDamagedChunk, 0); }

  void add_samples(const Chunk& chunk) {
    namespace t = tracefile::samples;
    ChunkColumns columns(chunk);
    const Column<uint32_t> threads = columns(t::kThread), stacks = columns(t::kStack);
    const Column<uint64_t> ticks = columns(t::kTicks);
    if (!columns.ok()) return damaged();
    for (size_t i = 0; i < chunk.rows(); ++i) {
      if (const TrackId* const at = track(threads[i]))
        draft_.samples.add(
            {.time_ns = time_ns(ticks[i]), .track = *at, .stack = reference(stacks_, stacks[i])});
    }
  }

  void add_pauses(const Chunk& chunk) {
    namespace t = tracefile::gc_pauses;
    ChunkColumns columns(chunk);
    const Column<uint32_t> threads = columns(t::kThread);
    const Column<uint64_t> starts = columns(t::kStartTicks), durations = columns(t::kDurTicks);
    const Column<int32_t> generations = columns(t::kGeneration);
    const Column<int64_t> collected = columns(t::kCollected);
    if (!columns.ok()) return damaged();
    for (size_t i = 0; i < chunk.rows(); ++i) {
      if (const TrackId* const at = track(threads[i]))
        draft_.gc_pauses.add({.start_ns = time_ns(starts[i]),
                              .dur_ns = duration_ns(starts[i], durations[i]),
                              .track = *at,
                              .generation = generations[i],
                              .collected = collected[i]});
    }
  }

  void add_ranges(const Chunk& chunk) {
    namespace t = tracefile::events;
    ChunkColumns columns(chunk);
    const Column<uint32_t> threads = columns(t::kThread), names = columns(t::kName);
    const Column<uint64_t> starts = columns(t::kStartTicks), durations = columns(t::kDurTicks);
    if (!columns.ok()) return damaged();
    for (size_t i = 0; i < chunk.rows(); ++i) {
      const TrackId* const at = track(threads[i]);
      const StringId name = string(names[i]);
      if (at == nullptr || !name.exists()) continue;
      const SliceId slice(static_cast<uint32_t>(draft_.slices.size()));
      draft_.slices.add({.start_ns = time_ns(starts[i]),
                         .dur_ns = duration_ns(starts[i], durations[i]),
                         .name = name,
                         .track = *at,
                         .category = Category::kUserAnnotation,
                         .source_place = kNoPlace});
      draft_.slices.detail.back() = draft_.ops.add({.slice = slice});
      ++draft_.event_count;
    }
  }

  void add_counters(const Chunk& chunk) {
    namespace t = tracefile::counters;
    ChunkColumns columns(chunk);
    const Column<uint64_t> ticks = columns(t::kTicks);
    const Column<uint32_t> names = columns(t::kName);
    const Column<double> values = columns(t::kValue);
    if (!columns.ok()) return damaged();
    for (size_t i = 0; i < chunk.rows(); ++i)
      draft_.process_counters.add(
          {.time_ns = time_ns(ticks[i]), .process = process_, .name = string(names[i]), .value = values[i]});
  }

  void add_settings(const Chunk& chunk) {
    ChunkColumns columns(chunk);
    const tracefile::Texts keys = columns(tracefile::settings::kKey),
                           values = columns(tracefile::settings::kValue);
    if (!columns.ok()) return damaged();
    for (size_t i = 0; i < chunk.rows(); ++i) settings_[std::string(keys[i])] = values[i];
    // The later one wins, also over an earlier chunk.
    SettingTable all;
    for (const auto& [key, value] : settings_) all.add({.key = intern(key), .value = intern(value)});
    draft_.settings = std::move(all);
  }

  void take_losses() {
    for (const auto& [name, loss] : defined_.losses) {
      const LossKind* const known = find_loss(name);
      draft_.losses.add(known != nullptr ? known->loss : Loss::kRecorderOther, 0, loss.first);
      if (loss.first > 0) draft_.info.metadata.emplace_back("loss." + name, loss.second);
    }
  }

  // Where no event of the recording stands: what came from a part has no arguments.
  static constexpr uint64_t kNoPlace = UINT64_MAX;

  const tracefile::Reader& file_;
  const Definitions& defined_;
  Trace& draft_;
  ProcessId process_;
  size_t clock_hint_ = 0;
  RecordedText texts_{draft_};
  std::map<std::string, std::string> settings_;
  IdMap<FrameId> frames_;
  IdMap<StackId> stacks_;
  IdMap<TrackId> tracks_;
};

using Parts = std::map<std::string, std::string>;  // bytes by name: the trainer's comes before workers'

void take_embedded(const tracefile::Reader& file, Parts& parts, LossCounts& losses) {
  for (const Chunk& chunk : file.chunks()) {
    if (chunk.table() != TableId::kParts) continue;
    ChunkColumns columns(chunk);
    const tracefile::Texts names = columns(tracefile::parts::kName),
                           bytes = columns(tracefile::parts::kBytes);
    if (!columns.ok()) {
      losses.add(Loss::kDamagedChunk, chunk.offset());
      continue;
    }
    for (size_t i = 0; i < chunk.rows(); ++i) parts.try_emplace(std::string(names[i]), bytes[i]);
  }
}

void take_beside(const std::string& path, Parts& parts, LossCounts& losses) {
  const std::string folder = path + ".parts";
  std::error_code ignored;
  if (!fs::is_directory(fs::symlink_status(folder, ignored))) return;
  for (const std::string& name : names_if_any(folder)) {
    const fs::path part = fs::path(folder) / name;
    if (!name.ends_with(kEnding) || parts.contains(name) ||
        !fs::is_regular_file(fs::symlink_status(part, ignored)))
      continue;
    if (fs::file_size(part, ignored) > kMostBytes || parts.size() >= kMostParts) {
      losses.add(Loss::kRecorderOther, 0);
      continue;
    }
    std::ifstream file(part, std::ios::binary);
    parts.emplace(name, std::string(std::istreambuf_iterator<char>(file), {}));
  }
}

}  // namespace

void read_parts(const tracefile::Reader& file, const std::string& path, std::string_view recording,
                Trace& draft) {
  Parts parts;
  take_embedded(file, parts, draft.losses);
  if (!path.empty()) take_beside(path, parts, draft.losses);
  // The trainer's first: its threads are the ones that the trace has.
  std::vector<std::string> names;
  for (const auto& [name, bytes] : parts) names.push_back(name);
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name.starts_with("trainer"); });
  for (const std::string& name : names) {
    const Result<tracefile::Reader> part = tracefile::Reader::over(std::move(parts[name]), name);
    if (!part.ok()) {
      draft.losses.add(Loss::kDamagedChunk, 0);
      continue;
    }
    const std::shared_ptr<const Definitions> definitions = read_definitions(part.value(), draft.losses);
    if (definitions->meta_text(tracefile::meta::kRecordingId) != recording) continue;  // of another recording
    PartReader(part.value(), *definitions, draft).run();
  }
}

}  // namespace skyline::ingest::native
