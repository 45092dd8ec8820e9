// One profile of an entry point: it is loaded, warmed up, timed, recorded and run with other batch sizes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "session/process/worker.h"
#include "session/profile/profile_result.h"

namespace skyline {

// What a session takes in idle time, for more batch sizes.
inline constexpr int64_t kRefineNs = 30'000'000'000;

struct ProfileOptions {
  std::string entry_point;
  std::string project_root;
  std::string folder;                                 // for recordings; exists
  std::optional<int64_t> batch_size = {};             // instead of the entry point's
  int64_t budget_ns = 10'000'000'000;                 // for iterations, compilation not counted
  int64_t refine_ns = 0;                              // for batch sizes when the budget is spent
  std::optional<int64_t> memory_capacity_bytes = {};  // instead of the machine's
  bool models = true;                                 // also run other batch sizes
  // To test the models: sizes that are run in turns with the others but not shown to the models. Those that
  // are named, or so many between the samples.
  std::vector<int64_t> held_out = {};
  size_t held_out_between = 0;
  int least_visits = 1;  // of every size, whatever the budget
  int most_visits = 12;  // whatever time is left
};

struct Progress {
  std::string_view phase;  // "loading", "warming up", "timing", "recording", "other batch sizes"
  double fraction = 0;
};

// Hears of everything that becomes known.
struct ProfileObserver {
  std::function<void(const Progress&)> progress;
  std::function<void(const ProfileResult&)> result;
};

// Makes a worker for it. Called again when one has died of a batch size.
using StartWorker = std::function<Attempt<std::unique_ptr<Worker>>()>;

Attempt<ProfileResult> run_profile(const ProfileOptions& options, const StartWorker& start_worker,
                                   const Interruption& interruption, const ProfileObserver& observer);

}  // namespace skyline
