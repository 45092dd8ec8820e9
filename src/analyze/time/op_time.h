// Whose time is it? At every moment the innermost open operator of a thread has it, so the self times
// of all calls add up to exactly the time that the thread spends in operators.
//
//   a [==================]        self of a:  ====      ==      ==
//   b     [======]                self of b:      ======
//   c               [==]          self of c:                 ==
//
// Calls that overlap only in part (they exist) are treated the same: the one that started last is
// the innermost. One pass over the calls, which must be in order of their slices.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/step_window.h"
#include "trace/trace.h"

namespace skyline::analyze {

// Calls visit(op, start_ns, end_ns) for every stretch in which the op is the innermost of `ops` (rows of
// Trace::ops, increasing) on its thread; thread by thread, in order of time.
template <typename Visit>
void for_each_self_stretch(const Trace& trace, std::span<const uint32_t> ops, Visit visit) {
  struct Open {
    uint32_t op;
    int64_t end_ns;
  };
  std::vector<Open> open;
  TrackId track;
  int64_t now = 0;

  // Hands out the time up to `until` to the calls that are open in it.
  const auto advance = [&](int64_t until) {
    while (!open.empty()) {
      const Open& innermost = open.back();
      const int64_t stretch_end = std::min(innermost.end_ns, until);
      if (stretch_end > now) {
        visit(innermost.op, now, stretch_end);
        now = stretch_end;
      }
      if (innermost.end_ns > until) break;
      open.pop_back();
    }
    now = until;
  };

  for (const uint32_t op : ops) {
    const SliceId slice = trace.ops.slice[op];
    if (trace.slices.track[slice.value] != track) {
      advance(INT64_MAX);
      track = trace.slices.track[slice.value];
      now = INT64_MIN;
    }
    advance(trace.slices.start_ns[slice.value]);
    open.push_back({op, trace.slices.end_ns(slice)});
  }
  advance(INT64_MAX);
}

// The rows of Trace::ops that are operator calls, in order.
std::vector<uint32_t> operator_calls(const Trace& trace);

// For every slice the innermost of `ops` that encloses it or is it; kNoRow where there is none.
std::vector<uint32_t> innermost_ops(const Trace& trace, std::span<const uint32_t> ops);

// Calls as torch's own tables have them: ranges are calls as well (record_function's, torch's own, steps),
// and a call that only hands on to one of its own name is one call with it.
std::vector<uint32_t> calls_as_torch_counts(const Trace& trace);

// Of all operator calls: for every slice, and for every row of Trace::memory, the innermost around it.
std::vector<uint32_t> operators_around(const AnalyzedTrace& analyzed);
std::vector<uint32_t> operators_around_memory(const AnalyzedTrace& analyzed);

// The calls that a question is about, and which of them is around what. All operator calls are shared with
// whoever else asks; those of a step, or as torch counts them, are made for this question.
class SelectedCalls {
 public:
  SelectedCalls(const AnalyzedTrace& analyzed, const StepFilter& filter, bool as_torch_counts = false);

  std::span<const uint32_t> ops() const { return ops_; }        // rows of Trace::ops, increasing
  std::span<const uint32_t> around() const { return around_; }  // as innermost_ops() gives it
  std::span<const uint32_t> around_memory();                    // as ops_around_memory() gives it

  size_t held_bytes() const {  // of its own
    return (own_ops_.size() + own_around_.size() + own_around_memory_.size()) * sizeof(uint32_t);
  }

 private:
  const AnalyzedTrace& analyzed_;
  const bool is_all_;
  std::vector<uint32_t> own_ops_, own_around_, own_around_memory_;  // empty: shared
  std::span<const uint32_t> ops_, around_;
};

}  // namespace skyline::analyze
