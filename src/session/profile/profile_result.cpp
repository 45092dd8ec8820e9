#include "session/profile/profile_result.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "base/sha256.h"
#include "session/profile/machine_pace.h"
#include "session/profile/page_faults.h"

namespace skyline::session {
namespace {

constexpr size_t kEnoughVisits = 3;

double ratio_of(int64_t a, int64_t b) {
  return static_cast<double>(a) / static_cast<double>(std::max<int64_t>(b, 1));
}

int64_t scaled(int64_t time_ns, double by) { return std::llround(static_cast<double>(time_ns) * by); }

std::vector<int64_t> scaled(std::vector<int64_t> times_ns, double by) {
  for (int64_t& time_ns : times_ns) time_ns = scaled(time_ns, by);
  return times_ns;
}

}  // namespace

int64_t ProfileResult::samples_per_iteration() const {
  return measured ? batch_size * measured->batches : batch_size;
}

double ProfileResult::data_share() const {
  if (!measured) return 0;
  int64_t all_ns = 0;
  for (const int64_t duration_ns : measured->durations_ns) all_ns += duration_ns;
  return all_ns > 0 ? std::min(1.0, static_cast<double>(measured->data_ns) / static_cast<double>(all_ns)) : 0;
}

double ProfileResult::samples_per_second() const {
  if (!measured || measured->time.median_ns == 0) return 0;
  return static_cast<double>(samples_per_iteration()) * 1e9 / static_cast<double>(measured->time.median_ns);
}

double ProfileResult::tokens_per_second() const {
  if (!measured || measured->time.median_ns == 0) return 0;
  return static_cast<double>(tokens * measured->batches) * 1e9 /
         static_cast<double>(measured->time.median_ns);
}

void level_visits(std::vector<BatchMeasurement>& samples, std::vector<BatchMeasurement>& held_out) {
  const auto in_turns = [](const BatchMeasurement& of) {
    const size_t before = of.is_kept_later ? 2 : 1;
    return std::span(of.visits_ns).subspan(std::min(of.visits_ns.size(), before));
  };
  std::vector<std::vector<int64_t>> visits;
  for (const BatchMeasurement& sample : samples) {
    const std::span<const int64_t> turns = in_turns(sample);
    visits.emplace_back(turns.begin(), turns.end());
  }
  const std::vector<double> paces = pace_of_rounds(visits);
  const std::optional<PageFaults> faults = page_faults_of(samples.front());
  const double level = faults ? faults->ratio() : 1;
  for (std::vector<BatchMeasurement>* const all : {&samples, &held_out}) {
    for (BatchMeasurement& one : *all) {
      const std::vector<int64_t> turns = at_usual_pace(in_turns(one), paces);
      one.steady_ns = scaled(turns.size() >= kEnoughVisits ? turns : one.visits_ns, level);
      one.level = level;
    }
  }
  if (!faults) return;
  // The first times of this one are at that level already.
  BatchMeasurement& own = samples.front();
  own.level = ratio_of(faults->as_run_ns, own.time.median_ns);
  if (own.steady_ns.size() == own.visits_ns.size()) own.steady_ns.front() = own.visits_ns.front();
}

const std::vector<int64_t>& steady_visits(const BatchMeasurement& measured) {
  return measured.steady_ns.empty() ? measured.visits_ns : measured.steady_ns;
}

BatchSample time_sample(const BatchMeasurement& measured) {
  constexpr double kUnknown = 0.05;  // of a single iteration
  const std::vector<int64_t>& visits = steady_visits(measured);
  if (visits.size() >= kEnoughVisits) {
    return {measured.batch_size, summarize(visits).median_ns / measured.batches, noise_of_median(visits)};
  }
  const double noise = measured.time.uncertainty();
  return {measured.batch_size, scaled(measured.time.median_ns, measured.level) / measured.batches,
          noise <= 1 ? noise : kUnknown};
}

int64_t tokens_in(const std::vector<InputTensor>& inputs) {
  if (inputs.empty()) return 0;
  const InputTensor& first = inputs.front();
  if ((first.dtype != "int64" && first.dtype != "int32") || first.shape.size() < 2) return 0;
  int64_t tokens = 1;
  for (const int64_t size : first.shape) tokens *= size;
  return tokens;
}

std::string hash_of_sources(const std::vector<SourceFileHash>& files) {
  std::string all;
  for (const SourceFileHash& file : files) all += file.path + '\0' + file.sha256 + '\n';
  return sha256(all);
}

int64_t peak_of_last_step(const Trace& trace) {
  if (trace.steps.empty()) return 0;
  const Step& step = trace.steps.back();
  std::map<std::pair<int32_t, int32_t>, int64_t> peaks;  // by device
  for (size_t row = 0; row < trace.memory.size(); ++row) {
    const int64_t time = trace.memory.time_ns[row], total = trace.memory.total_allocated[row];
    if (time < step.start_ns || time > step.end_ns || total == kUnknownBytes) continue;
    int64_t& peak = peaks[{trace.memory.device_type[row], trace.memory.device_id[row]}];
    peak = std::max(peak, total);
  }
  int64_t most = 0;
  for (const auto& [device, peak] : peaks) most = std::max(most, peak);
  return most;
}

}  // namespace skyline::session
