#include "session/profile/running_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "ingest/ingest.h"
#include "session/project/source_edit.h"

namespace skyline::session {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kChunkNs = 30'000'000;
// A script's DataLoader works on while it stands still: pauses must be few.
constexpr int64_t kScriptChunkNs = 300'000'000;
constexpr size_t kMostStanding = 6;
constexpr int64_t kStandingShare = 2;  // of the memory that may be used: half, for all that stand still

Trouble ends_too_early(const std::string& script) {
  return {Trouble::Kind::kUserCode,
          "the script ends after so few steps that none is left to time; give it more data, or more epochs",
          script, 1};
}

// The mean of each `period` numbers in a row.
std::vector<int64_t> means(const std::vector<int64_t>& numbers, size_t period) {
  std::vector<int64_t> found;
  for (size_t from = 0; from + period <= numbers.size(); from += period) {
    int64_t sum = 0;
    for (size_t i = from; i < from + period; ++i) sum += numbers[i];
    found.push_back(sum / static_cast<int64_t>(period));
  }
  return found;
}

// Workers of a DataLoader take turns: one iteration may wait for what the next ones find ready. So it is
// their mean that says how long one takes.
void join_turns(Iterated& iterated, int64_t workers) {
  const auto period = static_cast<size_t>(std::max<int64_t>(workers, 1));
  if (period < 2 || iterated.durations_ns.size() < period) return;
  for (auto* const all : {&iterated.durations_ns, &iterated.compile_ns, &iterated.data_ns}) {
    *all = means(*all, period);
  }
}

}  // namespace

Load RunningProfile::what_to_load(std::string_view recording, int64_t batch_size) const {
  Load what;
  what.entry_point = options.entry_point;
  what.project_root = options.project_root;
  what.recording = fmt::format("{}/{}", options.folder, recording);
  what.arguments = options.arguments;
  what.module = options.module;
  const Loaded& own = result.loaded;
  if (batch_size == 0 || batch_size == own.batch_size) return what;
  if (own.other_sizes == "edit" && own.literal) {
    const Edit edit = make_edit(*own.literal, batch_size);
    what.edit_path = own.literal->path;
    what.edit_begin = own.literal->begin_byte;
    what.edit_end = own.literal->end_byte;
    what.edit_text = edit.new_text;
  } else if (own.other_sizes == "argument" && own.argument < static_cast<int64_t>(what.arguments.size())) {
    what.arguments[static_cast<size_t>(own.argument)] = fmt::format("{}{}", own.argument_prefix, batch_size);
  } else if (own.other_sizes == "loaders") {
    what.loaders_from = own.batch_size;
    what.loaders_to = batch_size;
  }
  return what;
}

Attempt<Loaded> RunningProfile::load_into(std::string_view recording, int64_t batch_size) {
  worker_.reset();
  SKYLINE_TRY(worker_, start_worker_());
  is_recording_ = true;
  is_over_ = false;
  resident_bytes_ = 0;
  return worker_->load(what_to_load(recording, batch_size), interruption_);
}

Attempt<Loaded> RunningProfile::load(std::string_view recording) { return load_into(recording, 0); }

bool RunningProfile::has_process(int64_t batch_size) const {
  if (!is_script()) return true;
  if (batch_size == selected_) return worker_ != nullptr && !is_over_;
  const auto found = standing_.find(batch_size);
  return found != standing_.end() && !found->second.is_over;
}

void RunningProfile::put_aside() {
  if (worker_ != nullptr) standing_[selected_] = {std::move(worker_), is_over_, resident_bytes_};
}

// Before another process is started. What stands on a device takes memory that the next one should have.
void RunningProfile::make_room() {
  int64_t bytes = 0;
  for (const auto& [size, one] : standing_) bytes += one.resident_bytes;
  const bool is_on_device = result.loaded.device != "cpu";
  while (!standing_.empty() && (is_on_device || standing_.size() >= kMostStanding ||
                                bytes > result.capacity.bytes / kStandingShare)) {
    auto largest = std::max_element(standing_.begin(), standing_.end(), [&](const auto& a, const auto& b) {
      const auto rank = [&](const auto& of) {
        return std::pair(of.first != result.batch_size || is_on_device, of.second.resident_bytes);
      };
      return rank(a) < rank(b);
    });
    bytes -= largest->second.resident_bytes;
    standing_.erase(largest);
  }
}

Attempt<Done> RunningProfile::select(int64_t batch_size) {
  if (!is_script()) return Done{};
  if (selected_ == 0) selected_ = result.batch_size;
  if (batch_size == selected_ && worker_ != nullptr) return Done{};
  put_aside();
  selected_ = batch_size;
  if (const auto found = standing_.find(batch_size); found != standing_.end()) {
    worker_ = std::move(found->second.worker);
    is_over_ = found->second.is_over;
    resident_bytes_ = found->second.resident_bytes;
    standing_.erase(found);
    return Done{};
  }
  make_room();
  return start_with(batch_size);
}

Attempt<Done> RunningProfile::load_with(int64_t batch_size, std::string_view recording) {
  selected_ = batch_size;
  return start_recorded(batch_size, recording);
}

// What starts take is no iteration's, but limits how many sizes are run.
Attempt<Done> RunningProfile::start_with(int64_t batch_size) {
  const Clock::time_point begin = Clock::now();
  const Attempt<Done> started = start_recorded(batch_size, "again");
  in_starts_ns_ += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  if (!started.ok()) return started.error();
  SKYLINE_TRY(const Recorded recorded, worker_->stop_recording(interruption_));
  is_recording_ = false;
  if (keeps_memory_) {
    const Attempt<MemoryKept> kept = worker_->keep_memory(interruption_);
    if (!kept.ok()) return kept.error();
  }
  return Done{};
}

Attempt<Done> RunningProfile::start_recorded(int64_t batch_size, std::string_view recording) {
  const auto loaded = load_into(recording, batch_size);
  if (!loaded.ok()) return loaded.error();
  const Loaded& own = result.loaded;
  if (loaded.value().batch_size != batch_size) {
    const int64_t has = loaded.value().batch_size;
    const std::string why = fmt::format("with batch size {} its batches have {} samples", batch_size, has);
    if (has == own.batch_size && own.other_sizes != "loaders") {
      // What was taken for the number is not what decides.
      if (own.literal) {
        result.loaded.no_literal =
            fmt::format("{}:{} says {}, but another number there changes nothing",
                        std::filesystem::path(own.literal->path).filename().string(), own.literal->line, has);
      }
      result.loaded.literal.reset();
      result.loaded.other_sizes = own.script_workers >= 0 ? "loaders" : "";
      worker_.reset();
      return start_recorded(batch_size, recording);
    }
    if (has == own.batch_size) {
      result.loaded.other_sizes.clear();
      if (own.no_literal.empty()) result.loaded.no_literal = why;
    }
    worker_.reset();
    return Trouble{Trouble::Kind::kUserCode, why, options.entry_point, 1};
  }
  return Done{};
}

Attempt<MemoryKept> RunningProfile::keep_memory() {
  keeps_memory_ = true;
  SKYLINE_RETURN_IF_ERROR(select(result.batch_size));
  return worker_->keep_memory(interruption_);
}

Attempt<Done> RunningProfile::start_again() {
  if (is_script()) {
    const bool was_own = selected_ == result.batch_size;
    worker_.reset();
    return was_own ? select(result.batch_size) : Done{};
  }
  SKYLINE_TRY(const Loaded loaded, load("again"));
  if (keeps_memory_) {
    SKYLINE_RETURN_IF_ERROR(keep_memory());
  }
  SKYLINE_TRY(const int64_t first_ns, iterate_once(result.batch_size));
  static_cast<void>(first_ns);
  SKYLINE_TRY(const Recorded recorded, worker_->stop_recording(interruption_));
  is_recording_ = false;
  return Done{};
}

// Of a script: the last batch of an epoch is smaller than others.
void RunningProfile::keep_usual(Iterated& iterated) const {
  const auto& samples = iterated.samples;
  const int64_t usual = result.loaded.samples / std::max<int64_t>(result.loaded.batch_size, 1) *
                        (selected_ == 0 ? result.loaded.batch_size : selected_);
  if (std::find(samples.begin(), samples.end(), usual) == samples.end()) return;
  size_t kept = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (samples[i] != usual) continue;
    iterated.durations_ns[kept] = iterated.durations_ns[i];
    iterated.compile_ns[kept] = iterated.compile_ns[i];
    iterated.data_ns[kept++] = iterated.data_ns[i];
  }
  for (auto* const all : {&iterated.durations_ns, &iterated.compile_ns, &iterated.data_ns}) all->resize(kept);
}

Attempt<Iterated> RunningProfile::take_turn(int64_t batch_size, int64_t count, int64_t limit_ns) {
  SKYLINE_RETURN_IF_ERROR(select(batch_size));
  if (is_script() && is_over_ && !is_recording_) SKYLINE_RETURN_IF_ERROR(start_with(batch_size));
  SKYLINE_TRY(Iterated iterated, worker_->iterate(batch_size, count, limit_ns, interruption_));
  is_over_ = iterated.is_over;
  resident_bytes_ = std::max(resident_bytes_, iterated.resident_peak_bytes);
  if (is_script()) keep_usual(iterated);
  return iterated;
}

Attempt<Iterated> RunningProfile::iterate(int64_t batch_size, int64_t count, int64_t limit_ns) {
  SKYLINE_TRY(Iterated iterated, take_turn(batch_size, count, limit_ns));
  if (iterated.durations_ns.empty() && !is_recording_) {
    SKYLINE_TRY(iterated, take_turn(batch_size, count, limit_ns));
    if (iterated.durations_ns.empty()) return ends_too_early(options.entry_point);
  }
  for (const int64_t duration : iterated.durations_ns) result.spent_ns += duration;
  for (const int64_t compiled : iterated.compile_ns) {
    result.spent_ns -= compiled;
    result.compile_ns += batch_size == result.batch_size ? compiled : 0;
  }
  if (is_script()) join_turns(iterated, result.loaded.script_workers);
  return iterated;
}

Attempt<int64_t> RunningProfile::iterate_once(int64_t batch_size) {
  SKYLINE_TRY(const Iterated iterated, iterate(batch_size, 1));
  if (iterated.durations_ns.empty()) return ends_too_early(options.entry_point);
  return iterated.durations_ns[0] - iterated.compile_ns[0];
}

Attempt<Done> RunningProfile::time_chunk(BatchMeasurement& of, int64_t expected_ns, int64_t left_ns) {
  const int64_t typical_ns = std::max<int64_t>(of.durations_ns.empty() ? expected_ns : of.time.median_ns, 1);
  const int64_t chunk_ns = is_script() ? kScriptChunkNs : kChunkNs;
  const int64_t least = 2 * std::max<int64_t>(result.loaded.script_workers, 0);
  int64_t count = std::clamp<int64_t>(chunk_ns / typical_ns, std::max<int64_t>(least, 1), kMaxChunk + least);
  if (is_script() && options.most_steps) count = std::min(count, std::max<int64_t>(*options.most_steps, 1));
  SKYLINE_TRY(const Iterated iterated, iterate(of.batch_size, count, std::max<int64_t>(left_ns, 1)));
  for (size_t i = 0; i < iterated.durations_ns.size(); ++i) {
    if (iterated.compile_ns[i] != 0) continue;
    of.durations_ns.push_back(iterated.durations_ns[i]);
    if (!iterated.data_ns.empty()) of.data_ns += iterated.data_ns[i];
  }
  if (of.durations_ns.empty()) of.durations_ns.push_back(iterated.durations_ns[0] - iterated.compile_ns[0]);
  of.time = summarize(of.durations_ns);
  of.resident_bytes = std::max(of.resident_bytes, iterated.resident_peak_bytes);
  if (iterated.compile_ns == std::vector<int64_t>(iterated.durations_ns.size(), 0)) {
    of.page_faults += iterated.page_faults;
  }
  return Done{};
}

Attempt<Recording> RunningProfile::record(std::string_view name, RecordedKind what) {
  if (is_script() && is_over_) SKYLINE_RETURN_IF_ERROR(start_with(selected_));
  SKYLINE_TRY(Recording recording,
              worker_->record(fmt::format("{}/{}", options.folder, name), what, interruption_));
  is_recording_ = true;
  return recording;
}

Attempt<std::shared_ptr<const analyze::AnalyzedTrace>> RunningProfile::stop_and_read() {
  SKYLINE_TRY(const Recorded recorded, worker_->stop_recording(interruption_));
  is_recording_ = false;
  Result<std::unique_ptr<const Trace>> trace = ingest::read_trace(recorded.path, {.threads = 1});
  if (!trace.ok()) return Trouble{Trouble::Kind::kOurs, trace.error().sentence};
  return std::make_shared<const analyze::AnalyzedTrace>(
      std::shared_ptr<const Trace>(std::move(trace).value()));
}

void RunningProfile::forget_recording() {
  static_cast<void>(worker_->stop_recording(interruption_));
  is_recording_ = false;
}

// Without other batch sizes, what is told of ends at 0.4.
void RunningProfile::tell(std::string_view phase, double fraction) const {
  if (observer_.progress) observer_.progress({phase, options.models ? fraction : fraction / 0.4});
}

void RunningProfile::publish() const {
  if (observer_.result) observer_.result(result);
}

}  // namespace skyline::session
