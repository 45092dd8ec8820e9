#include "session/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/profile/batch_sampler.h"
#include "session/profile/running_profile.h"

namespace skyline::session {
namespace {

constexpr size_t kMaxRecordedFirst = 4;
constexpr int64_t kTimingShare = 3;  // of the budget: a third for the entry point's own batch size
constexpr TimingGoal kGoal = {};
constexpr int64_t kRecordedNs = 100'000'000;  // so long more iterations are recorded,
constexpr int kMostRecorded = 6;              // at most so many,
constexpr int64_t kUsualPercent = 130;        // until one takes no more than this of the median

double share_of(int64_t part, int64_t whole) {
  return whole > 0 ? std::min(1.0, static_cast<double>(part) / static_cast<double>(whole)) : 1;
}

class Profiler {
 public:
  explicit Profiler(RunningProfile& run) : run_(run), options_(run.options), result_(run.result) {}

  Attempt<Done> profile() {
    static constexpr Attempt<Done> (Profiler::*kSteps[])() = {
        &Profiler::load,               // contract
        &Profiler::run_first,          // memory, recorded from before the model was made
        &Profiler::warm_up,            //
        &Profiler::time,               // throughput, recording off
        &Profiler::break_down_memory,  //
        &Profiler::record_iteration,   // breakdown of time
        &Profiler::sample_batches,     // models
    };
    for (const auto step : kSteps) {
      const Attempt<Done> done = (this->*step)();
      if (!done.ok()) return done.error();
    }
    result_.is_complete = true;
    run_.publish();
    return Done{};
  }

 private:
  Attempt<Done> load() {
    run_.tell("loading", 0);
    const MemoryCapacity cpu = cpu_memory_capacity();  // before there is a process that uses some
    SKYLINE_TRY(result_.loaded, run_.load("memory"));
    result_.in_fresh_process = run_.is_fresh_process();
    result_.source_hash = hash_of_sources(result_.loaded.files);
    result_.batch_size = options_.batch_size.value_or(result_.loaded.batch_size);
    own_.batch_size = result_.batch_size;
    result_.capacity = capacity_besides(cpu);
    if (run_.is_script()) SKYLINE_RETURN_IF_ERROR(settle_script());
    run_.publish();
    return Done{};
  }

  // It has run its first steps with its own batch size.
  Attempt<Done> settle_script() {
    own_.batches = result_.loaded.samples / std::max<int64_t>(result_.loaded.batch_size, 1);
    own_.batches = std::max<int64_t>(own_.batches, 1);
    if (result_.batch_size == result_.loaded.batch_size) return Done{};
    if (!run_.has_other_sizes()) {
      return Trouble{Trouble::Kind::kUserCode,
                     fmt::format("it cannot be run with another batch size: {}", result_.loaded.no_literal),
                     options_.entry_point, 1};
    }
    return run_.load_with(result_.batch_size, "memory");
  }

  MemoryCapacity capacity_besides(const MemoryCapacity& cpu) const {
    if (options_.memory_capacity_bytes) return {*options_.memory_capacity_bytes, "--memory-capacity"};
    if (result_.loaded.device_memory_bytes > 0)
      return {result_.loaded.device_memory_bytes, "memory of the device"};
    return cpu;
  }

  // The second iteration is the first that finds gradients and optimizer state in place; one that compiles is
  // not like those that follow.
  Attempt<Done> run_first() {
    run_.tell("first iterations", 0.02);
    const size_t wanted = run_.is_script() ? 1 : 2;  // a script has done some when it is loaded
    for (size_t clean = 0, all = 0; clean < wanted && all < kMaxRecordedFirst; ++all) {
      SKYLINE_TRY(const Iterated iterated, run_.iterate(result_.batch_size, 1));
      if (iterated.durations_ns.empty()) break;
      result_.tokens = tokens_in(iterated.inputs);
      result_.warm_up_ns.push_back(iterated.durations_ns[0] - iterated.compile_ns[0]);
      if (all == 0 || iterated.compile_ns[0] == 0) ++clean;
    }
    SKYLINE_TRY(first_, run_.stop_and_read());
    own_.peak_bytes = peak_of_last_step(first_->trace());
    return Done{};
  }

  Attempt<Done> warm_up() {
    run_.tell("warming up", 0.05);
    std::vector<int64_t>& durations = result_.warm_up_ns;
    if (durations.empty() && run_.is_script()) durations.push_back(0);
    if (const auto wanted = static_cast<size_t>(options_.after_steps.value_or(0)); run_.is_script()) {
      while (durations.size() < wanted) {
        SKYLINE_TRY(const int64_t duration_ns, run_.iterate_once(result_.batch_size));
        durations.push_back(duration_ns);
      }
    }
    while (!has_settled(durations) && durations.size() < kMaxWarmUp && !is_long(durations.back())) {
      SKYLINE_TRY(const int64_t duration_ns, run_.iterate_once(result_.batch_size));
      durations.push_back(duration_ns);
    }
    return Done{};
  }

  bool is_long(int64_t iteration_ns) const { return iteration_ns > options_.budget_ns / kLongShare; }

  Attempt<Done> time() {
    const int64_t from_ns = result_.spent_ns, until_ns = from_ns + options_.budget_ns / kTimingShare;
    do {
      run_.tell("timing", 0.1 + 0.25 * share_of(result_.spent_ns - from_ns, until_ns - from_ns));
      SKYLINE_RETURN_IF_ERROR(run_.time_chunk(own_, result_.warm_up_ns.back(), until_ns - result_.spent_ns));
      result_.measured = own_;
      run_.publish();
    } while (!is_reached(kGoal, own_.time) && !has_most_steps() && result_.spent_ns < until_ns);
    result_.is_timed = true;
    run_.publish();
    return Done{};
  }

  bool has_most_steps() const {
    return run_.is_script() && options_.most_steps &&
           own_.time.count >= static_cast<size_t>(*options_.most_steps);
  }

  Attempt<Done> break_down_memory() {
    std::vector<analyze::MemoryAtPeak> peaks = analyze::memory_at_peak(*first_);
    if (peaks.empty()) return Done{};  // recorded in a way that tells nothing of memory
    analyze::MemoryTree modules = analyze::memory_by_module(*first_, peaks.front());
    std::vector<analyze::MemoryLine> lines = analyze::memory_by_line(first_->trace(), peaks.front());
    result_.memory = std::make_shared<const MemoryBreakdown>(
        MemoryBreakdown{first_, std::move(peaks.front()), std::move(modules), std::move(lines)});
    return Done{};
  }

  Attempt<Done> record_iteration() {
    run_.tell("recording", 0.35);
    std::shared_ptr<const analyze::AnalyzedTrace> trace = first_;
    if (!is_long(own_.time.median_ns)) {
      // A script may end just then; it is started again.
      for (int tries = 0; tries < 2; ++tries) {
        SKYLINE_TRY(const Recording recording, run_.record("iteration", RecordedKind::kAll));
        SKYLINE_TRY(const bool has_any, iterate_until_usual());
        SKYLINE_TRY(trace, run_.stop_and_read());
        if (has_any) break;
      }
    }
    result_.time = std::make_shared<const TimeBreakdown>(TimeBreakdown{trace, analyze::break_down(*trace)});
    run_.publish();
    return Done{};
  }

  // The first one after recording began is not like the others, and a short one may have met somebody else's
  // work. The breakdown is of the last. A script's steps are known for what they are when there are two.
  Attempt<bool> iterate_until_usual() {
    const int least = run_.is_script() ? 2 : 1;
    int64_t spent_ns = 0;
    int count = 0;
    for (; count < kMostRecorded && (spent_ns < kRecordedNs || count < least); ++count) {
      SKYLINE_TRY(const Iterated iterated, run_.iterate(result_.batch_size, 1));
      if (iterated.durations_ns.empty()) break;
      const int64_t duration_ns = iterated.durations_ns[0] - iterated.compile_ns[0];
      spent_ns += duration_ns;
      if (count > 0 && duration_ns <= own_.time.median_ns / 100 * kUsualPercent) return true;
    }
    return count >= least;
  }

  Attempt<Done> sample_batches() { return BatchSampler(run_, own_).sample(); }

  RunningProfile& run_;
  const ProfileOptions& options_;
  ProfileResult& result_;
  BatchMeasurement own_;  // at the entry point's batch size
  std::shared_ptr<const analyze::AnalyzedTrace>
      first_;  // from before the model was made to the second iteration
};

}  // namespace

Attempt<ProfileResult> run_profile(const ProfileOptions& options, const StartWorker& start_worker,
                                   const Interruption& interruption, const ProfileObserver& observer) {
  RunningProfile run(options, start_worker, interruption, observer);
  const Attempt<Done> done = Profiler(run).profile();
  if (!done.ok()) return done.error();
  return std::move(run.result);
}

}  // namespace skyline::session
