#include "session/profile/running_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/ingest.h"

namespace skyline::session {
namespace {

constexpr int64_t kChunkNs = 30'000'000;

}  // namespace

Attempt<Loaded> RunningProfile::load(std::string_view recording) {
  worker_.reset();
  SKYLINE_TRY(worker_, start_worker_());
  return worker_->load(options.entry_point, options.project_root,
                       fmt::format("{}/{}", options.folder, recording), interruption_);
}

Attempt<MemoryKept> RunningProfile::keep_memory() {
  keeps_memory_ = true;
  return worker_->keep_memory(interruption_);
}

Attempt<Done> RunningProfile::start_again() {
  SKYLINE_TRY(const Loaded loaded, load("again"));
  if (keeps_memory_) {
    SKYLINE_RETURN_IF_ERROR(keep_memory());
  }
  SKYLINE_TRY(const int64_t first_ns, iterate_once(result.batch_size));
  static_cast<void>(first_ns);
  SKYLINE_TRY(const Recorded recorded, worker_->stop_recording(interruption_));
  return Done{};
}

Attempt<Iterated> RunningProfile::iterate(int64_t batch_size, int64_t count, int64_t limit_ns) {
  SKYLINE_TRY(Iterated iterated, worker_->iterate(batch_size, count, limit_ns, interruption_));
  for (const int64_t duration : iterated.durations_ns) result.spent_ns += duration;
  for (const int64_t compiled : iterated.compile_ns) {
    result.spent_ns -= compiled;
    result.compile_ns += batch_size == result.batch_size ? compiled : 0;
  }
  return iterated;
}

Attempt<int64_t> RunningProfile::iterate_once(int64_t batch_size) {
  SKYLINE_TRY(const Iterated iterated, iterate(batch_size, 1));
  return iterated.durations_ns[0] - iterated.compile_ns[0];
}

Attempt<Done> RunningProfile::time_chunk(BatchMeasurement& of, int64_t expected_ns, int64_t left_ns) {
  const int64_t typical_ns = std::max<int64_t>(of.durations_ns.empty() ? expected_ns : of.time.median_ns, 1);
  const int64_t count = std::clamp<int64_t>(kChunkNs / typical_ns, 1, kMaxChunk);
  SKYLINE_TRY(const Iterated iterated, iterate(of.batch_size, count, std::max<int64_t>(left_ns, 1)));
  for (size_t i = 0; i < iterated.durations_ns.size(); ++i) {
    if (iterated.compile_ns[i] == 0) of.durations_ns.push_back(iterated.durations_ns[i]);
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
  return worker_->record(fmt::format("{}/{}", options.folder, name), what, interruption_);
}

Attempt<std::shared_ptr<const analyze::AnalyzedTrace>> RunningProfile::stop_and_read() {
  SKYLINE_TRY(const Recorded recorded, worker_->stop_recording(interruption_));
  Result<std::unique_ptr<const Trace>> trace = ingest::read_trace(recorded.path, {.threads = 1});
  if (!trace.ok()) return Trouble{Trouble::Kind::kOurs, trace.error().sentence};
  return std::make_shared<const analyze::AnalyzedTrace>(
      std::shared_ptr<const Trace>(std::move(trace).value()));
}

void RunningProfile::forget_recording() { static_cast<void>(worker_->stop_recording(interruption_)); }

// Without other batch sizes, what is told of ends at 0.4.
void RunningProfile::tell(std::string_view phase, double fraction) const {
  if (observer_.progress) observer_.progress({phase, options.models ? fraction : fraction / 0.4});
}

void RunningProfile::publish() const {
  if (observer_.result) observer_.result(result);
}

}  // namespace skyline::session
