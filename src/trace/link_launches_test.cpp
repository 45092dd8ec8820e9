#include "trace/link_launches.h"

#include <gtest/gtest.h>

#include "trace/test_draft.h"

namespace skyline {
namespace {

TEST(LinkLaunches, ByCorrelationEvenIfTheKernelStartsBeforeItsCall) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  const SliceId early = t.kernel(stream, 5, 10, 2), late = t.kernel(stream, 30, 10, 1);
  const SliceId first = t.launch(main, 0, 4, 1), second = t.launch(main, 9, 4, 2);
  const Trace& trace = t.freeze();
  EXPECT_EQ(t.launch_of(early), second);
  EXPECT_EQ(t.launch_of(late), first);
  EXPECT_EQ(trace.launches.activities[t.detail(first)], 1u);
}

TEST(LinkLaunches, AGraphLaunchStartsManyKernels) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  const SliceId graph = t.launch(main, 0, 4, 9);
  std::vector<SliceId> kernels;
  for (int i = 0; i < 5; ++i) kernels.push_back(t.kernel(stream, 10 + 20 * i, 10, 9));
  const Trace& trace = t.freeze();
  for (const SliceId kernel : kernels) EXPECT_EQ(t.launch_of(kernel), graph);
  EXPECT_EQ(trace.launches.activities[t.detail(graph)], 5u);
}

TEST(LinkLaunches, AKernelWithoutItsCallStaysWithoutALink) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  const SliceId call = t.launch(main, 0, 4, 1), call_without_id = t.launch(main, 5, 4, kNoCorrelation);
  const SliceId stray = t.kernel(stream, 10, 10, 2), without_id = t.kernel(stream, 30, 10, kNoCorrelation);
  const Trace& trace = t.freeze();
  EXPECT_EQ(t.launch_of(stray), SliceId());
  EXPECT_EQ(t.launch_of(without_id), SliceId());
  EXPECT_EQ(trace.launches.activities[t.detail(call)], 0u);
  EXPECT_EQ(trace.launches.activities[t.detail(call_without_id)], 0u);
}

TEST(LinkLaunches, IdsAreWholeNumbersOf64Bits) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  const SliceId low = t.launch(main, 0, 4, 7), high = t.launch(main, 10, 4, 7 + (uint64_t{1} << 32));
  const SliceId highest = t.launch(main, 20, 4, UINT64_MAX - 1), zero = t.launch(main, 30, 4, 0);
  const SliceId a = t.kernel(stream, 40, 1, UINT64_MAX - 1),
                b = t.kernel(stream, 50, 1, 7 + (uint64_t{1} << 32));
  const SliceId c = t.kernel(stream, 60, 1, 7), d = t.kernel(stream, 70, 1, 0);
  t.freeze();
  EXPECT_EQ(t.launch_of(a), highest);
  EXPECT_EQ(t.launch_of(b), high);
  EXPECT_EQ(t.launch_of(c), low);
  EXPECT_EQ(t.launch_of(d), zero);
}

TEST(LinkLaunches, WhereProcessesShareIdsTheStreamsOwnProcessIsMeant) {
  TestDraft t;
  const TrackId one = t.track("100", "100"), two = t.track("200", "200");
  const TrackId stream_one = t.track("0", "7"), stream_two = t.track("1", "7");
  const SliceId shared_one = t.launch(one, 0, 4, 5), shared_two = t.launch(two, 1, 4, 5);
  t.launch(one, 10, 4, 6);
  t.launch(two, 10, 4, 7);
  t.kernel(stream_one, 20, 2, 6);
  t.kernel(stream_two, 20, 2, 7);
  const SliceId kernel_one = t.kernel(stream_one, 30, 2, 5), kernel_two = t.kernel(stream_two, 30, 2, 5);
  t.freeze();
  EXPECT_EQ(t.launch_of(kernel_one), shared_one);
  EXPECT_EQ(t.launch_of(kernel_two), shared_two);
}

TEST(LinkLaunches, IdsThatRepeatInTimeMeanTheLatestCallBeforeTheKernel) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  const SliceId first = t.launch(main, 10, 4, 5), second = t.launch(main, 100, 4, 5);
  const SliceId before = t.kernel(stream, 5, 2, 5), between = t.kernel(stream, 50, 2, 5);
  const SliceId at = t.kernel(stream, 100, 2, 5), after = t.kernel(stream, 500, 2, 5);
  t.freeze();
  EXPECT_EQ(t.launch_of(before), first);  // none before it: the earliest after it
  EXPECT_EQ(t.launch_of(between), first);
  EXPECT_EQ(t.launch_of(at), second);
  EXPECT_EQ(t.launch_of(after), second);
}

TEST(LinkLaunches, OfCallsThatStartTogetherTheFirstInTheFileIsTaken) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  const SliceId first = t.launch(main, 10, 4, 5);
  t.launch(main, 10, 4, 5);
  const SliceId kernel = t.kernel(stream, 50, 2, 5);
  t.freeze();
  EXPECT_EQ(t.launch_of(kernel), first);
}

TEST(LinkLaunches, ManyCallsAndKernelsWithOneIdAllFindTheirNearest) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), stream = t.track("0", "7");
  constexpr int kCount = 20000;
  std::vector<SliceId> calls, kernels;
  for (int i = 0; i < kCount; ++i) calls.push_back(t.launch(main, 10 * i, 4, 5));
  for (int i = 0; i < kCount; ++i) kernels.push_back(t.kernel(stream, 10 * i + 5, 3, 5));
  t.freeze();
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(t.launch_of(kernels[i]), calls[i]);
}

TEST(LinkLaunches, TheOpOfACallIsTheInnermostAroundItOnItsThread) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), other = t.track("1", "2");
  t.op("aten::linear", main, 0, 101);
  const SliceId mm = t.op("aten::mm", main, 10, 50);
  t.annotation("range", main, 12, 40);
  t.python("frame", main, 14, 30);
  const SliceId call = t.launch(main, 20, 5, 1), outside = t.launch(main, 200, 5, 2);
  const SliceId elsewhere = t.launch(other, 20, 5, 3);
  t.freeze();
  EXPECT_EQ(t.op_of(call), mm);  // ranges and frames between them are looked through
  EXPECT_EQ(t.op_of(outside), SliceId());
  EXPECT_EQ(t.op_of(elsewhere), SliceId());
}

TEST(LinkLaunches, ACallInsideACallBelongsToTheSameOp) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  const SliceId mm = t.op("aten::mm", main, 0, 101);
  const SliceId runtime = t.launch(main, 10, 50, 1), driver = t.launch(main, 20, 10, 2);
  t.freeze();
  EXPECT_EQ(t.op_of(runtime), mm);
  EXPECT_EQ(t.op_of(driver), mm);
}

// A walk up from each call would take a hundred million steps here.
TEST(LinkLaunches, CallsFindTheirOpThroughAnyNumberOfFrames) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  constexpr int kDepth = 20000;
  const SliceId op = t.op("op", main, 0, 10 * kDepth + 1);
  for (int i = 1; i <= kDepth; ++i) t.python("frame", main, i, 10 * kDepth - 2 * i);
  std::vector<SliceId> calls;
  for (int i = 1; i <= kDepth; ++i) calls.push_back(t.launch(main, kDepth + 2 * i, 1, kNoCorrelation));
  t.freeze();
  for (const SliceId call : calls) ASSERT_EQ(t.op_of(call), op);
}

}  // namespace
}  // namespace skyline
