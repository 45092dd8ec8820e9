#include "session/profile/batch_sampler.h"

#include <algorithm>

#include "session/batch/batch_plan.h"
#include "session/profile/page_faults.h"

namespace skyline::session {
namespace {

constexpr size_t kMostSamples = 7;
constexpr size_t kMostRefined = 13;        // with sizes between those
constexpr int kVerifications = 3;          // of the largest batch
constexpr int64_t kVerificationShare = 4;  // of what is left of the budget, for one of its iterations
constexpr int64_t kVisitNs = 60'000'000;
constexpr int64_t kScriptVisitNs = 300'000'000;  // it has been at rest, and its DataLoader has not
constexpr int64_t kMinVisit = 3;                 // iterations
constexpr int64_t kSampleShare = 10;             // of the budget, for the first visit of one size
constexpr TimingGoal kSizeGoal = {};
// A heap has gaps, more or fewer by chance; what torch allocates is exact.
constexpr double kResidentNoise = 0.03;

void note_first_visit(BatchMeasurement& of) {
  of.visits_ns = {of.time.median_ns};
  of.visit_faults = {of.page_faults / std::max<int64_t>(static_cast<int64_t>(of.durations_ns.size()), 1)};
}

}  // namespace

Attempt<Done> BatchSampler::sample() {
  run_.result.samples = {own_};
  if (!run_.has_other_sizes()) return Done{};
  note_first_visit(run_.result.samples.front());
  static constexpr Attempt<Done> (BatchSampler::*kSteps[])() = {
      &BatchSampler::keep_memory,     // lest times depend on what was run before
      &BatchSampler::run_samples,     // the model's
      &BatchSampler::verify_largest,  // that fits
      &BatchSampler::run_held_out,    // to test the model
      &BatchSampler::revisit,         // all of them in turns
  };
  for (const auto step : kSteps) {
    const Attempt<Done> done = (this->*step)();
    if (!done.ok()) return done.error();
  }
  return Done{};
}

// Not when that would take iterations which other sizes need more.
Attempt<Done> BatchSampler::keep_memory() {
  if (!run_.options.models || own_.time.median_ns > run_.options.budget_ns / kLongShare) return Done{};
  SKYLINE_TRY(const MemoryKept kept, run_.keep_memory());
  if (!kept.is_kept) return Done{};
  BatchMeasurement& own = run_.result.samples.front();
  const Attempt<Done> visited = visit_again(own);
  if (visited.ok()) {
    own.is_kept_later = true;
    return Done{};
  }
  // What is known of it stays.
  const Trouble::Kind kind = visited.error().kind;
  if (kind == Trouble::Kind::kInterrupted) return visited.error();
  return kind == Trouble::Kind::kUserCode ? Done{} : run_.start_again();
}

Attempt<Done> BatchSampler::run_samples() {
  while (const std::optional<int64_t> batch_size = next_batch_size()) {
    run_.tell("other batch sizes", progress());
    SKYLINE_TRY(const bool measured, try_batch_size(*batch_size));
    if (measured) run_.publish();
  }
  return Done{};
}

// Runs the largest batch that is predicted to fit, if the limit is in reach and the budget allows. What is
// learnt from that may move the limit; then the new one is run.
Attempt<Done> BatchSampler::verify_largest() {
  std::optional<BatchModels>& models = run_.result.models;
  for (int tries = 0; tries < kVerifications; ++tries) {
    if (!models || !models->largest.is_reached) break;
    const int64_t largest = models->largest.batch_size;
    const int64_t left_ns = run_.options.budget_ns - run_.result.spent_ns + run_.options.refine_ns;
    if (largest < 1 || is_known(largest) ||
        models->time_ns.predict(largest).value > left_ns / kVerificationShare)
      break;
    run_.tell("the largest batch", progress());
    SKYLINE_TRY(const bool measured, try_batch_size(largest));
    if (!measured) fit_models();
    run_.publish();
  }
  return Done{};
}

Attempt<Done> BatchSampler::run_held_out() {
  std::vector<int64_t> sizes = run_.options.held_out;
  if (sizes.empty()) {
    std::vector<int64_t> sampled;
    for (const BatchMeasurement& sample : run_.result.samples) sampled.push_back(sample.batch_size);
    sizes = sizes_between(sampled, run_.options.held_out_between);
  }
  for (const int64_t batch_size : sizes) {
    if (is_known(batch_size)) continue;
    run_.tell("sizes between", progress());
    Attempt<BatchMeasurement> measured = measure(batch_size);
    if (measured.ok()) {
      run_.result.held_out.push_back(std::move(measured).value());
    } else {
      SKYLINE_RETURN_IF_ERROR(note_failure(batch_size, measured.error()));
    }
  }
  return Done{};
}

// As long as there is time.
Attempt<Done> BatchSampler::revisit() {
  std::vector<BatchMeasurement*> all;
  for (BatchMeasurement& sample : run_.result.samples) all.push_back(&sample);
  for (BatchMeasurement& sample : run_.result.held_out) all.push_back(&sample);
  std::erase_if(all, [&](const auto* one) { return !run_.has_process(one->batch_size); });
  // Up and down in turns: each size finds the memory as one next to it has left it, and what grows within a
  // round cancels out.
  std::sort(all.begin(), all.end(),
            [](const auto* a, const auto* b) { return a->batch_size < b->batch_size; });
  const int least = run_.options.least_visits, most = std::max(run_.options.most_visits, least);
  for (int visit = 1; visit < most && (visit < least || has_time_for_visits()); ++visit) {
    std::reverse(all.begin(), all.end());
    for (BatchMeasurement* const sample : all) {
      run_.tell("all batch sizes again", 0.7 + 0.3 * visit / most);
      const Attempt<Done> visited = visit_again(*sample);
      if (visited.ok()) continue;
      if (visited.error().kind == Trouble::Kind::kInterrupted) return visited.error();
      return Done{};  // it has run before; what is known stays
    }
    fit_models();
    const BatchMeasurement& own = run_.result.samples.front();
    run_.result.measured = page_faults_of(own) ? own_ : own;
    run_.publish();
  }
  return Done{};
}

size_t BatchSampler::most_samples() const { return run_.options.refine_ns > 0 ? kMostRefined : kMostSamples; }

std::optional<int64_t> BatchSampler::next_batch_size() const {
  const ProfileOptions& options = run_.options;
  const ProfileResult& result = run_.result;
  if (!options.models || !run_.has_other_sizes() || result.samples.size() >= most_samples())
    return std::nullopt;
  if (run_.has_spent_starts() && result.samples.size() >= kFirstSamples) return std::nullopt;
  const BatchModel first(std::vector<BatchSample>{time_sample(own_)});
  BatchPlanInput input;
  input.current = result.batch_size;
  input.time_ns = result.models ? &result.models->time_ns : &first;
  input.memory_bytes = result.models ? &result.models->memory_that_must_fit() : nullptr;
  for (const BatchFailure& failure : result.failures) input.failed.push_back(failure.batch_size);
  input.capacity_bytes = result.capacity.bytes;
  const bool needs_more = result.samples.size() < kFirstSamples;
  input.budget_ns = options.budget_ns + options.refine_ns - result.spent_ns;
  if (!needs_more) input.budget_ns -= reserved_for_largest();
  input.iterations = own_.time.median_ns > options.budget_ns / kLongShare ? 4 : 12;
  input.iterations += (options.least_visits - 1) * (kMinVisit + 1);
  input.leaves_gaps = options.held_out_between > 0;
  const std::vector<int64_t> next = next_batch_sizes(input, 1);
  return next.empty() ? std::nullopt : std::optional(next.front());
}

// What verify_largest() will want, and what a sample may take beyond its plan; nothing if that is too much.
int64_t BatchSampler::reserved_for_largest() const {
  const std::optional<BatchModels>& models = run_.result.models;
  if (!models || !models->largest.is_reached || models->largest.batch_size < 1) return 0;
  if (is_known(models->largest.batch_size)) return 0;
  const int64_t budget_ns = run_.options.budget_ns;
  const int64_t wanted_ns = models->time_ns.predict(models->largest.batch_size).value * kVerificationShare +
                            budget_ns / kSampleShare;
  return wanted_ns < budget_ns / 2 ? wanted_ns : 0;
}

bool BatchSampler::has_run(int64_t batch_size) const {
  const std::vector<BatchMeasurement>& samples = run_.result.samples;
  return std::any_of(samples.begin(), samples.end(),
                     [&](const auto& one) { return one.batch_size == batch_size; });
}

bool BatchSampler::is_known(int64_t batch_size) const {
  const std::vector<BatchFailure>& failures = run_.result.failures;
  return has_run(batch_size) || std::any_of(failures.begin(), failures.end(),
                                            [&](const auto& one) { return one.batch_size == batch_size; });
}

// What has failed does not fit, whatever the model says; smaller ones than the entry point's own fail for
// other reasons.
BatchLimit BatchSampler::largest_that_fits(const BatchModel& memory) const {
  const ProfileResult& result = run_.result;
  BatchLimit largest = largest_batch_that_fits(memory, result.capacity.bytes);
  for (const BatchFailure& failure : result.failures) {
    if (failure.batch_size <= result.batch_size || failure.batch_size > largest.batch_size) continue;
    const int64_t below = failure.batch_size - 1;
    largest = {below, below > memory.largest_sampled(), true};
  }
  return largest;
}

double BatchSampler::progress() const {
  const auto done = static_cast<double>(run_.result.samples.size() - 1);
  return 0.4 + 0.3 * done / static_cast<double>(most_samples());
}

// Whether there is a new sample. A batch size that fails is noted; trouble is only what ends the profile.
Attempt<bool> BatchSampler::try_batch_size(int64_t batch_size) {
  Attempt<BatchMeasurement> measured = measure(batch_size);
  if (measured.ok()) {
    run_.result.samples.push_back(std::move(measured).value());
    fit_models();
    return true;
  }
  SKYLINE_RETURN_IF_ERROR(note_failure(batch_size, measured.error()));
  return false;
}

Attempt<BatchMeasurement> BatchSampler::measure(int64_t batch_size) {
  BatchMeasurement measured;
  measured.batch_size = batch_size;
  measured.batches = own_.batches;
  SKYLINE_RETURN_IF_ERROR(run_.select(batch_size));
  SKYLINE_TRY(std::vector<int64_t> warm_up, measure_memory(measured));
  const int64_t slice_ns = std::max<int64_t>(run_.options.budget_ns / kSampleShare, 1);
  const int64_t until_ns = run_.result.spent_ns + slice_ns;
  while (!has_settled(warm_up) && warm_up.size() < kMaxWarmUp / 2 && warm_up.back() < slice_ns / 10) {
    SKYLINE_TRY(const int64_t duration_ns, run_.iterate_once(batch_size));
    warm_up.push_back(duration_ns);
  }
  do {
    SKYLINE_RETURN_IF_ERROR(run_.time_chunk(measured, warm_up.back(), until_ns - run_.result.spent_ns));
  } while (!is_reached(kSizeGoal, measured.time) && run_.result.spent_ns < until_ns);
  note_first_visit(measured);
  return measured;
}

// Two iterations, of which the second is like all that follow; gives how long they took.
Attempt<std::vector<int64_t>> BatchSampler::measure_memory(BatchMeasurement& measured) {
  std::vector<int64_t> durations_ns;
  SKYLINE_TRY(const Recording recording, run_.record("batch", RecordedKind::kMemory));
  for (int i = 0; i < 2; ++i) {
    const Attempt<Iterated> iterated = run_.iterate(measured.batch_size, 1);
    if (iterated.ok() && iterated.value().durations_ns.empty()) break;  // a script has ended
    if (!iterated.ok()) {
      if (iterated.error().kind == Trouble::Kind::kUserCode) run_.forget_recording();
      return iterated.error();
    }
    durations_ns.push_back(iterated.value().durations_ns[0] - iterated.value().compile_ns[0]);
    measured.resident_bytes = iterated.value().resident_peak_bytes;
  }
  SKYLINE_TRY(const std::shared_ptr<const analyze::AnalyzedTrace> recorded, run_.stop_and_read());
  measured.peak_bytes = peak_of_last_step(recorded->trace());
  if (durations_ns.empty()) {
    SKYLINE_TRY(const int64_t duration_ns, run_.iterate_once(measured.batch_size));
    durations_ns.push_back(duration_ns);
  }
  return durations_ns;
}

Attempt<Done> BatchSampler::note_failure(int64_t batch_size, const Trouble& trouble) {
  if (trouble.kind == Trouble::Kind::kInterrupted) return trouble;
  if (!run_.has_other_sizes()) return Done{};
  run_.result.failures.push_back({batch_size, trouble.sentence});
  return trouble.kind == Trouble::Kind::kUserCode ? Done{} : run_.start_again();
}

Attempt<Done> BatchSampler::visit_again(BatchMeasurement& sample) {
  SKYLINE_RETURN_IF_ERROR(run_.iterate_once(sample.batch_size));
  const int64_t visit_ns = run_.is_script() ? kScriptVisitNs : kVisitNs;
  const int64_t fitting = visit_ns / std::max<int64_t>(sample.time.median_ns, 1);
  SKYLINE_TRY(const Iterated iterated,
              run_.iterate(sample.batch_size, std::clamp(fitting, kMinVisit, kMaxChunk)));
  const std::vector<int64_t>& durations = iterated.durations_ns;
  sample.visits_ns.push_back(summarize(durations).median_ns);
  sample.visit_faults.push_back(iterated.page_faults / static_cast<int64_t>(durations.size()));
  sample.durations_ns.insert(sample.durations_ns.end(), durations.begin(), durations.end());
  sample.time = summarize(sample.durations_ns);
  return Done{};
}

bool BatchSampler::has_time_for_visits() const {
  if (run_.result.samples.size() < 2) return false;
  int64_t expected_ns = 0;
  for (const BatchMeasurement& sample : run_.result.samples) {
    expected_ns += std::max((kMinVisit + 1) * sample.time.median_ns, kVisitNs);
  }
  return run_.result.spent_ns + expected_ns <= run_.options.budget_ns + run_.options.refine_ns;
}

void BatchSampler::fit_models() {
  level_visits(run_.result.samples, run_.result.held_out);
  std::vector<BatchSample> time, peak, resident;
  for (const BatchMeasurement& one : run_.result.samples) {
    time.push_back(time_sample(one));
    peak.push_back({one.batch_size, one.peak_bytes, 0});
    resident.push_back({one.batch_size, one.resident_bytes, kResidentNoise});
  }
  BatchModels models{BatchModel(time), BatchModel(peak), BatchModel(resident), {}, {}};
  models.is_on_cpu = run_.result.loaded.device == "cpu";
  models.largest = largest_that_fits(models.memory_that_must_fit());
  models.peak = throughput_peak(models.time_ns, std::max<int64_t>(models.largest.batch_size, 1));
  models.is_verified = has_run(models.largest.batch_size);
  run_.result.models = std::move(models);
}

}  // namespace skyline::session
