#include "trace/steps.h"

#include <gtest/gtest.h>

#include "trace/test_draft.h"

namespace skyline {
namespace {

TEST(FindSteps, ProfilerStepsInTheOrderOfTheirStarts) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  const SliceId second = t.annotation("ProfilerStep#12", main, 100, 90);
  const SliceId first = t.annotation("ProfilerStep#11", main, 0, 90);
  const Trace& trace = t.freeze();
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.step_source, StepSource::kProfilerStep);
  EXPECT_EQ(trace.steps[0].number, 11);
  EXPECT_EQ(trace.steps[0].slice, t.at(first));
  EXPECT_EQ(trace.steps[1].number, 12);
  EXPECT_EQ(trace.steps[1].slice, t.at(second));
  EXPECT_EQ(trace.steps[1].start_ns, 100);
  EXPECT_EQ(trace.steps[1].dur_ns(), 90);
  EXPECT_EQ(trace.steps[1].track, main);
}

TEST(FindSteps, CopiesOnTheDeviceAreNoSecondStep) {
  TestDraft t;
  t.annotation("ProfilerStep#1", t.track("1", "1"), 0, 90);
  t.slice(Category::kGpuAnnotation, "ProfilerStep#1", t.track("0", "7"), 20, 90);
  EXPECT_EQ(t.freeze().steps.size(), 1u);
}

TEST(FindSteps, OldTorchWroteStepsAsOperators) {
  TestDraft t;
  t.op("ProfilerStep#3", t.track("1", "1"), 0, 90);
  const Trace& trace = t.freeze();
  ASSERT_EQ(trace.steps.size(), 1u);
  EXPECT_EQ(trace.steps[0].number, 3);
}

TEST(FindSteps, AStepNeedsANumberOf64Bits) {
  for (const char* name : {"ProfilerStep#", "ProfilerStep#x", "ProfilerStep#1x", "ProfilerStep*",
                           "my ProfilerStep#1", "ProfilerStep#99999999999999999999"}) {
    TestDraft t;
    t.annotation(name, t.track("1", "1"), 0, 90);
    EXPECT_TRUE(t.freeze().steps.empty()) << name;
  }
}

TEST(FindSteps, WithoutProfilerStepsTheOptimizerEndsAStep) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.op("aten::mm", main, 10, 5);
  t.annotation("Optimizer.step#SGD.step", main, 50, 10);
  t.op("aten::mm", main, 70, 5);
  t.annotation("Optimizer.step#SGD.step", main, 100, 20);
  t.op("aten::mm", main, 130, 5);  // of a step that is not finished
  const Trace& trace = t.freeze();
  EXPECT_EQ(trace.step_source, StepSource::kOptimizerStep);
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[0].start_ns, 10);
  EXPECT_EQ(trace.steps[0].end_ns, 60);
  EXPECT_EQ(trace.steps[0].number, 0);
  EXPECT_FALSE(trace.steps[0].slice.exists());
  EXPECT_EQ(trace.steps[1].start_ns, 60);
  EXPECT_EQ(trace.steps[1].end_ns, 120);
  EXPECT_EQ(trace.steps[1].number, 1);
  EXPECT_EQ(trace.steps[1].track, main);
}

TEST(FindSteps, OfTwoOptimizersTheOneThatStepsLastEndsTheStep) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  for (int64_t step = 0; step < 3; ++step) {
    t.annotation("Optimizer.step#Adam.step", main, 1000 * step + 500, 10);
    t.annotation("Optimizer.step#SGD.step", main, 1000 * step + 600, 10);
  }
  const Trace& trace = t.freeze();
  ASSERT_EQ(trace.steps.size(), 3u);
  EXPECT_EQ(trace.steps[0].end_ns, 610);
  EXPECT_EQ(trace.steps[1].end_ns, 1610);
}

TEST(FindSteps, TheOptimizerThatStepsMoreOftenCounts) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.annotation("Optimizer.step#Rare.step", main, 900, 10);
  t.annotation("Optimizer.step#SGD.step", main, 100, 10);
  t.annotation("Optimizer.step#SGD.step", main, 200, 10);
  EXPECT_EQ(t.freeze().steps.size(), 2u);
}

// Wrappers (gradient scalers, ZeRO) call the same optimizer inside its own range.
TEST(FindSteps, AnOptimizerInsideItselfEndsOneStepOnly) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.op("aten::mm", main, 0, 5);
  t.annotation("Optimizer.step#SGD.step", main, 50, 30);
  t.annotation("Optimizer.step#SGD.step", main, 55, 10);
  t.annotation("Optimizer.step#SGD.step", main, 150, 30);
  const Trace& trace = t.freeze();
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[0].end_ns, 80);
  EXPECT_EQ(trace.steps[1].start_ns, 80);
  EXPECT_EQ(trace.steps[1].end_ns, 180);
  EXPECT_EQ(trace.steps[1].number, 1);
}

// Two optimizers of one class, as of a GAN: torch gives both ranges the same name.
TEST(MarkedSteps, AStepIsARoundInWhichAllOptimizersStep) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.annotation("Skyline.begin", main, 100, 0);
  for (int64_t round = 0; round < 3; ++round) {
    for (int64_t optimizer = 0; optimizer < 2; ++optimizer) {
      const int64_t at = 1000 * round + 400 * optimizer + 500;
      t.annotation("Optimizer.step#Adam.step", main, at - 10, 20);
      t.annotation("Skyline.optimizer#" + std::to_string(optimizer), main, at, 0);
    }
  }
  const Trace& trace = t.freeze();
  EXPECT_EQ(trace.step_source, StepSource::kOptimizerStep);
  ASSERT_EQ(trace.steps.size(), 3u);
  EXPECT_EQ(trace.steps[0].start_ns, 100);
  EXPECT_EQ(trace.steps[0].end_ns, 900);
  EXPECT_EQ(trace.steps[1].start_ns, 900);
  EXPECT_EQ(trace.steps[2].end_ns, 2900);
}

TEST(MarkedSteps, TheRarestOptimizerClosesTheRound) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.annotation("Skyline.optimizer#7", main, 1, 0);  // once, at the start: no part of the loop
  for (int64_t at = 10; at <= 100; at += 10) {
    t.annotation("Skyline.optimizer#0", main, at, 0);
    if (at % 50 == 0) t.annotation("Skyline.optimizer#1", main, at + 1, 0);
  }
  const Trace& trace = t.freeze();
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[1].start_ns, 51);
  EXPECT_EQ(trace.steps[1].end_ns, 101);
}

// Cross-validation: each fold has a model and an optimizer of its own.
TEST(MarkedSteps, LoopsAfterEachOtherAllHaveSteps) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.annotation("Skyline.begin", main, 0, 0);
  for (int64_t fold = 0; fold < 3; ++fold) {
    for (int64_t step = 1; step <= 4 - fold; ++step)
      t.annotation("Skyline.optimizer#" + std::to_string(fold), main, 100 * fold + 10 * step, 0);
  }
  const Trace& trace = t.freeze();
  ASSERT_EQ(trace.steps.size(), 4u + 3u + 2u);
  EXPECT_EQ(trace.steps[3].end_ns, 40);
  EXPECT_EQ(trace.steps[4].start_ns, 40);
  EXPECT_EQ(trace.steps[4].end_ns, 110);
}

TEST(MarkedSteps, OptimizersThatAllStepOnceMakeOneStep) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.annotation("Skyline.begin", main, 0, 0);
  for (int64_t optimizer = 0; optimizer < 3; ++optimizer)
    t.annotation("Skyline.optimizer#" + std::to_string(optimizer), main, 10 * optimizer + 10, 0);
  const Trace& trace = t.freeze();
  ASSERT_EQ(trace.steps.size(), 1u);
  EXPECT_EQ(trace.steps[0].end_ns, 30);
}

TEST(MarkedSteps, AnEvaluationBeforeAStepIsNotPartOfIt) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.annotation("Skyline.begin", main, 0, 0);
  t.annotation("Skyline.optimizer#0", main, 100, 0);
  t.annotation("Skyline.evaluation_begin", main, 110, 0);
  t.annotation("Skyline.evaluation_begin", main, 120, 0);
  t.annotation("Skyline.evaluation_end", main, 900, 0);
  t.annotation("Skyline.optimizer#0", main, 1000, 0);
  const Trace& trace = t.freeze();
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[1].start_ns, 900);
  EXPECT_EQ(trace.steps[1].end_ns, 1000);
  const std::vector<Evaluation> evaluations = find_evaluations(trace);
  ASSERT_EQ(evaluations.size(), 1u);
  EXPECT_EQ(evaluations[0].start_ns, 110);
  EXPECT_EQ(evaluations[0].end_ns, 900);
}

// Frozen parts of a model are put into evaluation mode while the rest trains.
TEST(MarkedSteps, WhatAnOptimizerStepsInIsNoEvaluation) {
  TestDraft t;
  const TrackId main = t.track("1", "1");
  t.annotation("Skyline.begin", main, 0, 0);
  for (int64_t step = 0; step < 2; ++step) {
    t.annotation("Skyline.evaluation_begin", main, 100 * step + 10, 0);
    t.annotation("Skyline.optimizer#0", main, 100 * step + 100, 0);
  }
  t.annotation("Skyline.evaluation_end", main, 210, 0);
  const Trace& trace = t.freeze();
  EXPECT_TRUE(find_evaluations(trace).empty());
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[1].start_ns, 100);
}

TEST(FindSteps, WithoutAnyMarkThereAreNone) {
  TestDraft t;
  t.op("aten::mm", t.track("1", "1"), 0, 5);
  const Trace& trace = t.freeze();
  EXPECT_TRUE(trace.steps.empty());
  EXPECT_EQ(trace.step_source, StepSource::kNone);
}

}  // namespace
}  // namespace skyline
