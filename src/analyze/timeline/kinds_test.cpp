#include "analyze/timeline/kinds.h"

#include <gtest/gtest.h>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

std::string_view kind(const Trace& trace, const TimelineKinds& kinds, std::string_view name) {
  for (uint32_t slice = 0; slice < trace.slices.size(); ++slice) {
    if (trace.slice_name(SliceId{slice}) == name) return TimelineKinds::name(kinds.of(SliceId{slice}));
  }
  return "";
}

TEST(TimelineKinds, CommunicationIsKnownOnTheHostAndOnTheDevice) {
  TestTrace t;
  const TrackId main = t.thread("1"), stream = t.stream(7);
  t.op("c10d::allreduce_", main, 0, 50).op("aten::mm", main, 60, 10);
  t.annotation("nccl:all_reduce", main, 100, 10).annotation("all_reduce of mine", main, 120, 10);
  t.python("nccl.py(3): all_reduce", main, 200, 10);
  t.kernel("ncclDevKernel_AllReduce", stream, 0, 10).kernel("gemm", stream, 20, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const TimelineKinds kinds(*trace);
  EXPECT_EQ(kind(*trace, kinds, "c10d::allreduce_"), "communication");
  EXPECT_EQ(kind(*trace, kinds, "nccl:all_reduce"), "communication");
  EXPECT_EQ(kind(*trace, kinds, "ncclDevKernel_AllReduce"), "communication");
  EXPECT_EQ(kind(*trace, kinds, "aten::mm"), "cpu_op");
  EXPECT_EQ(kind(*trace, kinds, "gemm"), "kernel");
  EXPECT_EQ(kind(*trace, kinds, "all_reduce of mine"), "user_annotation") << "the user's word is not torch's";
  EXPECT_EQ(kind(*trace, kinds, "nccl.py(3): all_reduce"), "python_function");
}

}  // namespace
}  // namespace skyline::analyze
