#include "session/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ingest/ingest.h"
#include "session/batch_plan.h"

namespace skyline {
namespace {

// An iteration that takes more than this share of the budget is not repeated for the sake of warmth, and is
// not recorded again when it has been recorded.
constexpr int64_t kLongShare = 20;
constexpr size_t kMaxWarmUp = 10;
constexpr size_t kMaxRecordedFirst = 4;
constexpr int64_t kTimingShare = 3;       // of the budget: a third for the entry point's own batch size
constexpr int64_t kChunkNs = 30'000'000;  // iterations are asked for in chunks of about this length
constexpr int64_t kMaxChunk = 100;
constexpr size_t kMostSamples = 7;
constexpr int kVisits = 6;
constexpr int64_t kVisitNs = 60'000'000;
constexpr int64_t kMinVisit = 3;  // iterations
constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

class ProfileRun {
 public:
  ProfileRun(const ProfileOptions& options, const StartWorker& start_worker, const Interruption& interruption,
             const ProfileObserver& observer)
      : options_(options), start_worker_(start_worker), interruption_(interruption), observer_(observer) {}

  Attempt<ProfileResult> run() {
    static constexpr Attempt<Done> (ProfileRun::*kSteps[])() = {
        &ProfileRun::load,              // contract
        &ProfileRun::run_first,         // memory, recorded from before the model was made
        &ProfileRun::warm_up,           //
        &ProfileRun::time,              // throughput, recording off
        &ProfileRun::record_iteration,  // breakdown of time
        &ProfileRun::sample_batches,    // models
    };
    for (const auto step : kSteps) {
      const Attempt<Done> done = (this->*step)();
      if (!done.ok()) return done.error();
    }
    result_.is_complete = true;
    publish();
    return std::move(result_);
  }

 private:
  Attempt<Done> load() {
    tell("loading", 0);
    result_.capacity = options_.memory_capacity_bytes
                           ? MemoryCapacity{*options_.memory_capacity_bytes, "--memory-capacity"}
                           : cpu_memory_capacity();
    SKYLINE_TRY(worker_, start_worker_());
    SKYLINE_TRY(result_.loaded, worker_->load(options_.entry_point, options_.project_root,
                                              options_.folder + "/memory", interruption_));
    if (result_.loaded.device_memory_bytes > 0 && !options_.memory_capacity_bytes) {
      result_.capacity = {result_.loaded.device_memory_bytes, "memory of the device"};
    }
    result_.in_fresh_process = worker_->is_fresh_process();
    result_.source_hash = hash_of_sources(result_.loaded.files);
    result_.batch_size = options_.batch_size.value_or(result_.loaded.batch_size);
    own_.batch_size = result_.batch_size;
    publish();
    return Done{};
  }

  // The second iteration is the first that finds gradients and optimizer state in place; one that compiles is
  // not like those that follow.
  Attempt<Done> run_first() {
    tell("first iterations", 0.02);
    for (size_t clean = 0, all = 0; clean < 2 && all < kMaxRecordedFirst; ++all) {
      SKYLINE_TRY(const Iterated iterated, iterate(result_.batch_size, 1, kForever));
      result_.tokens = tokens_in(iterated.inputs);
      result_.warm_up_ns.push_back(iterated.durations_ns[0] - iterated.compile_ns[0]);
      if (all == 0 || iterated.compile_ns[0] == 0) ++clean;
    }
    SKYLINE_TRY(first_, stop_and_read());
    own_.peak_bytes = peak_of_last_step(*first_);
    return Done{};
  }

  Attempt<Done> warm_up() {
    tell("warming up", 0.05);
    while (!has_settled(result_.warm_up_ns) && result_.warm_up_ns.size() < kMaxWarmUp &&
           result_.warm_up_ns.back() < options_.budget_ns / kLongShare) {
      SKYLINE_TRY(const Iterated iterated, iterate(result_.batch_size, 1, kForever));
      result_.warm_up_ns.push_back(iterated.durations_ns[0] - iterated.compile_ns[0]);
    }
    return Done{};
  }

  Attempt<Done> time() {
    const int64_t from_ns = result_.spent_ns, until_ns = from_ns + options_.budget_ns / kTimingShare;
    do {
      tell("timing", 0.1 + 0.25 * share_of(result_.spent_ns - from_ns, until_ns - from_ns));
      SKYLINE_TRY(const Done done, time_chunk(own_, result_.warm_up_ns.back(), until_ns - result_.spent_ns));
      static_cast<void>(done);
      result_.measured = own_;
      publish();
    } while (!is_reached(kGoal, own_.time) && result_.spent_ns < until_ns);
    result_.is_timed = true;
    publish();
    return Done{};
  }

  // Some iterations more, as many as take about kChunkNs.
  Attempt<Done> time_chunk(BatchMeasurement& of, int64_t expected_ns, int64_t left_ns) {
    const int64_t typical_ns =
        std::max<int64_t>(of.durations_ns.empty() ? expected_ns : of.time.median_ns, 1);
    const int64_t count = std::clamp<int64_t>(kChunkNs / typical_ns, 1, kMaxChunk);
    SKYLINE_TRY(const Iterated iterated, iterate(of.batch_size, count, std::max<int64_t>(left_ns, 1)));
    for (size_t i = 0; i < iterated.durations_ns.size(); ++i) {
      if (iterated.compile_ns[i] == 0) of.durations_ns.push_back(iterated.durations_ns[i]);
    }
    if (of.durations_ns.empty()) of.durations_ns.push_back(iterated.durations_ns[0] - iterated.compile_ns[0]);
    of.time = summarize(of.durations_ns);
    of.resident_bytes = std::max(of.resident_bytes, iterated.resident_peak_bytes);
    return Done{};
  }

  Attempt<Done> record_iteration() {
    tell("recording", 0.35);
    break_down_memory();
    std::shared_ptr<const Trace> trace = first_;
    if (own_.time.median_ns <= options_.budget_ns / kLongShare) {
      SKYLINE_TRY(const Recorded recorded,
                  worker_->record(options_.folder + "/iteration", "all", interruption_));
      SKYLINE_TRY(const Iterated iterated, iterate(result_.batch_size, 1, kForever));
      SKYLINE_TRY(trace, stop_and_read());
    }
    result_.time = std::make_shared<const TimeBreakdown>(TimeBreakdown{trace, break_down(*trace)});
    publish();
    return Done{};
  }

  void break_down_memory() {
    std::vector<MemoryAtPeak> peaks = memory_at_peak(*first_);
    if (peaks.empty()) return;  // recorded in a way that tells nothing of memory
    MemoryTree modules = memory_by_module(*first_, peaks.front());
    std::vector<MemoryLine> lines = memory_by_line(*first_, peaks.front());
    result_.memory = std::make_shared<const MemoryBreakdown>(
        MemoryBreakdown{first_, std::move(peaks.front()), std::move(modules), std::move(lines)});
  }

  Attempt<Done> sample_batches() {
    own_.visits_ns = {own_.time.median_ns};
    result_.samples = {own_};
    while (const std::optional<int64_t> batch_size = next_batch_size()) {
      tell("other batch sizes", progress_of_samples());
      SKYLINE_TRY(const bool measured, try_batch_size(*batch_size));
      if (measured) publish();
    }
    SKYLINE_TRY(const Done done, verify_largest());
    static_cast<void>(done);
    SKYLINE_TRY(const Done held, run_held_out());
    static_cast<void>(held);
    return revisit_batches();
  }

  Attempt<Done> run_held_out() {
    std::vector<int64_t> sampled;
    for (const BatchMeasurement& sample : result_.samples) sampled.push_back(sample.batch_size);
    std::vector<int64_t> sizes = options_.held_out;
    if (sizes.empty()) sizes = sizes_between(sampled, options_.held_out_between);
    for (const int64_t batch_size : sizes) {
      if (is_known(batch_size)) continue;
      tell("sizes between", progress_of_samples());
      Attempt<BatchMeasurement> measured = measure(batch_size);
      if (measured.ok()) {
        result_.held_out.push_back(std::move(measured).value());
      } else {
        SKYLINE_TRY(const Done noted, note_failure(batch_size, measured.error()));
        static_cast<void>(noted);
      }
    }
    return Done{};
  }

  // In turns, until the budget is spent.
  Attempt<Done> revisit_batches() {
    std::vector<BatchMeasurement*> all;
    for (BatchMeasurement& sample : result_.samples) all.push_back(&sample);
    for (BatchMeasurement& sample : result_.held_out) all.push_back(&sample);
    const int most = std::max(kVisits, options_.least_visits);
    for (int visit = 1; visit < most && (visit < options_.least_visits || has_time_for_visits()); ++visit) {
      for (BatchMeasurement* const sample : all) {
        tell("all batch sizes again", 0.7 + 0.3 * visit / most);
        const Attempt<Done> visited = visit_again(*sample);
        if (visited.ok()) continue;
        if (visited.error().kind == Trouble::Kind::kInterrupted) return visited.error();
        return Done{};  // it has run before; what is known stays
      }
      fit_models();
      result_.measured = result_.samples.front();
      publish();
    }
    return Done{};
  }

  bool has_time_for_visits() const {
    if (result_.samples.size() < 2) return false;
    int64_t expected_ns = 0;
    for (const BatchMeasurement& sample : result_.samples) {
      expected_ns += std::max((kMinVisit + 1) * sample.time.median_ns, kVisitNs);
    }
    return result_.spent_ns + expected_ns <= options_.budget_ns;
  }

  Attempt<Done> visit_again(BatchMeasurement& sample) {
    SKYLINE_TRY(const Iterated unused, iterate(sample.batch_size, 1, kForever));
    const int64_t count =
        std::clamp<int64_t>(kVisitNs / std::max<int64_t>(sample.time.median_ns, 1), kMinVisit, kMaxChunk);
    SKYLINE_TRY(const Iterated iterated, iterate(sample.batch_size, count, kForever));
    sample.visits_ns.push_back(summarize(iterated.durations_ns).median_ns);
    sample.durations_ns.insert(sample.durations_ns.end(), iterated.durations_ns.begin(),
                               iterated.durations_ns.end());
    sample.time = summarize(sample.durations_ns);
    return Done{};
  }

  std::optional<int64_t> next_batch_size() const {
    if (!options_.models) return std::nullopt;
    for (const int64_t wanted : options_.model_batch_sizes) {
      if (!is_known(wanted)) return wanted;
    }
    if (!options_.model_batch_sizes.empty() || result_.samples.size() >= kMostSamples) return std::nullopt;
    const BatchModels* const models = result_.models ? &*result_.models : nullptr;
    const BatchModel first(std::vector<BatchSample>{time_sample(own_)});
    BatchPlanInput input;
    input.current = result_.batch_size;
    input.time_ns = models != nullptr ? &models->time_ns : &first;
    input.memory_bytes = models != nullptr ? &models->resident_bytes : nullptr;
    for (const BatchFailure& failure : result_.failures) input.failed.push_back(failure.batch_size);
    input.capacity_bytes = result_.capacity.bytes;
    const bool needs_more = result_.samples.size() < kFirstSamples;
    input.budget_ns = options_.budget_ns - result_.spent_ns + (needs_more ? 0 : options_.refine_ns);
    input.iterations = own_.time.median_ns > options_.budget_ns / kLongShare ? 4 : 12;
    const std::vector<int64_t> next = next_batch_sizes(input, 1);
    return next.empty() ? std::nullopt : std::optional(next.front());
  }

  bool is_known(int64_t batch_size) const {
    const auto is_it = [&](const auto& one) { return one.batch_size == batch_size; };
    return std::any_of(result_.samples.begin(), result_.samples.end(), is_it) ||
           std::any_of(result_.failures.begin(), result_.failures.end(), is_it);
  }

  double progress_of_samples() const {
    return 0.4 + 0.3 * static_cast<double>(result_.samples.size() - 1) / static_cast<double>(kMostSamples);
  }

  // Whether there is a new sample. A batch size that fails is noted; trouble is only what ends the profile.
  Attempt<bool> try_batch_size(int64_t batch_size) {
    Attempt<BatchMeasurement> measured = measure(batch_size);
    if (measured.ok()) {
      result_.samples.push_back(std::move(measured).value());
      fit_models();
      return true;
    }
    SKYLINE_TRY(const Done noted, note_failure(batch_size, measured.error()));
    static_cast<void>(noted);
    return false;
  }

  Attempt<Done> note_failure(int64_t batch_size, const Trouble& trouble) {
    if (trouble.kind == Trouble::Kind::kInterrupted) return trouble;
    result_.failures.push_back({batch_size, trouble.sentence});
    return trouble.kind == Trouble::Kind::kUserCode ? Done{} : start_again();
  }

  // The process has died of a batch size: a new one, as far as the first iteration.
  Attempt<Done> start_again() {
    worker_.reset();
    SKYLINE_TRY(worker_, start_worker_());
    SKYLINE_TRY(const Loaded loaded, worker_->load(options_.entry_point, options_.project_root,
                                                   options_.folder + "/again", interruption_));
    SKYLINE_TRY(const Iterated iterated, iterate(result_.batch_size, 1, kForever));
    SKYLINE_TRY(const Recorded recorded, worker_->stop_recording(interruption_));
    return Done{};
  }

  Attempt<BatchMeasurement> measure(int64_t batch_size) {
    BatchMeasurement measured;
    measured.batch_size = batch_size;
    std::vector<int64_t> warm_up;
    // Memory first: two iterations, of which the second is like all that follow. If an error cuts this short,
    // the next recording replaces it.
    SKYLINE_TRY(const Recorded recording,
                worker_->record(options_.folder + "/batch", "memory", interruption_));
    for (int i = 0; i < 2; ++i) {
      Attempt<Iterated> iterated = iterate(batch_size, 1, kForever);
      if (!iterated.ok()) {
        if (iterated.error().kind == Trouble::Kind::kUserCode)
          static_cast<void>(worker_->stop_recording(interruption_));
        return iterated.error();
      }
      warm_up.push_back(iterated.value().durations_ns[0] - iterated.value().compile_ns[0]);
      measured.resident_bytes = iterated.value().resident_peak_bytes;
    }
    SKYLINE_TRY(const std::shared_ptr<const Trace> trace, stop_and_read());
    measured.peak_bytes = peak_of_last_step(*trace);

    const int64_t slice_ns = std::max<int64_t>(options_.budget_ns / 10, 1);
    const int64_t until_ns = result_.spent_ns + slice_ns;
    while (!has_settled(warm_up) && warm_up.size() < kMaxWarmUp / 2 && warm_up.back() < slice_ns / 10) {
      SKYLINE_TRY(const Iterated iterated, iterate(batch_size, 1, kForever));
      warm_up.push_back(iterated.durations_ns[0] - iterated.compile_ns[0]);
    }
    do {
      SKYLINE_TRY(const Done done, time_chunk(measured, warm_up.back(), until_ns - result_.spent_ns));
      static_cast<void>(done);
    } while (!is_reached(kGoal, measured.time) && result_.spent_ns < until_ns);
    measured.visits_ns = {measured.time.median_ns};
    return measured;
  }

  void fit_models() {
    std::vector<BatchSample> time, peak, resident;
    for (const BatchMeasurement& one : result_.samples) {
      time.push_back(time_sample(one));
      peak.push_back({one.batch_size, one.peak_bytes, 0});
      resident.push_back({one.batch_size, one.resident_bytes, 0});
    }
    BatchModels models{BatchModel(time), BatchModel(peak), BatchModel(resident), {}, {}};
    // On the CPU the whole process must fit; on a device what torch has allocated there.
    const BatchModel& fits = result_.loaded.device == "cpu" ? models.resident_bytes : models.peak_bytes;
    models.largest = largest_batch_that_fits(fits, result_.capacity.bytes);
    models.peak = throughput_peak(models.time_ns, std::max<int64_t>(models.largest.batch_size, 1));
    models.is_verified = is_known(models.largest.batch_size);
    result_.models = std::move(models);
  }

  // Runs the largest batch that is predicted to fit, if the limit is in reach and the budget allows.
  Attempt<Done> verify_largest() {
    if (!result_.models || !result_.models->largest.is_reached) return Done{};
    const int64_t largest = result_.models->largest.batch_size;
    const int64_t left_ns = options_.budget_ns - result_.spent_ns + options_.refine_ns;
    if (largest < 1 || is_known(largest) || result_.models->time_ns.predict(largest).value > left_ns / 4) {
      return Done{};
    }
    tell("the largest batch", 0.95);
    SKYLINE_TRY(const bool measured, try_batch_size(largest));
    if (measured) result_.models->is_verified = true;
    publish();
    return Done{};
  }

  Attempt<Iterated> iterate(int64_t batch_size, int64_t count, int64_t limit_ns) {
    SKYLINE_TRY(Iterated iterated, worker_->iterate(batch_size, count, limit_ns, interruption_));
    for (const int64_t duration : iterated.durations_ns) result_.spent_ns += duration;
    for (const int64_t compiled : iterated.compile_ns) {
      result_.spent_ns -= compiled;
      result_.compile_ns += batch_size == result_.batch_size ? compiled : 0;
    }
    return iterated;
  }

  Attempt<std::shared_ptr<const Trace>> stop_and_read() {
    SKYLINE_TRY(const Recorded recorded, worker_->stop_recording(interruption_));
    Result<std::unique_ptr<const Trace>> trace = read_trace(recorded.path, {.threads = 1});
    if (!trace.ok()) return Trouble{Trouble::Kind::kOurs, trace.error().sentence};
    return std::shared_ptr<const Trace>(std::move(trace).value());
  }

  // Without other batch sizes, what is told of ends at 0.4.
  void tell(std::string_view phase, double fraction) const {
    if (observer_.progress) observer_.progress({phase, options_.models ? fraction : fraction / 0.4});
  }
  static double share_of(int64_t part, int64_t whole) {
    return whole > 0 ? std::min(1.0, static_cast<double>(part) / static_cast<double>(whole)) : 1;
  }
  void publish() const {
    if (observer_.result) observer_.result(result_);
  }

  static constexpr TimingGoal kGoal = {};

  const ProfileOptions& options_;
  const StartWorker& start_worker_;
  const Interruption& interruption_;
  const ProfileObserver& observer_;
  std::unique_ptr<Worker> worker_;
  ProfileResult result_;
  BatchMeasurement own_;                // at the entry point's batch size
  std::shared_ptr<const Trace> first_;  // from before the model was made to the second iteration
};

}  // namespace

Attempt<ProfileResult> run_profile(const ProfileOptions& options, const StartWorker& start_worker,
                                   const Interruption& interruption, const ProfileObserver& observer) {
  return ProfileRun(options, start_worker, interruption, observer).run();
}

}  // namespace skyline
