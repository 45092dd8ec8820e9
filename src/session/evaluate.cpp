#include "session/evaluate.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "session/process/prepared_python.h"
#include "session/process/scratch_folder.h"
#include "session/profile/profile.h"

namespace skyline::session {
namespace {

constexpr size_t kMostTargets = 5;
constexpr int kMostVisits = 24;  // of models that are fast
constexpr int64_t kRefineBudgets = 6;

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
    SKYLINE_RETURN_IF_ERROR(start_python());
    SKYLINE_RETURN_IF_ERROR(make_models());
    result_.evaluation = evaluate_models(result_.starts);
    if (result_.evaluation.pairs.empty()) {
      return Trouble{Trouble::Kind::kUserCode,
                     "no batch size lies between those that were run; name some with --targets"};
    }
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
      SKYLINE_RETURN_IF_ERROR(add_models(start));
    }
    std::sort(result_.starts.begin(), result_.starts.end(),
              [](const StartModels& a, const StartModels& b) { return a.batch_size < b.batch_size; });
    return Done{};
  }

  // Gives the batch size it began with.
  Attempt<int64_t> add_models(std::optional<int64_t> start) {
    ProfileOptions profile = options_.session.profile;
    profile.batch_size = start;
    profile.held_out = options_.targets;
    profile.held_out_between = kMostTargets;
    profile.refine_ns = kRefineBudgets * profile.budget_ns;
    profile.least_visits = static_cast<int>(options_.trials);
    profile.most_visits = kMostVisits;
    SKYLINE_TRY(const ProfileResult result, run_profile_in_copy(profile));
    if (!result.models) {
      return Trouble{Trouble::Kind::kUserCode,
                     fmt::format("no other batch size could be run beside {}{}", result.batch_size,
                                 result.failures.empty() ? "; give it more time with --budget"
                                                         : ": " + result.failures.front().sentence)};
    }
    StartModels start_models{result.batch_size, result.models->time_ns, result.models->peak_bytes};
    for (const BatchMeasurement& target : result.held_out) {
      start_models.targets.push_back({target.batch_size, steady_visits(target), target.peak_bytes});
    }
    result_.starts.push_back(std::move(start_models));
    result_.failures.insert(result_.failures.end(), result.failures.begin(), result.failures.end());
    return result.batch_size;
  }

  Attempt<ProfileResult> run_profile_in_copy(ProfileOptions profile) {
    profile.folder = folder_;
    Interruption interruption;
    interruption.is_due = [this] { return is_stopped(); };
    interruption.patience_ns = options_.session.patience_ns;
    const ProfileObserver observer = {[&](const Progress& progress) { tell_of_run(progress); }, {}};
    const auto run_in = [&](Zygote* zygote) {
      return run_profile(
          profile, [&] { return Worker::start(python_.launch(), zygote); }, interruption, observer);
    };
    Attempt<ProfileResult> outcome = run_in(python_.zygote());
    if (!outcome.ok() && outcome.error().kind == Trouble::Kind::kStalled) outcome = run_in(nullptr);
    ++runs_done_;
    return outcome;
  }

  void tell_of_run(const Progress& progress) {
    const size_t starts = options_.starts.empty() ? 3 : options_.starts.size();
    phase_ = fmt::format("model {}: {}", runs_done_ + 1, progress.phase);
    const double done = static_cast<double>(runs_done_) + progress.fraction;
    tell({phase_, std::min(1.0, done / static_cast<double>(starts))});
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

}  // namespace skyline::session
