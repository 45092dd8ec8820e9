// The rules by which an iteration's time is given to modules, lines and phases, one by one.

#include <gtest/gtest.h>

#include "analyze/places/test_breakdown.h"

namespace skyline::analyze {
namespace {

class BreakdownOfForward : public testing::Test, public TestProgram {};

TEST_F(BreakdownOfForward, ThreeBlocksCalledInOneLoopAreThreeModulesOfOneLine) {
  t.step(1, main, 0, 100);
  t.op("aten::mm", main, 10, 7).called_from(part("blocks.0", 7));
  t.op("aten::mm", main, 20, 8).called_from(part("blocks.1", 7));
  t.op("aten::mm", main, 30, 9).called_from(part("blocks.2", 7));
  EXPECT_EQ(modules(),
            "(iteration) python=71\n"
            "  Net python=5\n"
            "    blocks\n"
            "      blocks.0 forward=7\n"
            "      blocks.1 forward=8\n"
            "      blocks.2 forward=9\n");
  EXPECT_EQ(lines(),
            "(iteration) python=71\n"
            "  train.py:20\n"
            "    train.py:10\n"
            "      model.py:5\n"
            "        model.py:7 forward=24 python=5\n");
}

TEST_F(BreakdownOfForward, AModuleIsUnderTheOneThatItsNameBeginsWithWhoeverCallsIt) {
  t.step(1, main, 0, 10);
  const StackId decoder = part("decoder", 6);
  t.op("aten::mm", main, 0, 5).called_from(part("encoder.embedding", 7, decoder, "Embedding"));
  t.op("aten::mm", main, 5, 5).called_from(part("encoder", 8));
  EXPECT_EQ(modules(),
            "(iteration)\n"
            "  Net\n"
            "    encoder forward=5\n"
            "      encoder.embedding forward=5\n");
}

TEST_F(BreakdownOfForward, ModulesThatTheModelDoesNotHoldAreGatheredByClassWhereTheyAreCalled) {
  t.step(1, main, 0, 10);
  const StackId block = part("block", 6);
  t.op("aten::relu", main, 0, 3).called_from(part("", 7, block, "ReLU"));
  t.op("aten::relu", main, 3, 4).called_from(part("", 7, block, "ReLU"));
  const StackId loss = t.stack(net_call, "train.py", "loss", 3, t.module("", "MSELoss"));
  t.op("aten::mse_loss", main, 7, 3).called_from(loss);
  EXPECT_EQ(modules(),
            "(iteration)\n"
            "  Net\n"
            "    block\n"
            "      ReLU forward=7\n"
            "  MSELoss forward=3\n");
}

TEST_F(BreakdownOfForward, TwoModelsOfOneClassStayApartWithTheirParts) {
  t.step(1, main, 0, 10);
  const StackId other = t.stack(net_call, "model.py", "forward", 5, t.module("", "Net"));
  t.op("aten::mm", main, 0, 4).called_from(part("fc", 7, net, "Linear"));
  t.op("aten::mm", main, 4, 6).called_from(part("fc", 7, other, "Linear"));
  EXPECT_EQ(modules(),
            "(iteration)\n"
            "  Net\n"
            "    fc forward=4\n"
            "  Net\n"
            "    fc forward=6\n");
}

TEST_F(BreakdownOfForward, AModuleCalledTwiceIsOneModule) {
  t.step(1, main, 0, 10);
  const StackId fc = part("fc", 7, net, "Linear");
  t.op("aten::mm", main, 0, 4).called_from(fc).op("aten::mm", main, 4, 6).called_from(fc);
  EXPECT_EQ(modules(), "(iteration)\n  Net\n    fc forward=10\n");
  EXPECT_EQ(breakdown().modules[2].own.calls, 2);
}

TEST_F(BreakdownOfForward, TheInnermostOperatorSaysWhoseTimeItIs) {
  t.step(1, main, 0, 20);
  t.op("Wrapper", main, 0, 20).called_from(net);
  t.op("aten::mm", main, 5, 10).called_from(part("fc", 7));
  EXPECT_EQ(modules(), "(iteration)\n  Net forward=10\n    fc forward=10\n");
}

TEST_F(BreakdownOfForward, LinesOfLibrariesBelongToTheProjectsLineThatCalledThem) {
  t.step(1, main, 0, 10);
  const StackId linear = t.stack(net, torch_file("nn/modules/linear.py"), "Linear.forward", 134);
  t.op("aten::linear", main, 0, 10).called_from(linear);
  EXPECT_EQ(lines(), "(iteration)\n  train.py:20\n    train.py:10\n      model.py:5 forward=10\n");
}

TEST_F(BreakdownOfForward, TheRecordingSaysWhichFilesAreTheProjects) {
  t.draft().sources.push_back({"train.py", "", ""});
  t.step(1, main, 0, 10);
  t.op("aten::linear", main, 0, 10).called_from(net);
  EXPECT_EQ(lines(), "(iteration)\n  train.py:20\n    train.py:10 forward=10\n");
}

TEST_F(BreakdownOfForward, LinesOfALibrarysModelStandBelowTheOneLineThatCallsIt) {
  t.draft().sources.push_back({"train.py", "", ""});
  t.step(1, main, 0, 30);
  const std::string bert = "/venv/lib/python3.11/site-packages/transformers/bert.py";
  const StackId model =
      t.stack(t.stack(script, torch_file("nn/modules/module.py"), "_call_impl", 1), bert, "forward", 9);
  t.op("aten::linear", main, 0, 20)
      .called_from(t.stack(model, torch_file("nn/modules/linear.py"), "forward", 134));
  t.op("aten::add", main, 20, 7).called_from(t.stack(model, bert, "residual", 12));
  t.op("aten::mse_loss", main, 27, 3).called_from(net_call);
  EXPECT_EQ(lines(), "(iteration)\n  train.py:20\n    " + bert + ":9 forward=20\n      " + bert +
                         ":12 forward=7\n    train.py:10 forward=3\n");
}

TEST_F(BreakdownOfForward, LibrariesThatSeveralLinesCallStayPartOfThese) {
  t.draft().sources.push_back({"train.py", "", ""});
  t.step(1, main, 0, 10);
  const std::string timm = "/venv/lib/python3.11/site-packages/timm/layers.py";
  for (const int32_t line : {31, 32}) {
    const StackId caller = t.stack(script, "train.py", "forward", line);
    t.op("aten::linear", main, (line - 31) * 5, 5).called_from(t.stack(caller, timm, "forward", 4));
  }
  EXPECT_EQ(lines(), "(iteration)\n  train.py:20\n    train.py:31 forward=5\n    train.py:32 forward=5\n");
}

TEST_F(BreakdownOfForward, ALineOnTheStackTwiceCountsItsTotalOnce) {
  t.step(1, main, 0, 10);
  const StackId once = t.stack(script, "train.py", "deep", 30), twice = t.stack(once, "train.py", "deep", 30);
  t.op("aten::mm", main, 0, 6).called_from(twice).op("aten::mm", main, 6, 4).called_from(once);
  const std::vector<LineTimes>& flat = breakdown().flat_lines;
  ASSERT_EQ(flat.size(), 2u);
  EXPECT_EQ(flat[0].line, 20);
  EXPECT_EQ(flat[0].own.host.sum(), 0);
  EXPECT_EQ(flat[1].line, 30);
  EXPECT_EQ(flat[1].own.host.sum(), 10);
  EXPECT_EQ(flat[1].total.host.sum(), 10);
}

TEST_F(BreakdownOfForward, CallsKeepTheirShapesAndStacksAndTheirTimeWithWhatIsInside) {
  t.step(1, main, 0, 40);
  for (const int64_t start : {0, 20}) {
    t.op("aten::linear", main, start, 10, "[[4,8]]").called_from(net);
    t.op("aten::addmm", main, start + 2, 5, "[[8]]").called_from(net);
  }
  t.op("aten::linear", main, 35, 3, "[[2,8]]").called_from(net);
  const BreakdownNode& node = breakdown().modules[1];
  ASSERT_EQ(node.uses.size(), 2u);
  EXPECT_EQ(trace().strings[node.uses[0].input_dims], "[[4,8]]");
  EXPECT_EQ(node.uses[0].stack, net);
  EXPECT_EQ(node.uses[0].calls, 2);
  EXPECT_EQ(node.uses[0].host_ns, 20);
  EXPECT_EQ(node.uses[1].host_ns, 3);
  EXPECT_EQ(node.own.calls, 3);
}

// ---- Between operators, and ranges. ---------------------------------------------------------

class BreakdownOfGaps : public testing::Test, public TestProgram {};

TEST_F(BreakdownOfGaps, TheIterationsEndsAreItsOwn) {
  t.step(1, main, 0, 100).op("aten::mm", main, 40, 10).called_from(net);
  EXPECT_EQ(modules(), "(iteration) python=90\n  Net forward=10\n");
}

TEST_F(BreakdownOfGaps, RangesSayWhatHappensInsideAlsoBetweenOperators) {
  t.step(1, main, 0, 100);
  const StackId step = t.stack(script, "train.py", "step", 12);
  t.annotation("Optimizer.zero_grad#SGD.zero_grad", main, 0, 10).called_from(script);
  t.annotation("enumerate(DataLoader)#x.__next__", main, 10, 10).op("aten::stack", main, 12, 5);
  t.op("aten::mm", main, 20, 10).called_from(net);
  t.annotation("Optimizer.step#SGD.step", main, 40, 30).called_from(step);
  t.op("aten::add_", main, 50, 5).called_from(step);
  EXPECT_EQ(modules(),
            "(iteration) optimizer=30 zero_grad=10 data=10 python=40\n"
            "  Net forward=10\n");
  EXPECT_EQ(lines(),
            "(iteration) data=10 python=30\n"
            "  train.py:20 zero_grad=10 python=10\n"
            "    train.py:10\n"
            "      model.py:5 forward=10\n"
            "    train.py:12 optimizer=30\n");
}

TEST_F(BreakdownOfGaps, ARangeOfTheUsersSaysWhereTimeBelongsButNoPhase) {
  t.step(1, main, 0, 30);
  t.annotation("my part", main, 0, 30).called_from(net).op("aten::mm", main, 10, 10).called_from(net);
  EXPECT_EQ(modules(), "(iteration)\n  Net forward=10 python=20\n");
}

TEST_F(BreakdownOfGaps, AClosureInsideTheOptimizerIsForwardAndBackward) {
  t.step(1, main, 0, 40);
  t.annotation("Optimizer.step#LBFGS.step", main, 0, 40);
  t.op("aten::mm", main, 0, 10).gradient(1, 0).called_from(net);
  backward("MmBackward0", main, 10, 10, 1, engine);
  t.op("aten::add_", main, 20, 10);
  EXPECT_EQ(modules(), "(iteration) optimizer=20\n  Net forward=10 backward=10\n");
}

TEST_F(BreakdownOfGaps, CollectivesAreTheirOwnPhaseWhereverTheyRun) {
  t.step(1, main, 0, 20);
  t.op("c10d::allreduce_", main, 0, 10).called_from(net);
  t.annotation("gloo:all_reduce", main, 10, 10).called_from(net);
  EXPECT_EQ(modules(), "(iteration)\n  Net collectives=20\n");
}

TEST_F(BreakdownOfGaps, OfARecordingThatLostEventsNothingIsSaid) {
  t.step(1, main, 0, 20).op("aten::mm", main, 5, 5).called_from(net);
  t.draft().losses.add(Loss::kDroppedEvents, 0);
  EXPECT_EQ(modules(), "(iteration) untracked=15\n  Net forward=5\n");
}

TEST_F(BreakdownOfGaps, OnlyTheStepCounts) {
  t.step(1, main, 0, 10).step(2, main, 10, 10).step(3, main, 20, 0);
  t.op("aten::mm", main, 5, 7).called_from(net).op("aten::mm", main, 18, 2).called_from(net);
  EXPECT_EQ(modules(), "(iteration)\n  Net forward=4 python=6\n") << "the last that has a length";
  EXPECT_EQ(breakdown().step_number, 2);
  EXPECT_EQ(own_times(break_down(AnalyzedTrace(trace()), trace().steps[0]).modules),
            "(iteration) python=5\n  Net forward=5\n");
}

TEST_F(BreakdownOfGaps, WithoutStepsTheWholeTimeOfTheThreadThatTrainsIsTaken) {
  t.op("aten::mm", main, 5, 5).called_from(net).op("aten::mm", main, 20, 5).called_from(net);
  EXPECT_EQ(modules(), "(iteration)\n  Net forward=10 python=10\n");
  EXPECT_EQ(breakdown().step_number, -1);
}

TEST(BreakdownOfNothing, IsEmpty) {
  TestTrace t;
  EXPECT_TRUE(break_down(AnalyzedTrace(*t.freeze())).modules.empty());
}

// ---- Traces of torch.profiler: Python frames instead of stacks. -------------------------------

class BreakdownOfPythonFrames : public testing::Test {
 protected:
  void module_call(std::string_view name, TrackId track, int64_t start, int64_t dur) {
    t.python(name, track, start, dur);
    t.draft().pythons.module_id.back() = 1;
  }

  TestTrace t;
  TrackId main = t.thread("1"), engine = t.thread("2");
};

TEST_F(BreakdownOfPythonFrames, SayWhichModuleAndWhichFunctionRuns) {
  t.step(1, main, 0, 100).python("train.py(10): step", main, 0, 100);
  module_call("nn.Module: Net_0", main, 0, 60);
  module_call("nn.Module: Linear_1", main, 10, 20);
  t.python("torch/nn/modules/linear.py(114): forward", main, 11, 18);
  t.op("aten::linear", main, 12, 10).gradient(5, 0);
  t.op("MmBackward0", engine, 70, 20).gradient(5, 1);
  const Breakdown breakdown = break_down(AnalyzedTrace(*t.freeze()));
  EXPECT_EQ(own_times(breakdown.modules),
            "(iteration) python=22\n"
            "  Net_0\n"
            "    Linear_1 forward=10 backward=20 python=48\n");
  EXPECT_EQ(breakdown.modules[2].class_name, "Linear");
  EXPECT_EQ(own_times(breakdown.lines),
            "(iteration) python=22\n  train.py:10 forward=10 backward=20 python=48\n");
}

TEST_F(BreakdownOfPythonFrames, AModuleCalledInTheBackwardPassIsRecomputed) {
  t.step(1, main, 0, 60);
  module_call("nn.Module: Net_0", main, 0, 10);
  t.op("CheckpointFunction", main, 1, 8).gradient(5, 0);
  module_call("nn.Module: Block_0", main, 2, 6);
  t.op("aten::mm", main, 3, 4);
  t.op("CheckpointFunctionBackward", main, 10, 50).gradient(5, 1);
  t.python("torch/utils/checkpoint.py(290): backward", main, 20, 40);
  module_call("nn.Module: Block_0", main, 20, 10);
  t.op("aten::mm", main, 20, 10).gradient(6, 0);
  t.op("MmBackward0", main, 40, 10).gradient(6, 1);
  EXPECT_EQ(own_times(break_down(AnalyzedTrace(*t.freeze())).modules),
            "(iteration) python=1\n"
            "  Net_0 forward=4 backward=10 recompute=10 python=1\n"
            "    Block_0 forward=4 backward=20 recompute=10\n");
}

// ---- The device. ----------------------------------------------------------------------------

class BreakdownOfDevice : public testing::Test, public TestProgram {};

TEST_F(BreakdownOfDevice, WorkBelongsToTheOperatorThatLaunchedItWheneverItRuns) {
  t.step(1, main, 0, 30);
  t.op("aten::mm", main, 0, 10).called_from(net).launch(main, 2, 2, 1).launch(main, 6, 2, 2);
  t.kernel("gemm", t.stream(7), 100, 50, 1).kernel("ncclDevKernel_AllReduce", t.stream(7), 150, 9, 2);
  t.launch(main, 12, 2, 3).kernel("lost", t.stream(7), 200, 7, 3);
  t.kernel("unlinked", t.stream(7), 20, 5);
  EXPECT_EQ(modules(),
            "(iteration) python=20 untracked-device=12\n"
            "  Net forward=10 forward-device=50 collectives-device=9\n");
  EXPECT_TRUE(breakdown().has_device);
  EXPECT_EQ(breakdown().modules[0].total.device.sum(), 71);
  EXPECT_EQ(breakdown().modules[1].uses[0].device_ns, 50);
}

}  // namespace
}  // namespace skyline::analyze
