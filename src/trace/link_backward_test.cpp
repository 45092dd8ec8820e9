#include "trace/link_backward.h"

#include <gtest/gtest.h>

#include "trace/test_draft.h"

namespace skyline {
namespace {

TEST(LinkBackward, TheForwardOpHasTheSameSequenceNumber) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  t.forward("aten::mm", main, 0, 10, 4);
  const SliceId relu = t.forward("aten::relu", main, 20, 10, 5);
  const SliceId backward = t.backward("ReluBackward0", autograd, 100, 10, 5);
  t.freeze();
  EXPECT_EQ(t.forward_of(backward), relu);
  EXPECT_EQ(t.forward_of(relu), SliceId());
}

TEST(LinkBackward, OfForwardOpsThatShareANumberTheLatestBeforeItIsMeant) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  t.forward("aten::linear", main, 0, 100, 7);
  const SliceId transpose = t.forward("aten::t", main, 10, 20, 7);
  const SliceId backward = t.backward("TBackward0", autograd, 200, 10, 7);
  t.forward("aten::mul", main, 300, 10, 7);  // comes too late to be meant
  t.freeze();
  EXPECT_EQ(t.forward_of(backward), transpose);
}

TEST(LinkBackward, ARetainedGraphRunsBackwardTwiceFromOneForward) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  const SliceId mm = t.forward("aten::mm", main, 0, 10, 7);
  const SliceId once = t.backward("MmBackward0", autograd, 100, 10, 7);
  const SliceId twice = t.backward("MmBackward0", autograd, 200, 10, 7);
  t.freeze();
  EXPECT_EQ(t.forward_of(once), mm);
  EXPECT_EQ(t.forward_of(twice), mm);
}

TEST(LinkBackward, WithoutANumberOrAMatchThereIsNoLink) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  t.forward("aten::mm", main, 0, 10, 7);
  const SliceId other = t.backward("MmBackward0", autograd, 100, 10, 8);
  const SliceId unnumbered = t.backward("AccumulateGrad", autograd, 200, 10, -1);
  const SliceId too_early = t.backward("MmBackward0", autograd, -50, 10, 7);
  t.freeze();
  EXPECT_EQ(t.forward_of(other), SliceId());
  EXPECT_EQ(t.forward_of(unnumbered), SliceId());
  EXPECT_EQ(t.forward_of(too_early), SliceId());
}

TEST(LinkBackward, NumbersOfAnotherProcessDoNotCount) {
  TestDraft t;
  const SliceId here = t.forward("aten::mm", t.track("1", "1"), 0, 10, 7);
  t.forward("aten::mm", t.track("2", "1"), 50, 10, 7);
  const SliceId backward = t.backward("MmBackward0", t.track("1", "2"), 100, 10, 7);
  t.freeze();
  EXPECT_EQ(t.forward_of(backward), here);
}

TEST(LinkBackward, AnArrowIsBelievedBeforeTheNumber) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  const SliceId linear = t.forward("aten::linear", main, 0, 100, 7);
  t.forward("aten::t", main, 10, 20, 7);
  const SliceId backward = t.backward("TBackward0", autograd, 200, 10, 7);
  t.arrow(1, main, 0, autograd, 200);
  t.freeze();
  EXPECT_EQ(t.forward_of(backward), linear);
}

TEST(LinkBackward, OfOpsThatStartWhereAnArrowStartsTheOneWithTheNumberIsMeant) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  const SliceId outer = t.forward("aten::linear", main, 0, 100, 6);
  const SliceId inner = t.forward("aten::t", main, 0, 20, 7);
  const SliceId same = t.backward("TBackward0", autograd, 200, 10, 7);
  const SliceId other = t.backward("Mystery", autograd, 300, 10, 9);
  t.arrow(1, main, 0, autograd, 200);
  t.arrow(2, main, 0, autograd, 300);
  t.freeze();
  EXPECT_EQ(t.forward_of(same), inner);
  EXPECT_EQ(t.forward_of(other), outer);  // none has the number: the outermost
}

TEST(LinkBackward, ArrowsWithOneEndOrToNowhereFallBackToTheNumber) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  const SliceId mm = t.forward("aten::mm", main, 0, 10, 7);
  const SliceId backward = t.backward("MmBackward0", autograd, 200, 10, 7);
  const SliceId next = t.backward("MmBackward0", autograd, 300, 10, 7);
  t.builder.forward_backward.push_back({1, 200, autograd, false});  // an end without a start
  t.arrow(2, main, 5555, autograd, 300);                            // no op starts there
  t.freeze();
  EXPECT_EQ(t.forward_of(backward), mm);
  EXPECT_EQ(t.forward_of(next), mm);
}

TEST(LinkBackward, OfTwoArrowsToOnePlaceTheLastInTheFileCounts) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  t.forward("aten::a", main, 0, 10, 7);
  const SliceId b = t.forward("aten::b", main, 20, 10, 7);
  t.forward("aten::c", main, 40, 10, 7);
  const SliceId backward = t.backward("Backward", autograd, 200, 10, 7);
  t.arrow(1, main, 0, autograd, 200);
  t.arrow(2, main, 20, autograd, 200);
  t.freeze();
  EXPECT_EQ(t.forward_of(backward), b);
}

// Two data-parallel threads count separately, so both have a number 7. torch's thread numbers 1 and 2
// are not the system's; the numbers that only one thread has tell which is which.
TEST(LinkBackward, WhereThreadsCompeteTheirUnambiguousLinksDecide) {
  TestDraft t;
  const TrackId one = t.track("1", "11"), two = t.track("1", "22"), autograd = t.track("1", "33");
  const SliceId seven_one = t.forward("aten::mm", one, 0, 10, 7);
  const SliceId seven_two = t.forward("aten::mm", two, 5, 10, 7);
  t.forward("aten::add", one, 20, 10, 8);
  t.forward("aten::add", two, 20, 10, 9);
  const SliceId contested_one = t.backward("MmBackward0", autograd, 100, 5, 7, 1);
  const SliceId contested_two = t.backward("MmBackward0", autograd, 110, 5, 7, 2);
  t.backward("AddBackward0", autograd, 120, 5, 8, 1);
  t.backward("AddBackward0", autograd, 130, 5, 9, 2);
  t.freeze();
  EXPECT_EQ(t.forward_of(contested_one), seven_one);
  EXPECT_EQ(t.forward_of(contested_two), seven_two);
}

TEST(LinkBackward, AnnotationsAreNotForwardOps) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  const SliceId mm = t.forward("aten::mm", main, 0, 10, 7);
  t.annotation("range", main, 50, 10);
  t.draft().ops.sequence.back() = 7;
  const SliceId backward = t.backward("MmBackward0", autograd, 100, 10, 7);
  t.freeze();
  EXPECT_EQ(t.forward_of(backward), mm);
}

TEST(LinkBackward, ManyOpsWithOneNumberAllFindTheirLatest) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  constexpr int kCount = 20000;
  std::vector<SliceId> forwards, backwards;
  for (int i = 0; i < kCount; ++i) forwards.push_back(t.forward("f", main, 10 * i, 4, 3));
  for (int i = 0; i < kCount; ++i) backwards.push_back(t.backward("b", autograd, 10 * i + 5, 3, 3));
  t.freeze();
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(t.forward_of(backwards[i]), forwards[i]);
}

// A broken clock gives half of the file the same time; looking at each of them for each arrow would take
// four hundred million steps.
TEST(LinkBackward, OfVeryManyOpsAtOneMomentTheOutermostAreLookedAt) {
  TestDraft t;
  const TrackId main = t.track("1", "1"), autograd = t.track("1", "2");
  constexpr int kCount = 20000;
  std::vector<SliceId> forwards, backwards;
  for (int i = 0; i < kCount; ++i) forwards.push_back(t.forward("f", main, 0, 4, i));
  for (int i = 0; i < kCount; ++i) {
    backwards.push_back(t.backward("b", autograd, 10 * (i + 1), 3, i));
    t.arrow(static_cast<uint64_t>(i), main, 0, autograd, 10 * (i + 1));
  }
  t.freeze();
  EXPECT_EQ(t.forward_of(backwards[0]), forwards[0]);
  EXPECT_EQ(t.forward_of(backwards[200]), forwards[200]);
  EXPECT_EQ(t.forward_of(backwards[kCount - 1]), forwards[0]);
}

}  // namespace
}  // namespace skyline
