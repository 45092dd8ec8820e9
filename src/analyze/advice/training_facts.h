// TrainingFacts: what the rules about training share: which steps count, whose work an operator is, where it
// was called, what the run was set to. Made once per trace.
//
// Rules judge the usual step. With five steps or more, those that take more than twice the median are left
// aside, so that one preempted operator or one saved checkpoint decides nothing. Rules about rare events ask
// for all steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/advice/op_kinds.h"
#include "analyze/core/analyzed_trace.h"
#include "analyze/core/finding.h"
#include "analyze/core/intervals.h"
#include "analyze/core/step_window.h"
#include "analyze/places/op_places.h"
#include "analyze/places/wall_stretches.h"

namespace skyline::analyze {

// What some operators do: on the device if there is one, else on the host.
struct Work {
  IntervalSet moments;   // in which the work runs, each once
  int64_t total_ns = 0;  // within steps
  int64_t calls = 0;     // within steps
  uint32_t op = kNoRow;  // the costliest call of the costliest line, or of all without lines
};

class TrainingFacts {
 public:
  explicit TrainingFacts(const AnalyzedTrace& of);

  const AnalyzedTrace& analyzed;
  const Trace& trace;
  const OpPlaces& places;
  const bool has_device, has_types, has_stacks, has_samples, has_settings;
  const IntervalSet& all;    // all steps; without steps everything
  const IntervalSet& usual;  // those that are judged
  const int64_t step_count;  // of all; 1 without steps
  std::string_view subject;  // "step" or "run"
  int64_t step_ns = 0;       // median of the usual ones
  int64_t all_ns = 0;        // of all together

  // The median over usual steps; and for rare events the mean over all, without those that still warm up:
  // from the first usual one on.
  int64_t per_step(const IntervalSet& moments) const;
  int64_t per_step_of_all(const IntervalSet& moments) const;
  double share_of_all(int64_t per_step_ns) const;
  double share(int64_t per_step_ns) const;

  OpKind kind(uint32_t op) const { return kinds_[op]; }
  // Operators that no operator is around.
  bool is_outermost(uint32_t op) const { return is_outermost_[op]; }
  bool is_in_steps(uint32_t op) const { return is_in_steps_[op]; }
  // The position of its step in Trace::steps; what follows one another in a pattern is of one step.
  size_t step_of(uint32_t op) const;
  // Inside a DataLoader's fetch.
  bool is_input(uint32_t op) const { return is_input_[op]; }
  // Seen so often that nearly every step has one.
  bool is_in_most_steps(int64_t count) const { return 10 * count >= 8 * step_count; }
  // Outermost forward operators within steps, thread by thread in order of time.
  const std::vector<uint32_t>& forward_ops() const { return forward_ops_; }
  // Wall time of the training threads within steps, cut by operators and samples.
  const std::vector<Stretch>& stretches() const { return stretches_; }
  const std::vector<uint32_t>& op_of_activity() const { return op_of_activity_; }

  // The work of the operators that `picks`, of those inside them, and of their backward operators.
  template <typename Picks>
  Work work(Picks picks) const {
    std::vector<uint8_t> inside(trace.ops.size(), 0);
    for (uint32_t op = 0; op < inside.size(); ++op) inside[op] = picks(op) ? 1 : 0;
    return work_inside(std::move(inside));
  }

  FindingPlace place_of(uint32_t op) const;
  FindingPlace place_of_line(uint32_t line) const;
  uint32_t user_line_at(TrackId thread, int64_t time_ns) const;  // kRoot: not known

  std::optional<std::string_view> setting(std::string_view key) const;
  std::optional<int64_t> number_setting(std::string_view key) const;

  // The text of a line of the user's program, if it was recorded.
  std::string_view source_line(std::string_view file, int64_t line) const;
  // The last line with one of these words at or before `line` of its file; in any file, if it is the only
  // one.
  FindingPlace line_with(std::initializer_list<std::string_view> words, const FindingPlace& before) const;

 private:
  Work work_inside(std::vector<uint8_t> inside) const;
  void find_stretches();
  const std::vector<std::string_view>& lines_of(std::string_view file) const;

  IntervalSet steady_;
  int64_t steady_count_ = 1;
  std::vector<OpKind> kinds_;
  std::vector<bool> is_outermost_, is_in_steps_, is_input_;
  std::vector<uint32_t> forward_ops_, op_of_activity_;
  std::vector<Stretch> stretches_;
  std::map<std::string_view, std::string_view> settings_;
  std::map<std::string_view, std::vector<std::string_view>> sources_;
};

}  // namespace skyline::analyze
