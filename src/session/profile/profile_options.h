// What a profile is asked to do, and how far it has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skyline::session {

// What a session takes in idle time, for more batch sizes.
inline constexpr int64_t kRefineNs = 30'000'000'000;

struct ProfileOptions {
  std::string entry_point;  // or a training script
  std::string project_root;
  std::string folder;                                 // for recordings; exists
  std::vector<std::string> arguments = {};            // of a script
  std::string module = {};                            // the script's name, if it is run by that
  std::optional<int64_t> after_steps = {};            // of a script; empty: once they have settled
  std::optional<int64_t> most_steps = {};             // of a script that are timed
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

}  // namespace skyline::session
