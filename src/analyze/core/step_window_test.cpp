#include "analyze/core/step_window.h"

#include <gtest/gtest.h>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

TEST(StepFilter, StartIsInsideAndEndIsNot) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(3, main, 100, 50).op("at_start", main, 100, 1).op("at_end", main, 150, 1);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const StepFilter filter(*trace, 3);
  std::string taken;
  for (const SliceId slice : trace->ops.slice) {
    if (filter.takes_host(slice)) taken += std::string(trace->slice_name(slice)) + " ";
  }
  EXPECT_EQ(taken, "ProfilerStep#3 at_start ");
}

TEST(TrainingThread, ThreadsWithStepsTrain) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 0, 1000).step(1, t.thread("2"), 0, 10).step(2, t.thread("2"), 10, 10);
  const TrackId trainer = t.thread("2");
  EXPECT_EQ(training_threads(*t.freeze()), std::vector<TrackId>{trainer});
}

TEST(TrainingThread, WithoutStepsItIsTheMainThread) {
  TestTrace t;
  t.op("aten::mm", t.thread("8", "77"), 0, 1000).op("aten::mm", t.thread("77", "77"), 0, 10);
  const TrackId main = t.thread("77", "77");
  EXPECT_EQ(training_threads(*t.freeze()), std::vector<TrackId>{main});
}

TEST(TrainingThread, WithoutAMainThreadItIsTheBusiest) {
  TestTrace t;
  t.op("aten::mm", t.thread("8", "77"), 0, 10).python("f", t.thread("9", "77"), 0, 1000);
  const TrackId busiest = t.thread("9", "77");
  EXPECT_EQ(training_threads(*t.freeze()), std::vector<TrackId>{busiest});
}

TEST(TrainingThread, WithoutHostEventsThereIsNone) {
  TestTrace t;
  t.kernel("gemm", t.stream(7), 0, 10);
  EXPECT_TRUE(training_threads(*t.freeze()).empty());
}

TEST(LastCompleteStep, IsTheLastInWhichOperatorsRun) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 10).op("aten::mm", main, 1, 2).step(2, main, 10, 10).op("aten::mm", main, 11, 2);
  t.step(3, main, 20, 5);  // stopped behind the last step()
  const std::unique_ptr<const Trace> trace = t.freeze();
  ASSERT_NE(last_complete_step(*trace), nullptr);
  EXPECT_EQ(last_complete_step(*trace)->number, 2);
}

TEST(LastCompleteStep, WithoutOperatorsIsTheLastThatTakesTime) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 10).step(2, main, 10, 0);
  EXPECT_EQ(last_complete_step(*t.freeze())->number, 1);
  EXPECT_EQ(last_complete_step(*TestTrace().freeze()), nullptr);
}

}  // namespace
}  // namespace skyline::analyze
