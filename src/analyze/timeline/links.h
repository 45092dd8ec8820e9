// What is linked to a slice, in both directions: calls and the work they started, forward and backward
// operators.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

enum class FlowKind : uint8_t { kOp, kLaunch, kActivity, kForward, kBackward };

struct TimelineFlow {
  FlowKind kind;  // what the other one is
  SliceId slice;

  bool operator==(const TimelineFlow&) const = default;
};

class TimelineLinks {
 public:
  static constexpr size_t kMostFlows = 200;

  explicit TimelineLinks(const Trace& trace);

  // From an operator: its backward or forward ones, then the calls inside it and their activities; from a
  // call: its operator and activities; from an activity: its call and that one's operator. The first
  // kMostFlows.
  std::vector<TimelineFlow> flows(SliceId slice) const;

 private:
  // Rows of one table by the row of another one that they point to.
  struct Reverse {
    std::vector<uint32_t> ends;  // per row pointed to
    std::vector<uint32_t> rows;

    std::span<const uint32_t> at(uint32_t row) const {
      const uint32_t begin = row == 0 ? 0 : ends[row - 1];
      return {rows.data() + begin, ends[row] - begin};
    }
  };

  Reverse reverse(size_t targets, const Column<SliceId>& links) const;
  void add_op(SliceId op, std::vector<TimelineFlow>& flows) const;
  void add_activities(uint32_t launch, std::vector<TimelineFlow>& flows) const;

  const Trace& trace_;
  Reverse activities_;  // by launch
  Reverse backward_;    // by forward operator
};

}  // namespace skyline::analyze
