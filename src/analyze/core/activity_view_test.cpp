#include "analyze/core/activity_view.h"

#include <gtest/gtest.h>

#include <random>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

TEST(ActivityView, StreamsAreMergedByStart) {
  TestTrace t;
  t.kernel("a", t.stream(7), 0, 10).kernel("b", t.stream(7), 50, 10).kernel("c", t.stream(20), 5, 10);
  t.kernel("d", t.stream(3), 60, 1).kernel("e", t.stream(3), 4, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const ActivityView view(*trace);
  std::string order;
  for (const ActivitySpan& row : view.rows()) order += trace->strings[row.name];
  EXPECT_EQ(order, "aecbd");
}

TEST(ActivityView, ManyStreamsComeOutSorted) {
  std::mt19937 random(3);
  TestTrace t;
  for (int i = 0; i < 1000; ++i) t.kernel("k", t.stream(random() % 13), random() % 500, random() % 20);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const ActivityView view(*trace);
  ASSERT_EQ(view.rows().size(), 1000u);
  for (size_t i = 1; i < view.rows().size(); ++i)
    EXPECT_LE(view.rows()[i - 1].start_ns, view.rows()[i].start_ns);
}

TEST(ActivityView, WindowCountsActivitiesOfNoLength) {
  TestTrace t;
  t.kernel("a", t.stream(7), 100, 0).kernel("b", t.stream(7), 200, 50).kernel("c", t.stream(20), 900, 0);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const ActivityView view(*trace);
  EXPECT_EQ(view.window_ns([](const ActivitySpan&) { return true; }), 800);
  EXPECT_EQ(view.window_ns([](const ActivitySpan&) { return false; }), 0);
  EXPECT_EQ(view.covered().total_ns(), 50);
}

TEST(ActivityView, NegativeTimesAreTimesToo) {
  TestTrace t;
  t.kernel("a", t.stream(7), -100, 10).kernel("b", t.stream(7), -50, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(ActivityView(*trace).window_ns([](const ActivitySpan&) { return true; }), 60);
}

}  // namespace
}  // namespace skyline::analyze
