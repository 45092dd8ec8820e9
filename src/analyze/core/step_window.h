// Which steps, and which threads, a question is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/core/intervals.h"
#include "base/result.h"
#include "trace/trace.h"

namespace skyline::analyze {

// The time of the step with this number (of all of them, should a number repeat), or of everything.
// A host event belongs to a step if it starts inside; device work belongs where its launch does.
class StepFilter {
 public:
  StepFilter(const Trace& trace, std::optional<int64_t> step);

  bool takes_everything() const { return everything_; }
  bool takes_host(SliceId slice) const;
  bool takes_activity(uint32_t activity) const;
  bool takes_moment(int64_t time_ns) const;

 private:
  const Trace& trace_;
  bool everything_;
  IntervalSet window_;
};

// The threads that train: those with steps; without steps the main thread (its id is the process's), or
// else the one that is longest inside recorded ranges. Empty without host events.
std::vector<TrackId> training_threads(const Trace& trace);

// The time that a trace is judged by: that of its steps; without steps from the first event to the last.
IntervalSet judged_time(const Trace& trace);

// The part of it that is usual: with five steps or more, those that take at most twice the median. One step
// in which something rare happened decides nothing.
IntervalSet usual_time(const Trace& trace);

// The step to look at unless another one is wanted: the last in which operators run, as a profile that is
// stopped behind its last step() leaves one in which nothing happens; of steps without operators the last
// that takes time. Nothing without steps.
const Step* last_complete_step(const Trace& trace);

// The last step with this number; null: there is none.
const Step* find_step(const Trace& trace, int64_t number);

// The same for a number that somebody has named: null when there is none, a sentence when it is wrong.
Result<const Step*> chosen_step(const Trace& trace, std::optional<int64_t> number);

// "3", "3 to 8", "none": for sentences.
std::string step_numbers(const Trace& trace);

}  // namespace skyline::analyze
