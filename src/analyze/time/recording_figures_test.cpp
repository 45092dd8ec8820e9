#include "analyze/time/recording_figures.h"

#include <gtest/gtest.h>

#include "analyze/core/activity_view.h"
#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

std::vector<Figure> figures_of(TestTrace t) {
  t.op("aten::mm", t.thread("1"), 0, 1000);
  const std::unique_ptr<const Trace> trace = t.freeze();
  return recording_figures(AnalyzedTrace(*trace));
}

TEST(RecordingFigures, AreWhatTheRecorderLeftInTheFile) {
  TestTrace t;
  t.info().metadata = {{"collector.calls", "7"}, {"collector.cost_ns", "50"}};
  const std::vector<Figure> figures = figures_of(std::move(t));
  EXPECT_EQ(std::get<int64_t>(figures[0].value), 7);
  EXPECT_EQ(std::get<int64_t>(figures[1].value), 50);
  EXPECT_EQ(std::get<int64_t>(figures[2].value), 7);
  EXPECT_DOUBLE_EQ(std::get<double>(figures[3].value), 0.05);
}

// As in a program that imports for seconds before it trains: its first step begins with all of that.
TEST(RecordingFigures, TheShareIsThatOfTheUsualStep) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.info().metadata = {{"collector.calls", "12"}, {"collector.cost_ns", "120"}};
  for (const int64_t start : {0, 100'000, 100'200})
    t.step(static_cast<int>(start), main, start, start == 0 ? 100'000 : 200)
        .op("aten::mm", main, start + 10, 20);
  const std::unique_ptr<const Trace> trace = t.freeze();
  // Two of six ranges, the step's own and the operator, begin in each step.
  EXPECT_DOUBLE_EQ(std::get<double>(recording_figures(AnalyzedTrace(*trace))[3].value),
                   120 * (2.0 / 6) / 200);
}

TEST(RecordingFigures, AreNotKnownOfOtherTracesOrFromNonsense) {
  TestTrace odd;
  odd.info().metadata = {{"collector.calls", "many"}, {"collector.cost_ns", "-3"}};
  for (const std::vector<Figure>& figures : {figures_of(TestTrace()), figures_of(std::move(odd))}) {
    for (const Figure& figure : figures)
      EXPECT_TRUE(std::holds_alternative<std::monostate>(figure.value)) << figure.def->name;
  }
}

}  // namespace
}  // namespace skyline::analyze
