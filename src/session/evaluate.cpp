#include "session/evaluate.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <limits>

#include "session/prepared_python.h"
#include "session/scratch_folder.h"

namespace skyline {
namespace {

constexpr size_t kMostTargets = 5;

class Evaluator {
 public:
  Evaluator(const EvaluateOptions& options, const EvaluateObserver& observer)
      : options_(options),
        observer_(observer),
        python_(options.session.python, options.session.cache_folder, options.session.profile.project_root) {}

  Attempt<EvaluateResult> run() {
    Result<ScratchFolder> scratch = ScratchFolder::make(options_.session.scratch_folder);
    if (!scratch.ok()) return Trouble{Trouble::Kind::kOurs, scratch.error().sentence};
    folder_ = scratch.value().path();
    SKYLINE_TRY([[maybe_unused]] const Done ready, start_python());
    SKYLINE_TRY([[maybe_unused]] const Done predicted, make_models());
    SKYLINE_TRY([[maybe_unused]] const Done chosen, take_targets());
    for (int64_t trial = 0; trial < options_.trials; ++trial) {
      SKYLINE_TRY([[maybe_unused]] const Done measured, run_trial(trial));
    }
    result_.evaluation = evaluate_models(result_.starts, result_.targets);
    return std::move(result_);
  }

 private:
  Attempt<Done> start_python() {
    tell({"starting Python", 0});
    const Result<bool> ready = python_.make_ready([this] {
      pollfd waiting = {python_.descriptor(), POLLIN, 0};
      ::poll(&waiting, 1, 200);
      return !is_stopped();
    });
    if (!ready.ok()) return Trouble{Trouble::Kind::kOurs, ready.error().sentence};
    if (!ready.value()) return Trouble{Trouble::Kind::kInterrupted, "interrupted"};
    return Done{};
  }

  // One profile per start, each as if it were the entry point's own batch size.
  Attempt<Done> make_models() {
    std::vector<int64_t> starts = options_.starts;
    if (starts.empty()) {
      SKYLINE_TRY(const int64_t own, add_models(std::nullopt));
      if (own > 1) starts.push_back(own / 2);
      starts.push_back(own * 2);
    }
    for (const int64_t start : starts) {
      SKYLINE_TRY([[maybe_unused]] const int64_t done, add_models(start));
    }
    std::sort(result_.starts.begin(), result_.starts.end(),
              [](const StartModels& a, const StartModels& b) { return a.batch_size < b.batch_size; });
    return Done{};
  }

  // Gives the batch size it began with.
  Attempt<int64_t> add_models(std::optional<int64_t> start) {
    ProfileOptions profile = options_.session.profile;
    profile.batch_size = start;
    SKYLINE_TRY(const ProfileResult result, run_profile_in_copy(profile, "model"));
    if (!result.models) {
      return Trouble{Trouble::Kind::kUserCode,
                     fmt::format("no other batch size could be run beside {}{}", result.batch_size,
                                 result.failures.empty() ? "; give it more time with --budget"
                                                         : ": " + result.failures.front().sentence)};
    }
    result_.starts.push_back({result.batch_size, result.models->time_ns, result.models->peak_bytes});
    return result.batch_size;
  }

  Attempt<Done> take_targets() {
    std::vector<int64_t> targets = options_.targets;
    if (targets.empty()) targets = choose_targets(result_.starts, kMostTargets);
    if (targets.empty()) {
      return Trouble{Trouble::Kind::kUserCode,
                     "no batch size lies between those that were run; name some with --targets"};
    }
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    for (const int64_t target : targets) result_.targets.push_back({target});
    return Done{};
  }

  // All targets in one process. Each trial begins with another one, so that what changes in the course of
  // time, or with a process's age, meets all of them.
  Attempt<Done> run_trial(int64_t trial) {
    std::vector<int64_t> order;
    for (const TargetTrials& target : result_.targets) order.push_back(target.batch_size);
    std::rotate(order.begin(), order.begin() + trial % static_cast<int64_t>(order.size()), order.end());
    ProfileOptions profile = options_.session.profile;
    profile.batch_size = order.front();
    profile.model_batch_sizes = order;
    profile.memory_capacity_bytes = std::numeric_limits<int64_t>::max();  // the largest is not looked for
    SKYLINE_TRY(const ProfileResult result, run_profile_in_copy(profile, "trial"));
    for (const BatchMeasurement& sample : result.samples) {
      const auto target =
          std::find_if(result_.targets.begin(), result_.targets.end(),
                       [&](const TargetTrials& one) { return one.batch_size == sample.batch_size; });
      if (target == result_.targets.end()) continue;
      target->time_ns.push_back(sample.time.median_ns);
      target->peak_bytes.push_back(sample.peak_bytes);
    }
    for (const BatchFailure& failure : result.failures) result_.failures.push_back(failure);
    return Done{};
  }

  Attempt<ProfileResult> run_profile_in_copy(ProfileOptions profile, std::string_view what) {
    profile.folder = folder_;
    Interruption interruption;
    interruption.is_due = [this] { return is_stopped(); };
    interruption.patience_ns = options_.session.patience_ns;
    const ProfileObserver observer = {[&](const Progress& progress) { tell_of_run(what, progress); }, {}};
    const auto run_in = [&](Zygote* zygote) {
      return run_profile(
          profile, [&] { return Worker::start(python_.launch(), zygote); }, interruption, observer);
    };
    Attempt<ProfileResult> outcome = run_in(python_.zygote());
    if (!outcome.ok() && outcome.error().kind == Trouble::Kind::kStalled) outcome = run_in(nullptr);
    ++runs_done_;
    return outcome;
  }

  void tell_of_run(std::string_view what, const Progress& progress) {
    const size_t starts = options_.starts.empty() ? 3 : options_.starts.size();
    const double all = static_cast<double>(starts) + static_cast<double>(options_.trials);
    phase_ = fmt::format("{} {}: {}", what, what == "model" ? runs_done_ + 1 : runs_done_ + 1 - starts,
                         progress.phase);
    tell({phase_, std::min(1.0, (static_cast<double>(runs_done_) + progress.fraction) / all)});
  }

  void tell(const Progress& progress) const {
    if (observer_.progress) observer_.progress(progress);
  }
  bool is_stopped() const { return observer_.is_stopped && observer_.is_stopped(); }

  const EvaluateOptions& options_;
  const EvaluateObserver& observer_;
  PreparedPython python_;
  std::string folder_;
  std::string phase_;  // what was told last
  size_t runs_done_ = 0;
  EvaluateResult result_;
};

}  // namespace

Attempt<EvaluateResult> evaluate(const EvaluateOptions& options, const EvaluateObserver& observer) {
  return Evaluator(options, observer).run();
}

}  // namespace skyline
