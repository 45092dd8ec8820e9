// What must hold in any trace: every nanosecond of the iteration is in exactly one place.
#include <gtest/gtest.h>

#include "analyze/core/test_random_trace.h"
#include "analyze/core/test_random_training.h"
#include "analyze/places/breakdown.h"
#include "analyze/places/wall_stretches.h"

namespace skyline::analyze {
namespace {

void expect_equal(const BreakdownTimes& a, const BreakdownTimes& b) {
  EXPECT_EQ(a.host, b.host);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.calls, b.calls);
}

void expect_a_tree(const BreakdownTree& nodes) {
  std::vector<BreakdownTimes> sums;
  for (const BreakdownNode& node : nodes) sums.push_back(node.own);
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    const uint32_t parent = nodes[i].parent;
    ASSERT_LT(parent, i);
    EXPECT_EQ(nodes[i].depth, nodes[parent].depth + 1);
    EXPECT_LE(nodes[i].end, nodes[parent].end);
    sums[parent].add(nodes[i].total);
  }
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    expect_equal(sums[i], nodes[i].total);
    BreakdownTimes uses;
    for (const OpUse& use : nodes[i].uses) {
      uses.host.add(use.phase, use.host_ns);
      uses.device.add(use.phase, use.device_ns);
      uses.calls += use.calls;
    }
    EXPECT_EQ(uses.calls, nodes[i].own.calls);
    for (const PhaseDef& phase : kPhases) EXPECT_LE(uses.host[phase.phase], nodes[i].own.host[phase.phase]);
  }
  EXPECT_EQ(nodes[0].end, nodes.size());
}

int64_t device_time_of(const Trace& trace, const Step& step) {
  int64_t sum = 0;
  for (uint32_t row = 0; row < trace.activities.size(); ++row) {
    const SliceId slice = trace.activities.slice[row], launch = trace.activities.launch[row];
    const int64_t start = trace.slices.start_ns[(launch.exists() ? launch : slice).value];
    if (start >= step.start_ns && start < step.end_ns) sum += trace.slices.dur_ns[slice.value];
  }
  return sum;
}

void expect_every_nanosecond_once(const Trace& trace, const Step& step) {
  const Breakdown breakdown = break_down(AnalyzedTrace(trace), step);
  for (const BreakdownTree* tree : {&breakdown.modules, &breakdown.lines}) {
    ASSERT_FALSE(tree->empty());
    expect_a_tree(*tree);
    EXPECT_EQ(tree->front().total.host.sum(), step.end_ns - step.start_ns);
    EXPECT_EQ(tree->front().total.device.sum(), device_time_of(trace, step));
  }
  expect_equal(breakdown.modules[0].total, breakdown.lines[0].total);
  BreakdownTimes lines = breakdown.lines[0].own;
  for (const LineTimes& line : breakdown.flat_lines) {
    lines.add(line.own);
    lines.host.add(line.near);
    EXPECT_LE(line.own.host.sum(), line.total.host.sum());
    EXPECT_LE(line.total.host.sum(), breakdown.wall_ns());
  }
  expect_equal(lines, breakdown.lines[0].total);
}

void expect_a_partition(const Trace& trace, const Step& step) {
  const AnalyzedTrace analyzed(trace);
  const OpPlaces& places = analyzed.get<OpPlaces>();
  int64_t now = step.start_ns;
  for (const Stretch& stretch : cut_wall_time(trace, places, {step.track, step.start_ns, step.end_ns})) {
    EXPECT_EQ(stretch.start_ns, now);
    EXPECT_LT(stretch.start_ns, stretch.end_ns);
    now = stretch.end_ns;
  }
  EXPECT_EQ(now, step.end_ns);
}

TEST(BreakdownLaws, EveryNanosecondOfAnyTrainingIsInOnePlace) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<const Trace> trace = random_training(seed);
    for (const Step& step : trace->steps) {
      expect_every_nanosecond_once(*trace, step);
      expect_a_partition(*trace, step);
    }
  }
}

TEST(BreakdownLaws, EveryNanosecondOfAnyTraceIsInOnePlace) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    for (const Step& step : trace->steps) {
      expect_every_nanosecond_once(*trace, step);
      expect_a_partition(*trace, step);
    }
  }
}

TEST(BreakdownLaws, TheDiceThrowEveryPhase) {
  PhaseTimes all;
  for (unsigned seed = 0; seed < 50; ++seed)
    all.add(break_down(AnalyzedTrace(*random_training(seed))).modules[0].total.host);
  for (const PhaseDef& phase : kPhases) {
    EXPECT_EQ(all[phase.phase] > 0, phase.phase != Phase::kUntracked) << phase.name;
  }
}

}  // namespace
}  // namespace skyline::analyze
