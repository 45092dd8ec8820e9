#include "analyze/timeline/slice.h"

#include <gtest/gtest.h>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

SliceId find(const Trace& trace, std::string_view name) {
  for (uint32_t s = 0; s < trace.slices.size(); ++s) {
    if (trace.slice_name(SliceId(s)) == name) return SliceId(s);
  }
  ADD_FAILURE() << "no slice " << name;
  return SliceId(0);
}

SliceAbout about(const Trace& trace, std::string_view name) {
  return about_slice(trace, TimelineLinks(trace), find(trace, name));
}

using Flows = std::vector<TimelineFlow>;

std::unique_ptr<const Trace> launching_trace() {
  TestTrace t;
  const TrackId main = t.thread("1"), stream = t.stream(7);
  t.step(3, main, 0, 1000);
  t.python("train.py(12): main", main, 5, 900).python("nn.Module: Linear_0", main, 6, 800);
  t.op("linear", main, 10, 200).op("mm", main, 20, 100);
  t.launch(main, 30, 10, 1, 0, "launch")
      .kernel("gemm", stream, 1500, 50, 1)
      .kernel("second", stream, 1600, 50, 1);
  t.launch(main, 50, 5, 2, 0, "starts nothing");
  t.op("outside", main, 300, 50).launch(main, 310, 5, 3, 0, "launch outside").kernel("k", stream, 1700, 5, 3);
  return t.freeze();
}

TEST(TimelineSlice, AnOperatorLeadsToWhatItStarts) {
  const auto trace = launching_trace();
  const Flows expected = {{FlowKind::kLaunch, find(*trace, "launch")},
                          {FlowKind::kActivity, find(*trace, "gemm")},
                          {FlowKind::kActivity, find(*trace, "second")}};
  EXPECT_EQ(about(*trace, "mm").flows, expected);
  EXPECT_EQ(about(*trace, "linear").flows, expected);
}

TEST(TimelineSlice, AnActivityLeadsBackToItsLaunchAndOperator) {
  const auto trace = launching_trace();
  EXPECT_EQ(about(*trace, "second").flows,
            (Flows{{FlowKind::kLaunch, find(*trace, "launch")}, {FlowKind::kOp, find(*trace, "mm")}}));
  EXPECT_EQ(about(*trace, "launch").flows, (Flows{{FlowKind::kOp, find(*trace, "mm")},
                                                  {FlowKind::kActivity, find(*trace, "gemm")},
                                                  {FlowKind::kActivity, find(*trace, "second")}}));
}

TEST(TimelineSlice, DeviceWorkIsOfItsLaunchsStepAndLines) {
  const auto trace = launching_trace();
  const SliceAbout kernel = about(*trace, "gemm");
  EXPECT_EQ(kernel.step, 3);
  EXPECT_EQ(kernel.stack, (std::vector<ProgramLine>{{"train.py", 12, "main"}}));
  EXPECT_EQ(kernel.module, "Linear_0");
  EXPECT_TRUE(kernel.parents.empty());
}

TEST(TimelineSlice, ParentsComeFromTheOutside) {
  const auto trace = launching_trace();
  EXPECT_EQ(about(*trace, "mm").parents,
            (std::vector<SliceId>{find(*trace, "ProfilerStep#3"), find(*trace, "train.py(12): main"),
                                  find(*trace, "nn.Module: Linear_0"), find(*trace, "linear")}));
}

TEST(TimelineSlice, SelfTimeIsWithoutTheSlicesDirectlyInside) {
  const auto trace = launching_trace();
  EXPECT_EQ(about(*trace, "linear").self_ns, 100);
  EXPECT_EQ(about(*trace, "mm").self_ns, 85);
  EXPECT_EQ(about(*trace, "launch").self_ns, 10);
}

TEST(TimelineSlice, ForwardAndBackwardLeadToEachOther) {
  TestTrace t;
  const TrackId main = t.thread("1"), autograd = t.thread("2");
  const ModuleId module = t.module("layers.0", "Linear");
  const StackId stack = t.stack(t.stack(StackId(), "train.py", "main", 3), "model.py", "forward", 7, module);
  t.op("mm", main, 0, 10).gradient(5, 0).called_from(stack);
  t.op("MmBackward", autograd, 100, 10).gradient(5, 1);
  const auto trace = t.freeze();
  EXPECT_EQ(about(*trace, "mm").flows, (Flows{{FlowKind::kBackward, find(*trace, "MmBackward")}}));
  EXPECT_EQ(about(*trace, "MmBackward").flows, (Flows{{FlowKind::kForward, find(*trace, "mm")}}));
  EXPECT_EQ(about(*trace, "mm").stack,
            (std::vector<ProgramLine>{{"train.py", 3, "main"}, {"model.py", 7, "forward"}}));
  EXPECT_EQ(about(*trace, "mm").module, "layers.0 (Linear)");
}

TEST(TimelineSlice, ManyFlowsAndParentsAreCutShort) {
  TestTrace t;
  const TrackId main = t.thread("1"), stream = t.stream(7);
  constexpr int kDepth = 5000;
  for (int i = 0; i < kDepth; ++i) t.op(i == 0 ? "outermost" : "op", main, i, 10 * kDepth - 2 * i);
  for (int i = 0; i < 1000; ++i) {
    t.launch(main, kDepth + i, 1, static_cast<uint64_t>(i) + 1, 0, i == 999 ? "last" : "launch");
    t.kernel("k", stream, kDepth + i, 1, static_cast<uint64_t>(i) + 1);
  }
  const auto trace = t.freeze();
  EXPECT_EQ(about(*trace, "outermost").flows.size(), TimelineLinks::kMostFlows);
  EXPECT_EQ(about(*trace, "last").parents.size(), 256u);
  EXPECT_EQ(trace->slices.parent[find(*trace, "last").value], about(*trace, "last").parents.back());
}

}  // namespace
}  // namespace skyline::analyze
