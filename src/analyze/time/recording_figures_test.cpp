#include "analyze/time/recording_figures.h"

#include <gtest/gtest.h>

#include "analyze/core/activity_view.h"
#include "analyze/core/test_trace.h"

namespace skyline {
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

TEST(RecordingFigures, AreNotKnownOfOtherTracesOrFromNonsense) {
  TestTrace odd;
  odd.info().metadata = {{"collector.calls", "many"}, {"collector.cost_ns", "-3"}};
  for (const std::vector<Figure>& figures : {figures_of(TestTrace()), figures_of(std::move(odd))}) {
    for (const Figure& figure : figures)
      EXPECT_TRUE(std::holds_alternative<std::monostate>(figure.value)) << figure.def->name;
  }
}

}  // namespace
}  // namespace skyline
