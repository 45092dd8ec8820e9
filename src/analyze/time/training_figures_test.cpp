#include "analyze/time/training_figures.h"

#include <gtest/gtest.h>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

std::optional<int64_t> whole(const Trace& trace, std::string_view name) {
  for (const Figure& figure : compute_figures(AnalyzedTrace(trace))) {
    if (figure.def->name != name) continue;
    const int64_t* value = std::get_if<int64_t>(&figure.value);
    return value == nullptr ? std::nullopt : std::optional(*value);
  }
  return std::nullopt;
}

std::optional<double> training_number(const Trace& trace, std::string_view name) {
  for (const Figure& figure : compute_figures(AnalyzedTrace(trace))) {
    if (figure.def->name == name && std::holds_alternative<double>(figure.value))
      return std::get<double>(figure.value);
  }
  return std::nullopt;
}

// Forward and backward of one micro-batch; with a checkpoint, forward once more inside the backward pass.
void micro_batch(TestTrace& t, TrackId main, int64_t at, int64_t sequence, bool checkpoint = false) {
  t.op("aten::mm", main, at, 10).gradient(sequence, 0);
  t.op("MmBackward0", main, at + 20, 30).gradient(sequence, 1);
  if (checkpoint) {
    t.op("aten::mm", main, at + 25, 5).gradient(sequence + 1, 0);
    t.op("MmBackward0", main, at + 55, 5).gradient(sequence + 1, 1);
  }
}

TEST(TrainingFigures, MicroBatchesAreTheBackwardPassesOfAStep) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.annotation("Skyline.begin", main, 0, 0);
  for (int64_t i = 0; i < 8; ++i) micro_batch(t, main, 100 * i, 2 * i);
  t.annotation("Skyline.optimizer#0", main, 390, 0).annotation("Skyline.optimizer#0", main, 790, 0);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(whole(*trace, "trace.steps"), 2);
  EXPECT_EQ(whole(*trace, "training.micro_batches"), 4);
  EXPECT_EQ(whole(*trace, "training.optimizers"), 1);
  EXPECT_EQ(whole(*trace, "training.optimizer_steps"), 2);
}

TEST(TrainingFigures, RecomputingInsideABackwardPassIsNoSecondOne) {
  TestTrace t;
  const TrackId main = t.thread("1");
  micro_batch(t, main, 0, 1, true);
  t.annotation("Optimizer.step#SGD.step", main, 90, 5);
  EXPECT_EQ(whole(*t.freeze(), "training.micro_batches"), 1);
}

TEST(TrainingFigures, WithoutADataLoaderSamplesAreWhatTheModelIsCalledWith) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.annotation("Skyline.begin", main, 0, 0);
  for (int64_t i = 0; i < 2; ++i) {
    t.annotation("Skyline.model_samples#8", main, 100 * i + 1, 0);
    micro_batch(t, main, 100 * i + 2, 2 * i);
    t.annotation("Skyline.optimizer#0", main, 100 * i + 90, 0);
  }
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(whole(*trace, "training.samples"), std::nullopt);
  EXPECT_EQ(whole(*trace, "training.model_samples"), 16);
  EXPECT_TRUE(training_number(*trace, "training.samples_per_second").has_value());
}

TEST(TrainingFigures, ADataLoadersBatchesCountBeforeWhatTheModelIsCalledWith) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.annotation("Skyline.begin", main, 0, 0);
  t.annotation("Skyline.samples#4", main, 1, 0).annotation("Skyline.model_samples#8", main, 2, 0);
  micro_batch(t, main, 3, 1);
  t.annotation("Skyline.optimizer#0", main, 90, 0);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(whole(*trace, "training.samples"), 4);
  EXPECT_EQ(whole(*trace, "training.model_samples"), std::nullopt);
}

TEST(TrainingFigures, SamplesAreThoseOfStepsOnly) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.annotation("Skyline.begin", main, 0, 0);
  t.annotation("Skyline.samples#32", main, 10, 0).annotation("Skyline.optimizer#0", main, 1000, 0);
  t.annotation("Skyline.evaluation_begin", main, 1100, 0).annotation("Skyline.samples#500", main, 1200, 0);
  t.annotation("Skyline.evaluation_end", main, 4000, 0);
  t.annotation("Skyline.samples#32", main, 4010, 0).annotation("Skyline.optimizer#0", main, 5000, 0);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(whole(*trace, "training.samples"), 64);
  EXPECT_DOUBLE_EQ(training_number(*trace, "training.samples_per_second").value(), 64 / 2000e-9);
  EXPECT_EQ(whole(*trace, "training.evaluation"), 2900);
}

// Steps with so many batches of 32 samples fetched in each.
std::optional<int64_t> samples_of(std::initializer_list<int> batches_per_step) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.annotation("Skyline.begin", main, 0, 0);
  int64_t now = 0;
  for (const int batches : batches_per_step) {
    for (int i = 0; i < batches; ++i) t.annotation("Skyline.samples#32", main, now += 10, 0);
    t.annotation("Skyline.optimizer#0", main, now += 100, 0);
  }
  return whole(*t.freeze(), "training.samples");
}

TEST(TrainingFigures, ABatchThatWasOnlyFetchedAheadIsNotTrainedOn) {
  EXPECT_EQ(samples_of({2, 1, 1, 1}), 4 * 32) << "the loader is one batch ahead at the end";
  EXPECT_EQ(samples_of({3, 1, 1, 1, 0}), 5 * 32) << "one of two is used up";
  EXPECT_EQ(samples_of({2, 1, 1, 0}), 4 * 32) << "a whole epoch: each batch was used";
  EXPECT_EQ(samples_of({2, 1, 1, 0, 2, 1}), 6 * 32) << "the second epoch is one ahead";
  EXPECT_EQ(samples_of({5, 4, 4}), 12 * 32) << "gradients accumulated over four batches";
  EXPECT_EQ(samples_of({4, 4, 2}), 10 * 32) << "a last step with less";
  EXPECT_EQ(samples_of({2, 1}), 3 * 32) << "too few steps to tell";
  EXPECT_EQ(samples_of({2, 1, 5, 1}), 9 * 32) << "as many micro-batches as it comes";
  EXPECT_EQ(samples_of({5, 1, 1, 0, 0, 0, 0}), 7 * 32);
}

TEST(TrainingFigures, FetchesCountAlsoWhileTheDeviceWorks) {
  constexpr std::string_view kLoaderRange = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 100, 100).annotation(kLoaderRange, main, 110, 30).kernel("gemm", t.stream(7), 100, 90);
  t.annotation(kLoaderRange, main, 300, 50);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(whole(*trace, "training.fetch"), 30);

  TestTrace without_steps;
  without_steps.annotation(kLoaderRange, without_steps.thread("1"), 0, 50);
  const std::unique_ptr<const Trace> no_steps = without_steps.freeze();
  EXPECT_EQ(whole(*no_steps, "training.fetch"), std::nullopt);
}

TEST(TrainingFigures, WhatWasNotMarkedIsNotKnown) {
  TestTrace t;
  t.step(1, t.thread("1"), 0, 10).op("aten::mm", t.thread("1"), 1, 2);
  const std::unique_ptr<const Trace> trace = t.freeze();
  for (const FigureDef& def : kTrainingFigures) {
    if (def.name == "training.fetch") continue;  // ranges of torch's own show it
    EXPECT_FALSE(whole(*trace, def.name) || training_number(*trace, def.name)) << def.name;
  }
}

}  // namespace
}  // namespace skyline::analyze
