#include "analyze/memory/at_peak.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "analyze/memory/lines.h"
#include "analyze/memory/modules.h"
#include "analyze/memory/test_memory_trace.h"

namespace skyline::analyze {
namespace {

MemoryAtPeak peak_of(const Trace& trace, std::optional<int64_t> step = {}) {
  const std::vector<MemoryAtPeak> peaks = memory_at_peak(AnalyzedTrace(trace), step);
  CHECK(!peaks.empty());
  EXPECT_EQ(peaks[0].roles.sum(), peaks[0].peak.bytes);
  return peaks[0];
}

std::string roles_of(MemoryTestTrace& t) {
  const auto trace = t.freeze();
  return text_of(peak_of(*trace).roles);
}

// A step from 100 to 1000 on the main thread.
struct OneStep : MemoryTestTrace {
  TrackId main = thread("1");
  OneStep() { step(7, main, 100, 900); }
};

TEST(MemoryAtPeak, IsTheLargestSumWithinTheLastCompleteStep) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.op_with("aten::randn", main, 10, 5, 0x100, 1000).release(main, 20, 0x100, 1000);
  t.step(0, main, 100, 100).op_with("aten::mm", main, 110, 5, 0x200, 50).release(main, 120, 0x200, 50);
  t.step(1, main, 200, 100).op_with("aten::mm", main, 210, 5, 0x300, 40);
  t.op_with("aten::mm", main, 220, 5, 0x400, 2).release(main, 230, 0x400, 2);
  t.step(2, main, 300, 100);  // empty: the profile was stopped behind the last step
  const auto trace = t.freeze();
  const MemoryAtPeak found = peak_of(*trace);
  EXPECT_EQ(found.peak.step, 1);
  EXPECT_EQ(found.peak.bytes, 42);
  EXPECT_EQ(found.peak.time_ns, 220);
  EXPECT_EQ(trace->slice_name(trace->ops.slice[found.peak.op]), "aten::mm");
  EXPECT_EQ(found.recording.bytes, 1000);
  EXPECT_EQ(found.recording.time_ns, 10);
  EXPECT_FALSE(found.recording.step.has_value());
  EXPECT_TRUE(found.recording_is_before_steps);
  EXPECT_EQ(peak_of(*trace, 0).peak.bytes, 50);
}

TEST(MemoryAtPeak, WithoutStepsTheWholeRecordingIsTaken) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.op_with("aten::mm", main, 10, 5, 0x100, 8).op_with("aten::mm", main, 20, 5, 0x200, 4);
  const auto trace = t.freeze();
  const MemoryAtPeak found = peak_of(*trace);
  EXPECT_FALSE(found.peak.step.has_value());
  EXPECT_EQ(text_of(found.roles), "activations 8, temporaries 4");
}

TEST(MemoryAtPeak, AStepThatOnlyReleasesHasItsPeakAtItsBegin) {
  OneStep t;
  t.allocate(t.main, 10, 0x100, 8).op("aten::zero_", t.main, 200, 5).release(t.main, 201, 0x100, 8);
  const auto trace = t.freeze();
  const MemoryAtPeak found = peak_of(*trace);
  EXPECT_EQ(found.peak.bytes, 8);
  EXPECT_EQ(found.peak.time_ns, 100);
  EXPECT_EQ(found.peak.op, kNoRow);
}

TEST(MemoryAtPeak, TheDeviceWithTheLargestPeakComesFirst) {
  OneStep t;
  t.allocate(t.main, 200, 0x100, 4).allocate(t.main, 210, 0x200, 9, /*device_type=*/1);
  const auto trace = t.freeze();
  const std::vector<MemoryAtPeak> peaks = memory_at_peak(AnalyzedTrace(*trace));
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_EQ(name_of(peaks[0].device), "cuda");
  EXPECT_EQ(peaks[1].peak.bytes, 4);
}

TEST(MemoryAtPeak, NamedTensorsHaveTheirRole) {
  OneStep t;
  for (uint64_t i = 0; i < 5; ++i) {
    t.allocate(t.main, 10 + static_cast<int64_t>(i), 0x100 * (i + 1), int64_t{1} << i);
    t.tensor(static_cast<TensorRole>(i), "t", "", 0x100 * (i + 1), 50);
  }
  EXPECT_EQ(roles_of(t), "weights 1, buffers 2, gradients 4, optimizer_state 8, inputs 16");
}

TEST(MemoryAtPeak, TiedWeightsAndViewsCountOnce) {
  OneStep t;
  t.allocate(t.main, 10, 0x100, 64);
  t.tensor(TensorRole::kInput, "inputs[0]", "", 0x100, 50);
  t.tensor(TensorRole::kWeight, "embed.weight", "embed", 0x100, 50);
  t.tensor(TensorRole::kWeight, "head.weight", "head", 0x100, 50);
  const auto trace = t.freeze();
  const MemoryAtPeak found = peak_of(*trace);
  EXPECT_EQ(text_of(found.roles), "weights 64");
  EXPECT_EQ(trace->strings[trace->tensors.name[found.blocks[0].tensor]], "embed.weight");
}

TEST(MemoryAtPeak, ANameIsForTheBlockThatLivedThen) {
  OneStep t;
  t.allocate(t.main, 10, 0x100, 8).release(t.main, 20, 0x100, 8);
  t.op_with("aten::mm", t.main, 200, 10, 0x100, 4).op_with("aten::mm", t.main, 300, 10, 0x200, 4);
  t.release(t.main, 400, 0x100, 4).allocate(t.main, 500, 0x100, 2);
  t.tensor(TensorRole::kWeight, "before", "", 0x100, 15);
  t.tensor(TensorRole::kWeight, "behind", "", 0x100, 600);
  EXPECT_EQ(roles_of(t), "activations 4, temporaries 4");

  OneStep named;
  named.op_with("aten::mm", named.main, 200, 10, 0x100, 4)
      .tensor(TensorRole::kGradient, "w.grad", "", 0x100, 450);
  named.release(named.main, 500, 0x100, 4);
  EXPECT_EQ(roles_of(named), "gradients 4");
}

TEST(MemoryAtPeak, AResizedTensorIsItsNewBlock) {
  OneStep t;
  t.allocate(t.main, 10, 0x100, 8).tensor(TensorRole::kBuffer, "b", "", 0x100, 50);
  t.op_with("aten::resize_", t.main, 200, 10, 0x200, 32).release(t.main, 205, 0x100, 8);
  t.tensor(TensorRole::kBuffer, "b", "", 0x200, 400);
  EXPECT_EQ(roles_of(t), "buffers 40");  // both live while it is copied
}

TEST(MemoryAtPeak, WhatAForwardOpMadeIsAnActivationOnceItHasEnded) {
  OneStep t;
  t.op_with("aten::relu", t.main, 200, 10, 0x100, 1).op_with("aten::exp", t.main, 300, 100, 0x200, 2);
  EXPECT_EQ(roles_of(t), "activations 1, temporaries 2");
}

TEST(MemoryAtPeak, HelpersInsideAnOperatorThatStillRunsMakeTemporaries) {
  OneStep t;
  t.op("aten::lstm", t.main, 200, 500).gradient(1, 0);
  t.op("aten::addmm", t.main, 210, 20).gradient(2, 0).op_with("aten::empty", t.main, 211, 2, 0x100, 1);
  t.op("aten::native_batch_norm", t.main, 300, 100).gradient(3, 0);
  t.op_with("aten::zeros", t.main, 310, 5, 0x200, 2).op_with("aten::empty", t.main, 320, 5, 0x300, 4);
  const auto trace = t.freeze();
  const MemoryAtPeak found = peak_of(*trace);
  EXPECT_EQ(text_of(found.roles), "activations 1, temporaries 6");
  EXPECT_EQ(trace->slice_name(trace->ops.slice[found.blocks[0].op]), "aten::addmm");
  EXPECT_EQ(trace->slice_name(trace->ops.slice[found.blocks[1].op]), "aten::native_batch_norm");
}

TEST(MemoryAtPeak, BackwardAndOptimizerMakeTemporaries) {
  OneStep t;
  t.op("MulBackward0", t.main, 200, 20).gradient(1, 1).op_with("aten::mul", t.main, 205, 10, 0x100, 1);
  t.annotation("Optimizer.step#SGD.step", t.main, 300, 100);
  t.op_with("aten::_foreach_mul", t.main, 310, 10, 0x200, 2).op_with("aten::add", t.main, 330, 5, 0x300, 4);
  const auto trace = t.freeze();
  const MemoryAtPeak found = peak_of(*trace);
  EXPECT_EQ(text_of(found.roles), "temporaries 7");
  EXPECT_EQ(trace->slice_name(trace->ops.slice[found.blocks[0].op]), "aten::mul");
}

TEST(MemoryAtPeak, WhatCheckpointingRecomputesIsAnActivation) {
  OneStep t;
  t.op("AddmmBackward0", t.main, 200, 200).gradient(1, 1);
  t.op("aten::linear", t.main, 210, 40).gradient(5, 0);
  t.op("aten::addmm", t.main, 220, 20).gradient(6, 0).op_with("aten::empty", t.main, 222, 2, 0x100, 1);
  t.op_with("aten::mm", t.main, 300, 50, 0x200, 2);
  EXPECT_EQ(roles_of(t), "activations 1, temporaries 2");
}

TEST(MemoryAtPeak, AClosureInsideAnOptimizerIsForward) {
  OneStep t;
  t.annotation("Optimizer.step#LBFGS.step", t.main, 200, 300);
  t.op("aten::mm", t.main, 210, 10).gradient(1, 0).allocate(t.main, 212, 0x100, 1);
  t.op_with("aten::dot", t.main, 300, 10, 0x200, 2);
  EXPECT_EQ(roles_of(t), "activations 1, temporaries 2");
}

TEST(MemoryAtPeak, WhatWasThereBeforeOrHasNoOperatorIsOther) {
  OneStep t;
  t.op_with("aten::randn", t.main, 10, 5, 0x100, 1).allocate(t.main, 200, 0x200, 2);
  t.op("aten::mm", t.main, 300, 5).allocate(t.main, 310, 0x300, 4);
  EXPECT_EQ(roles_of(t), "other 7");
}

TEST(MemoryAtPeak, BlocksReleasedByAnotherThreadAreGone) {
  OneStep t;
  const TrackId other = t.thread("2");
  t.op_with("aten::relu", t.main, 200, 10, 0x100, 1).release(other, 250, 0x100, 1);
  t.op_with("aten::exp", t.main, 300, 100, 0x200, 1).op_with("aten::exp", t.main, 320, 10, 0x300, 1);
  EXPECT_EQ(roles_of(t), "temporaries 2");
}

TEST(MemoryAtPeak, LinesAddUpAndAreTheUsers) {
  OneStep t;
  t.draft().sources.push_back({"train.py", "", "x"});
  const StackId user = t.line({}, "train.py", 12), inner = t.line(user, "/x/torch/functional.py", 99);
  const StackId foreign = t.line({}, "/x/torch/other.py", 5);
  t.op("aten::a", t.main, 200, 10).at(inner).allocate(t.main, 205, 0x100, 1);
  t.op("aten::b", t.main, 220, 10).at(user).allocate(t.main, 225, 0x200, 2);
  t.op("aten::c", t.main, 240, 10).at(foreign).allocate(t.main, 245, 0x300, 1);
  t.op("aten::d", t.main, 260, 10).allocate(t.main, 265, 0x400, 8);
  const auto trace = t.freeze();
  const std::vector<MemoryLine> lines = memory_by_line(*trace, peak_of(*trace));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].file, "");
  EXPECT_EQ(lines[0].total.sum(), 8);
  EXPECT_EQ(lines[1].file, "train.py");
  EXPECT_EQ(lines[1].line, 12);
  EXPECT_EQ(lines[1].total.sum(), 3);
  EXPECT_EQ(lines[1].blocks, 2u);
  EXPECT_EQ(lines[2].file, "/x/torch/other.py");
}

// ---- By dice, against an obvious reader. -----------------------------------------------------

// Walks all events for every moment of the window, and keeps the fullest map of blocks.
struct SlowPeak {
  int64_t bytes = 0;
  int64_t time_ns = INT64_MIN;
  std::map<uint64_t, uint32_t> blocks;  // address -> row of Trace::memory
};

SlowPeak slow_peak(const Trace& trace, int64_t start_ns, int64_t end_ns) {
  const MemoryTable& memory = trace.memory;
  std::vector<uint32_t> rows;
  for (int64_t time = -1; time <= 1000; ++time) {
    for (uint32_t row = 0; row < memory.size(); ++row) {
      if (memory.time_ns[row] == time) rows.push_back(row);
    }
  }
  std::map<uint64_t, uint32_t> living;
  SlowPeak best;
  for (const uint32_t row : rows) {
    if (memory.time_ns[row] > end_ns) break;
    if (memory.bytes[row] > 0) living[memory.address[row]] = row;
    if (memory.bytes[row] < 0) living.erase(memory.address[row]);
    int64_t sum = 0;
    for (const auto& [address, alive] : living) sum += memory.bytes[alive];
    if (memory.time_ns[row] < start_ns || sum > best.bytes) {
      best = {sum, std::max(start_ns, memory.time_ns[row]), living};
    }
  }
  return best;
}

std::unique_ptr<const Trace> dice(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t bound) { return static_cast<int64_t>(random() % bound); };
  MemoryTestTrace t;
  const TrackId threads[] = {t.thread("1"), t.thread("2")};
  const ModuleId net = t.module("", "Net"), layer = t.module("layers.0", "Linear"),
                 loss = t.module("", "Loss");
  const StackId outer = t.line({}, "train.py", 1, net), inner = t.line(outer, "net.py", 2, layer);
  const StackId beside = t.line({}, "train.py", 3, loss);
  t.step(1, threads[0], 200 + below(100), 400 + below(100));
  for (int i = 0; i < 40; ++i) {
    t.op("aten::mm", threads[below(2)], below(900), below(60));
    if (below(3) == 0) t.gradient(below(5), static_cast<uint32_t>(below(2)));
    if (below(2) == 0) t.at(below(3) == 0 ? beside : below(2) == 0 ? outer : inner);
  }
  for (int i = 0; i < 80; ++i) {
    const int64_t bytes = 1 + below(16);
    t.allocate(threads[below(2)], below(1000), static_cast<uint64_t>(1 + below(10)),
               below(2) == 0 ? bytes : -bytes);
    if (below(4) == 0) {
      t.tensor(static_cast<TensorRole>(below(5)), "t", below(2) == 0 ? "" : "layers.0",
               static_cast<uint64_t>(1 + below(10)), below(1000));
    }
  }
  return t.freeze();
}

TEST(MemoryAtPeakByDice, IsWhatAnObviousReaderFinds) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const auto trace = dice(seed);
    const MemoryAtPeak found = peak_of(*trace);
    const SlowPeak slow = slow_peak(*trace, found.start_ns, found.end_ns);
    ASSERT_EQ(found.peak.bytes, slow.bytes) << seed;
    if (slow.time_ns != INT64_MIN) {
      ASSERT_EQ(found.peak.time_ns, slow.time_ns) << seed;
    }
    std::set<uint32_t> rows, slow_rows;
    for (const PeakBlock& block : found.blocks) rows.insert(block.allocation);
    for (const auto& [address, row] : slow.blocks) slow_rows.insert(row);
    ASSERT_EQ(rows, slow_rows) << seed;
    ASSERT_EQ(found.recording.bytes, slow_peak(*trace, INT64_MIN, INT64_MAX).bytes) << seed;
  }
}

TEST(MemoryAtPeakByDice, ModulesAndLinesAddUpToThePeak) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const auto trace = dice(seed);
    const MemoryAtPeak peak = peak_of(*trace);
    const MemoryTree tree = memory_by_module(AnalyzedTrace(*trace), peak);
    EXPECT_EQ(tree[0].total, peak.roles);
    EXPECT_EQ(tree[0].end, tree.size());
    std::vector<RoleBytes> sums;
    for (const MemoryNode& node : tree) sums.push_back(node.own);
    for (uint32_t i = 1; i < tree.size(); ++i) {
      ASSERT_LT(tree[i].parent, i);
      ASSERT_LE(tree[i].end, tree[tree[i].parent].end);
      ASSERT_EQ(tree[i].depth, tree[tree[i].parent].depth + 1);
      sums[tree[i].parent].add(tree[i].total);
    }
    for (uint32_t i = 0; i < tree.size(); ++i) ASSERT_EQ(tree[i].total, sums[i]) << seed;
    RoleBytes lines;
    for (const MemoryLine& line : memory_by_line(*trace, peak)) lines.add(line.total);
    ASSERT_EQ(lines, peak.roles) << seed;
  }
}

}  // namespace
}  // namespace skyline::analyze
