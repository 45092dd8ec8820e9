#include <gtest/gtest.h>

#include "serve/methods/test_context.h"

namespace skyline::serve {
namespace {

TEST(MemoryMethods, TheCurveOfAStretchOfTime) {
  TestContext context;
  EXPECT_EQ(
      context.ask("memory_curve", R"("start_ns":20000,"end_ns":90000)"),
      R"({"id":1,"result":{"devices": [{"name": "cpu", "peak_bytes": 500, "peak_ns": 55000}], "device": 0, )"
      R"("start_ns": 20000, "end_ns": 90000, "time_ns": [20000, 55000, 80000], )"
      R"("low_bytes": [400, 500, 100], "high_bytes": [400, 500, 100], "reserved_bytes": []}})");
  EXPECT_TRUE(
      contains(context.ask("memory_curve", R"("points":1)"), R"("low_bytes": [0], "high_bytes": [500])"));
}

TEST(MemoryMethods, ThePeakWithItsModulesLinesAndBlocks) {
  TestContext context;
  const std::string answer = context.ask("memory_peak");
  EXPECT_TRUE(contains(answer, R"("device": "cpu", "peak_bytes": 500, "time_ns": 55000, "step": 1)"))
      << answer;
  EXPECT_TRUE(contains(answer,
                       R"("links": [{"module": 0, "line": 0, "bytes": 500}, )"
                       R"({"module": 1, "line": 0, "bytes": 500}, {"module": 2, "line": 0, "bytes": 400}])"))
      << answer;
  EXPECT_TRUE(contains(answer, R"({"bytes": 400, "role": "activations", "name": "", "module": "fc", )"
                               R"("file": "model.py", "line": 5, "op": "aten::linear"})"))
      << answer;
  EXPECT_TRUE(contains(answer, R"("block_count": 2)")) << answer;
}

TEST(MemoryMethods, WhatCannotBeShownIsSaid) {
  TestContext context;
  EXPECT_TRUE(contains(context.ask("memory_curve", R"("device":4)"), "there is no device 4"));
  EXPECT_TRUE(contains(context.ask("memory_peak", R"("device":-1)"), "there is no device -1"));
  EXPECT_TRUE(contains(context.ask("memory_peak", R"("step":7)"), "there is no step 7"));
  EXPECT_TRUE(contains(context.ask("memory_curve", R"("start_ns":9223372036854775807)"), "error"));
  EXPECT_TRUE(
      contains(context.ask("memory_curve", R"("start_ns":90,"end_ns":10,"points":-5)"), R"("end_ns": 91)"));
  TraceBuilder nothing;
  TestContext empty{std::move(nothing).freeze(1)};
  EXPECT_TRUE(contains(empty.ask("memory_curve"), "the trace has no memory events"));
  EXPECT_TRUE(contains(empty.ask("memory_peak"), "the trace has no memory events"));
}

}  // namespace
}  // namespace skyline::serve
