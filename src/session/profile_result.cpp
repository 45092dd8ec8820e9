#include "session/profile_result.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/sha256.h"
#include "session/machine_pace.h"

namespace skyline {
namespace {

constexpr size_t kEnoughVisits = 3;

}  // namespace

double ProfileResult::samples_per_second() const {
  if (!measured || measured->time.median_ns == 0) return 0;
  return static_cast<double>(batch_size) * 1e9 / static_cast<double>(measured->time.median_ns);
}

double ProfileResult::tokens_per_second() const {
  if (!measured || measured->time.median_ns == 0) return 0;
  return static_cast<double>(tokens) * 1e9 / static_cast<double>(measured->time.median_ns);
}

void level_visits(std::vector<BatchMeasurement>& samples, std::vector<BatchMeasurement>& held_out) {
  // The first visit of each size was before the turns began.
  const auto in_turns = [](const BatchMeasurement& of) {
    return std::span(of.visits_ns).subspan(std::min<size_t>(of.visits_ns.size(), 1));
  };
  std::vector<std::vector<int64_t>> visits;
  for (const BatchMeasurement& sample : samples) {
    const std::span<const int64_t> turns = in_turns(sample);
    visits.emplace_back(turns.begin(), turns.end());
  }
  const std::vector<double> paces = pace_of_rounds(visits);
  for (BatchMeasurement& sample : samples) sample.steady_ns = at_usual_pace(in_turns(sample), paces);
  for (BatchMeasurement& other : held_out) other.steady_ns = at_usual_pace(in_turns(other), paces);
}

const std::vector<int64_t>& steady_visits(const BatchMeasurement& measured) {
  return measured.steady_ns.size() >= kEnoughVisits ? measured.steady_ns : measured.visits_ns;
}

BatchSample time_sample(const BatchMeasurement& measured) {
  constexpr double kUnknown = 0.05;  // of a single iteration
  const std::vector<int64_t>& visits = steady_visits(measured);
  if (visits.size() >= kEnoughVisits) {
    return {measured.batch_size, summarize(visits).median_ns, noise_of_median(visits)};
  }
  const double noise = measured.time.uncertainty();
  return {measured.batch_size, measured.time.median_ns, noise <= 1 ? noise : kUnknown};
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
    if (time < step.start_ns || time > step.end_ns || total == MemoryTable::kMissing) continue;
    int64_t& peak = peaks[{trace.memory.device_type[row], trace.memory.device_id[row]}];
    peak = std::max(peak, total);
  }
  int64_t most = 0;
  for (const auto& [device, peak] : peaks) most = std::max(most, peak);
  return most;
}

}  // namespace skyline
