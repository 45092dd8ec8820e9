#include "analyze/time/op_time.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

std::map<std::string, int64_t> self_times(const Trace& trace) {
  std::map<std::string, int64_t> self;
  const std::vector<uint32_t> calls = operator_calls(trace);
  for_each_self_stretch(trace, calls, [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
    self[std::string(trace.slice_name(trace.ops.slice[op]))] += end_ns - start_ns;
  });
  return self;
}

using Times = std::map<std::string, int64_t>;

TEST(OpTime, ChildrensTimeIsNotTheParents) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("a", main, 0, 100).op("b", main, 10, 30).op("c", main, 15, 5).op("d", main, 60, 40);
  EXPECT_EQ(self_times(*t.freeze()), (Times{{"a", 30}, {"b", 25}, {"c", 5}, {"d", 40}}));
}

TEST(OpTime, PythonAnnotationsAndRuntimeCallsInsideCountToTheOperator) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("a", main, 0, 100).python("f", main, 10, 50).annotation("note", main, 20, 30).launch(main, 25, 5, 1);
  EXPECT_EQ(self_times(*t.freeze()), (Times{{"a", 100}}));
}

TEST(OpTime, OfTwoThatOverlapInPartTheLaterHasTheSharedTime) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("a", main, 0, 10).op("b", main, 5, 10);
  EXPECT_EQ(self_times(*t.freeze()), (Times{{"a", 5}, {"b", 10}}));
}

TEST(OpTime, ThreadsDoNotDisturbEachOther) {
  TestTrace t;
  t.op("a", t.thread("1"), 0, 100).op("b", t.thread("2"), 10, 20).op("c", t.thread("2"), 200, 1);
  EXPECT_EQ(self_times(*t.freeze()), (Times{{"a", 100}, {"b", 20}, {"c", 1}}));
}

TEST(OpTime, TorchsOwnRangesAreNotOperatorsEvenIfWrittenAsSuch) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("ProfilerStep#1", main, 0, 100)
      .op("Optimizer.step#SGD.step", main, 10, 20)
      .op("aten::add_", main, 12, 5);
  EXPECT_EQ(self_times(*t.freeze()), (Times{{"aten::add_", 5}}));
}

// At every nanosecond: of the open calls the one that comes last in the table.
Times slow_self_times(const Trace& trace) {
  Times self;
  for (uint32_t track = 0; track < trace.tracks.size(); ++track) {
    for (int64_t now = 0; now < 200; ++now) {
      SliceId innermost;
      for (const SliceId slice : trace.ops.slice) {
        const bool is_open = trace.slices.start_ns[slice.value] <= now && now < trace.slices.end_ns(slice);
        if (is_open && trace.slices.track[slice.value] == TrackId(track)) innermost = slice;
      }
      if (innermost.exists()) ++self[std::string(trace.slice_name(innermost))];
    }
  }
  return self;
}

TEST(OpTime, AgreesWithLookingAtEveryNanosecond) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    TestTrace t;
    for (int i = 0; i < 12; ++i) {
      t.op(std::string(1, static_cast<char>('a' + random() % 6)), t.thread(random() % 2 ? "1" : "2"),
           random() % 100, random() % 60);
    }
    const std::unique_ptr<const Trace> trace = t.freeze();
    ASSERT_EQ(self_times(*trace), slow_self_times(*trace)) << "round " << round;
  }
}

}  // namespace
}  // namespace skyline::analyze
