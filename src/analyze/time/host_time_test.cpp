#include "analyze/time/host_time.h"

#include <gtest/gtest.h>

#include "analyze/analyze.h"
#include "analyze/core/figures.h"
#include "analyze/core/test_random_trace.h"

namespace skyline::analyze {
namespace {

constexpr std::string_view kFetch = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

FigureValue host_figure(const Trace& trace, std::string_view name) {
  for (const Figure& figure : compute_figures(AnalyzedTrace(trace))) {
    if (figure.def->name == name) return figure.value;
  }
  ADD_FAILURE() << "no figure " << name;
  return {};
}

TEST(HostTime, OutsideOperatorsIsWhatNoThreadSpendsInThem) {
  TestTrace t;
  const TrackId main = t.thread("1"), backward = t.thread("2");
  t.step(1, main, 0, 100).annotation(kFetch, main, 0, 10);
  t.op("aten::linear", main, 20, 20).op("aten::addmm", main, 25, 10).op("aten::relu", main, 40, 5);
  t.op("MmBackward0", backward, 42, 18).op("aten::setup", main, 200, 50);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(host_figure(*trace, "host.outside_operators"), FigureValue(int64_t{50}));  // 10 to 20, 60 to 100
  EXPECT_EQ(host_figure(*trace, "host.outside_operators_share"), FigureValue(0.5));
}

TEST(HostTime, TimeInWhichTheDeviceWorksIsNotTheHosts) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 100).op("aten::mm", main, 0, 20).kernel("gemm", t.stream(7), 10, 60);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(host_figure(*trace, "host.outside_operators"), FigureValue(int64_t{30}));
}

TEST(HostTime, WithoutStepsTheWholeRecordingCounts) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 100, 10).op("aten::mm", t.thread("1"), 190, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(host_figure(*trace, "host.outside_operators"), FigureValue(int64_t{80}));
  EXPECT_EQ(host_figure(*trace, "host.outside_operators_share"), FigureValue(0.8));
}

TEST(HostTime, WithoutOperatorsItIsNotKnown) {
  TestTrace t;
  t.step(1, t.thread("1"), 0, 100).python("train.py(3): step", t.thread("1"), 0, 80);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(host_figure(*trace, "host.outside_operators"), FigureValue());
  EXPECT_EQ(host_figure(*trace, "host.outside_operators_share"), FigureValue());
}

TEST(HostTime, IsNeverMoreThanTheHostsPartInAnyTrace) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    const FigureValue outside = host_figure(*trace, "host.outside_operators");
    if (std::holds_alternative<std::monostate>(outside)) continue;
    EXPECT_GE(std::get<int64_t>(outside), 0) << seed;
    EXPECT_LE(std::get<int64_t>(outside), judge(AnalyzedTrace(*trace)).parts.back().time_ns) << seed;
  }
}

}  // namespace
}  // namespace skyline::analyze
