#include <gtest/gtest.h>

#include "analyze/analyze.h"
#include "analyze/core/test_random_trace.h"
#include "analyze/health/verdict_sentence.h"

namespace skyline::analyze {
namespace {

constexpr std::string_view kFetchRange = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

Verdict judge_and_check(TestTrace& t) {
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Verdict verdict = judge(AnalyzedTrace(*trace));
  EXPECT_LE(verdict.sentence.size(), 160u) << verdict.sentence;
  return verdict;
}

TEST(Verdict, BusyDeviceIsWaitedFor) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 1000).annotation(kFetchRange, main, 0, 330).op("aten::mm", main, 330, 400);
  t.kernel("gemm", t.stream(7), 340, 560).activity(Category::kMemcpy, "Memcpy", t.stream(7), 900, 10);
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.waits_for, WaitsFor::kDevice);
  EXPECT_DOUBLE_EQ(verdict.share, 0.57);
  EXPECT_EQ(verdict.sentence,
            "The step waits for the device: compute kernels run 56 % of its time (input 33 %, host 10 %, "
            "copies 1 %).");
}

// Its kernels, copies or operators may be among them.
TEST(Verdict, WorkOfUnknownCategoriesLeavesItOpen) {
  for (const bool on_host_thread : {false, true}) {
    TestTrace t;
    const TrackId main = t.thread("1");
    t.step(1, main, 0, 1000).op("aten::mm", main, 330, 400).launch(main, 340, 10, 1);
    t.activity(Category::kMemcpy, "Memcpy", t.stream(7), 350, 10, 1);
    t.unknown("gemm", on_host_thread ? main : t.stream(7), 370, 500);
    t.draft().losses.add(Loss::kUnknownCategory, 0);
    t.draft().losses.describe(Loss::kUnknownCategory, "gpu_kernel 1");
    const Verdict verdict = judge_and_check(t);
    if (on_host_thread) {
      EXPECT_EQ(verdict.waits_for, WaitsFor::kHost) << "what it is does not matter: operators have that time";
    } else {
      EXPECT_EQ(
          verdict.sentence,
          "It cannot be judged what the step waits for: events of categories that Skyline does not know "
          "(gpu_kernel 1) are left out.");
    }
  }
}

TEST(Verdict, CopiesAreNamedWhenTheyAreWhatTheDeviceDoes) {
  TestTrace t;
  t.step(1, t.thread("1"), 0, 100).activity(Category::kMemcpy, "Memcpy", t.stream(7), 10, 70);
  EXPECT_EQ(judge_and_check(t).sentence,
            "The step waits for the device: copies run 70 % of its time (host 30 %).");
}

TEST(Verdict, IdleDeviceDuringFetchesMeansInput) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 100).annotation(kFetchRange, main, 0, 62).kernel("gemm", t.stream(7), 60, 30);
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.waits_for, WaitsFor::kInput);
  EXPECT_EQ(
      verdict.sentence,
      "The step waits for input: while batches are fetched, the device idles 60 % of its time (compute 30 %, "
      "host 10 %).");
}

TEST(Verdict, FetchThatKernelsHideIsNotWaitedFor) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 100).annotation(kFetchRange, main, 0, 90).kernel("gemm", t.stream(7), 0, 95);
  EXPECT_EQ(judge_and_check(t).waits_for, WaitsFor::kDevice);
}

TEST(Verdict, ExposedCollectivesMeanCommunication) {
  TestTrace t;
  t.step(1, t.thread("1"), 0, 100)
      .kernel("gemm", t.stream(7), 0, 30)
      .kernel("ncclDevKernel", t.stream(20), 20, 70);
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.waits_for, WaitsFor::kCommunication);
  EXPECT_EQ(
      verdict.sentence,
      "The step waits for communication: collectives that nothing hides take 60 % of its time (compute 30 %, "
      "host 10 %).");
}

TEST(Verdict, DeviceWithoutWorkMeansTheHost) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 100).op("aten::mm", main, 0, 100).kernel("gemm", t.stream(7), 20, 30);
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.waits_for, WaitsFor::kHost);
  EXPECT_EQ(
      verdict.sentence,
      "The step waits for the host: the device idles 70 % of its time while the host prepares work (compute "
      "30 %).");
}

TEST(Verdict, WithoutADeviceTheSentenceSaysWhatTheCpuComputes) {
  TestTrace t;
  const TrackId main = t.thread("1"), backward = t.thread("2");
  t.step(1, main, 0, 100).annotation(kFetchRange, main, 0, 9).op("aten::conv2d", main, 10, 80);
  t.op("aten::mkldnn_convolution", main, 15, 40).op("aten::mkldnn_convolution", backward, 50, 29);
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.waits_for, WaitsFor::kHost);
  EXPECT_EQ(verdict.sentence,
            "The step computes on the CPU: forward 80 %, outside operators 11 %, input 9 %.");
}

TEST(Verdict, AStepThatIsMostlyOutsideOperatorsIsPython) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 100).annotation(kFetchRange, main, 0, 12);
  t.op("aten::addmm", main, 20, 18).op("aten::mm", main, 50, 14);
  EXPECT_EQ(judge_and_check(t).sentence,
            "The step is mostly Python on the CPU: outside operators 56 %, forward 32 %, input 12 %.");
}

TEST(Verdict, WithoutOperatorsTheSentenceSaysSo) {
  TestTrace t;
  t.step(1, t.thread("1"), 0, 100).python("train.py(3): step", t.thread("1"), 0, 80);
  EXPECT_EQ(judge_and_check(t).sentence, "The step runs on the CPU, and no operator was recorded.");
}

TEST(Verdict, NamesAreCutBetweenCharacters) {
  EXPECT_EQ(shorten("größe", 7), "größe");
  EXPECT_EQ(shorten("größe", 6), "gr…");
}

TEST(Verdict, AStepThatTakesFarLongerThanTheOthersIsLeftAside) {
  TestTrace t;
  const TrackId main = t.thread("1");
  int64_t at = 0;
  for (int step = 0; step < 6; ++step) {
    const bool is_preempted = step == 2;
    const int64_t dur = is_preempted ? 5000 : 100;
    t.step(step, main, at, dur);
    if (is_preempted) t.annotation(kFetchRange, main, at, dur);
    t.kernel("gemm", t.stream(7), at, 80);
    at += dur;
  }
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.judged_ns, 500);
  EXPECT_EQ(verdict.waits_for, WaitsFor::kDevice);
}

TEST(Verdict, OnlyTheTimeOfStepsIsJudged) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::setup", main, 0, 10000).step(1, main, 20000, 100).step(2, main, 20150, 100);
  t.kernel("gemm", t.stream(7), 20000, 250);
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.judged_ns, 200);
  EXPECT_EQ(verdict.waits_for, WaitsFor::kDevice);
}

TEST(Verdict, WithoutStepsTheWholeRunIsJudged) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::mm", main, 0, 10).kernel("gemm", t.stream(7), 5, 95);
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.judged_ns, 100);
  EXPECT_EQ(verdict.sentence,
            "The run waits for the device: compute kernels run 95 % of its time (host 5 %).");
}

TEST(Verdict, PartsAddUpToTheJudgedTimeInAnyTrace) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    const Verdict verdict = judge(AnalyzedTrace(*trace));
    int64_t parts = 0, steps = 0;
    for (const VerdictPart& part : verdict.parts) parts += part.time_ns;
    steps = usual_time(*trace).total_ns();
    EXPECT_EQ(parts, verdict.judged_ns) << seed;
    EXPECT_EQ(steps, verdict.judged_ns) << seed;
    EXPECT_LE(verdict.sentence.size(), 160u) << verdict.sentence;
    EXPECT_NE(verdict.waits_for, WaitsFor::kUnknown);
  }
}

TEST(Verdict, PartsAreNamedAndDefined) {
  for (size_t i = 0; i < kParts.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(kParts[i].part), i);
    EXPECT_TRUE(kParts[i].definition.ends_with('.'));
  }
}

std::string why_not(TestTrace& t) {
  const Verdict verdict = judge_and_check(t);
  EXPECT_EQ(verdict.waits_for, WaitsFor::kUnknown);
  EXPECT_EQ(verdict.share, 0);
  EXPECT_EQ(verdict.judged_ns, 0);
  EXPECT_TRUE(verdict.parts.empty());
  return verdict.sentence;
}

TEST(NoVerdict, WithoutEvents) {
  TestTrace t;
  EXPECT_EQ(why_not(t), "It cannot be judged what the run waits for: the trace has no events.");
}

TEST(NoVerdict, WithoutTheHostButWithTheDevicesShare) {
  TestTrace t;
  t.kernel("gemm", t.stream(7), 0, 40).kernel("gemm", t.stream(7), 90, 10);
  EXPECT_EQ(why_not(t),
            "It cannot be judged what the run waits for: nothing was recorded on the host, so idle time has "
            "no cause; "
            "the device is busy 50 %.");
}

TEST(NoVerdict, WhenTheDeviceIdlesAndOnlyRuntimeCallsWereRecorded) {
  TestTrace t;
  t.launch(t.thread("1"), 0, 100, 1).kernel("gemm", t.stream(7), 10, 20, 1);
  EXPECT_EQ(
      why_not(t),
      "It cannot be judged what the run waits for: the device idles 80 % of the time, and of the host only "
      "runtime calls were recorded.");
}

TEST(NoVerdict, WhenTheFileIsCut) {
  TestTrace t;
  t.step(1, t.thread("1"), 0, 100).kernel("gemm", t.stream(7), 10, 20);
  t.draft().losses.add(Loss::kTruncated, 1000);
  EXPECT_EQ(why_not(t),
            "It cannot be judged what the step waits for: the file is cut off, and what is missing may "
            "belong to any "
            "step.");
}

TEST(NoVerdict, WhenADeviceWasUsedButNotRecorded) {
  TestTrace launches;
  launches.launch(launches.thread("1"), 0, 10, 1).op("aten::mm", launches.thread("1"), 0, 20);
  EXPECT_EQ(why_not(launches),
            "It cannot be judged what the run waits for: a device was at work (cudaLaunchKernel) but was not "
            "recorded.");
  TestTrace collectives;
  collectives.step(1, collectives.thread("1"), 0, 10)
      .annotation("nccl:all_reduce", collectives.thread("1"), 0, 5);
  EXPECT_EQ(why_not(collectives),
            "It cannot be judged what the step waits for: a device was at work (nccl:all_reduce) but was not "
            "recorded.");
}

TEST(NoVerdict, WhenHostAndDeviceDoNotMeetInTime) {
  TestTrace t;
  t.step(1, t.thread("1"), 0, 100).kernel("gemm", t.stream(7), 5000, 20);
  EXPECT_EQ(
      why_not(t),
      "It cannot be judged what the step waits for: host and device were recorded at different times, or on "
      "different clocks.");
}

TEST(NoVerdict, WhenNoOperatorWasRecorded) {
  TestTrace other;
  other.annotation("wait for children", other.thread("1"), 0, 100);
  EXPECT_EQ(why_not(other),
            "It cannot be judged what the run waits for: no operator was recorded in this process.");
  constexpr std::string_view kOwn =
      "It cannot be judged what the run waits for: no operator was recorded in this process; child "
      "processes are not recorded.";
  TestTrace own;
  own.info().producer = "skyline, PyTorch 2.13.0";
  own.annotation("wait for children", own.thread("1"), 0, 100);
  EXPECT_EQ(why_not(own), kOwn);
  TestTrace marked;
  marked.annotation("Skyline.begin", marked.thread("1"), 0, 0);
  EXPECT_EQ(why_not(marked), kOwn);
}

TEST(Verdict, FetchesAloneAreEnoughToSeeThatInputIsWaitedFor) {
  TestTrace t;
  t.annotation(kFetchRange, t.thread("1"), 0, 90).annotation("rest", t.thread("1"), 90, 10);
  EXPECT_EQ(judge_and_check(t).waits_for, WaitsFor::kInput);
}

TEST(NoVerdict, WhenNothingHasALength) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 50, 0);
  EXPECT_EQ(why_not(t), "It cannot be judged what the run waits for: what was recorded has no length.");
}

}  // namespace
}  // namespace skyline::analyze
