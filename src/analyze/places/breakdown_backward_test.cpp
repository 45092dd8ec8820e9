// Whose time is the backward pass's.
#include <gtest/gtest.h>

#include "analyze/places/test_breakdown.h"

namespace skyline::analyze {
namespace {

class BreakdownOfBackward : public testing::Test, public TestProgram {};

TEST_F(BreakdownOfBackward, OperatorsBelongWhereTheirForwardOperatorsDo) {
  t.step(1, main, 0, 100);
  const StackId fc = part("fc", 7, net, "Linear");
  t.op("aten::linear", main, 0, 10).gradient(5, 0).called_from(fc);
  t.op("aten::t", main, 1, 2).gradient(5, 0).called_from(fc);
  t.op("aten::addmm", main, 4, 4).gradient(6, 0).called_from(fc);
  t.op("aten::sum", main, 10, 10).gradient(7, 0).called_from(net);
  backward("SumBackward0", main, 30, 10, 7, engine);
  backward("AddmmBackward0", main, 44, 10, 6, engine);
  t.op("aten::mm", main, 46, 4).called_from(engine);
  backward("TBackward0", main, 54, 6, 5, engine);
  EXPECT_EQ(modules(),
            "(iteration) python=40\n"
            "  Net forward=10 backward=14 python=10\n"
            "    fc forward=10 backward=16\n");
  EXPECT_EQ(lines(),
            "(iteration) python=40\n"
            "  train.py:20\n"
            "    train.py:10\n"
            "      model.py:5 forward=10 backward=14 python=10\n"
            "        model.py:7 forward=10 backward=16\n");
}

TEST_F(BreakdownOfBackward, AnEngineRangeWithoutANumberTakesThatOfItsFunction) {
  t.step(1, main, 0, 20);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(net);
  t.op("autograd::engine::evaluate_function: MmBackward0", main, 10, 10).called_from(engine);
  t.op("MmBackward0", main, 12, 6, "[[4]]").gradient(5, 1).called_from(engine);
  EXPECT_EQ(modules(), "(iteration)\n  Net forward=10 backward=10\n");
  const OpUse& use = breakdown().modules[1].uses.back();
  EXPECT_EQ(trace().strings[use.name], "MmBackward0") << "the function stands for the engine's range";
  EXPECT_EQ(trace().strings[use.input_dims], "[[4]]");
}

TEST_F(BreakdownOfBackward, AHookBeforeTheFunctionHidesItNot) {
  t.step(1, main, 0, 40);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(part("fc", 7));
  t.op("autograd::engine::evaluate_function: MmBackward0", main, 10, 30).called_from(engine);
  t.op("aten::norm", main, 15, 5).called_from(t.stack(engine, "train.py", "hook", 3));
  t.op("MmBackward0", main, 20, 15).gradient(5, 1).called_from(engine);
  EXPECT_EQ(modules(), "(iteration)\n  Net\n    fc forward=10 backward=30\n");
}

TEST_F(BreakdownOfBackward, ARetainedGraphRunsTwiceInTheSamePlace) {
  t.step(1, main, 0, 40);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(net);
  backward("MmBackward0", main, 10, 10, 5, engine);
  t.op("aten::ones_like", main, 20, 5).called_from(backward_call);
  backward("MmBackward0", main, 25, 15, 5, engine);
  EXPECT_EQ(modules(), "(iteration) forward=5\n  Net forward=10 backward=25\n");
}

TEST_F(BreakdownOfBackward, TheGraphOfABackwardPassIsFollowedToTheFirstForwardOperator) {
  t.step(1, main, 0, 40);
  t.op("aten::exp", main, 0, 10).gradient(5, 0).called_from(part("fc", 7));
  backward("ExpBackward0", main, 10, 10, 5, engine);
  t.op("aten::mul", main, 12, 6).gradient(6, 0).called_from(engine);  // create_graph
  backward("MulBackward0", main, 20, 20, 6, engine);
  EXPECT_EQ(modules(), "(iteration)\n  Net\n    fc forward=10 backward=30\n");
}

TEST_F(BreakdownOfBackward, TheEnginesThreadFillsTheWait) {
  t.step(1, main, 0, 100);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(net);
  t.annotation("my backward", main, 10, 80).called_from(backward_call);
  backward("MmBackward0", device_thread, 20, 30, 5, StackId());
  t.op("aten::mm", device_thread, 25, 10);
  backward("MmBackward0", device_thread, 60, 10, 5, StackId());
  t.op("aten::add_", main, 90, 10).called_from(script);
  EXPECT_EQ(lines(),
            "(iteration)\n"
            "  train.py:20 forward=10\n"
            "    train.py:10\n"
            "      model.py:5 forward=10 backward=50\n"
            "    train.py:11 python=30\n");
  EXPECT_EQ(breakdown().modules[1].own.calls, 3);
}

TEST_F(BreakdownOfBackward, OfSeveralEngineThreadsTheFirstCountsAndTheThreadsOwnOperatorsBeforeAll) {
  t.step(1, main, 0, 60);
  const TrackId third = t.thread("3");
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(part("a", 7));
  t.op("aten::mm", main, 10, 10).gradient(6, 0).called_from(part("b", 8));
  backward("MmBackward0", third, 15, 25, 6, StackId());
  backward("MmBackward0", device_thread, 25, 10, 5, StackId());
  t.op("aten::add", main, 38, 22).called_from(script);
  EXPECT_EQ(modules(),
            "(iteration) forward=22\n"
            "  Net\n"
            "    a forward=10 backward=10\n"
            "    b forward=10 backward=8\n");
}

TEST_F(BreakdownOfBackward, AnotherThreadThatTrainsIsNobodysEngine) {
  t.step(1, main, 0, 50).step(1, device_thread, 0, 50);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(net);
  backward("MmBackward0", device_thread, 20, 20, 5, engine);
  breakdown();
  ASSERT_EQ(trace().steps[0].track, main);
  EXPECT_EQ(own_times(break_down(AnalyzedTrace(trace()), trace().steps[0]).modules),
            "(iteration) python=40\n  Net forward=10\n");
}

TEST_F(BreakdownOfBackward, AHookHasItsOwnLineInTheModuleOfItsOperator) {
  t.step(1, main, 0, 30);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(net);
  backward("MmBackward0", main, 10, 20, 5, engine);
  t.op("aten::norm", main, 15, 5).called_from(t.stack(engine, "train.py", "hook", 3));
  EXPECT_EQ(modules(), "(iteration)\n  Net forward=10 backward=20\n");
  EXPECT_EQ(lines(),
            "(iteration)\n"
            "  train.py:20\n"
            "    train.py:10\n"
            "      model.py:5 forward=10 backward=15\n"
            "    train.py:11\n"
            "      train.py:3 backward=5\n");
}

TEST_F(BreakdownOfBackward, AModuleAroundTheCallOfBackwardDoesNotOwnWhatRunsInIt) {
  t.step(1, main, 0, 30);
  const StackId trainer = t.stack(script, "train.py", "Trainer.forward", 30, t.module("", "Trainer"));
  const StackId run = t.stack(trainer, torch_file("autograd/graph.py"), "_engine_run_backward", 900);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(net);
  backward("MyFunctionBackward", main, 10, 20, 5, run);
  const StackId apply = t.stack(run, torch_file("autograd/function.py"), "BackwardCFunction.apply", 325);
  t.op("aten::mul", main, 15, 5).called_from(t.stack(apply, "model.py", "MyFunction.backward", 40));
  EXPECT_EQ(modules(), "(iteration)\n  Net forward=10 backward=20\n");
}

// ---- Gradients. -----------------------------------------------------------------------------

class BreakdownOfGradients : public testing::Test, public TestProgram {};

TEST_F(BreakdownOfGradients, AccumulationBelongsToTheModuleOfTheOperatorBefore) {
  t.step(1, main, 0, 50);
  t.op("aten::addmm", main, 0, 10).gradient(5, 0).called_from(part("fc", 7));
  t.op("aten::sum", main, 10, 10).gradient(6, 0).called_from(net);
  backward("SumBackward0", main, 20, 10, 6, engine);
  backward("AddmmBackward0", main, 30, 10, 5, engine);
  backward(kAccumulate, main, 40, 10, -1, engine, "[[8]]");
  t.op("aten::detach", main, 42, 4).called_from(engine);
  EXPECT_EQ(modules(),
            "(iteration)\n"
            "  Net forward=10 backward=10\n"
            "    fc forward=10 backward=20\n");
}

TEST_F(BreakdownOfGradients, ATiedWeightBelongsToTheModuleThatTheModelNamesFirst) {
  t.step(1, main, 0, 40);
  t.op("aten::addmm", main, 0, 5).gradient(4, 0).called_from(part("embedding", 6));
  t.op("aten::addmm", main, 5, 5).gradient(5, 0).called_from(part("head", 7));
  t.weight("embedding.weight", "embedding", "[9,8]", 70).weight("head.weight", "head", "[9,8]", 70);
  t.weight("head.bias", "head", "[9]", 80);
  backward("AddmmBackward0", main, 10, 10, 5, engine);
  backward(kAccumulate, main, 20, 3, -1, engine, "[[9,8]]");
  backward(kAccumulate, main, 23, 7, -1, engine, "[[9]]");
  EXPECT_EQ(modules(),
            "(iteration) python=10\n"
            "  Net\n"
            "    embedding forward=5 backward=3\n"
            "    head forward=5 backward=17\n");
}

TEST_F(BreakdownOfGradients, ParametersPackedIntoOneStorageAreNotTied) {
  t.step(1, main, 0, 20);
  t.op("aten::addmm", main, 0, 5).gradient(5, 0).called_from(part("second", 7));
  for (const std::string name : {"first", "second"}) {
    t.weight(name + ".weight", name, "[9,8]", 70);
    t.draft().tensors.bytes.back() = 1 << 20;
  }
  backward("AddmmBackward0", main, 5, 5, 5, engine);
  backward(kAccumulate, main, 10, 10, -1, engine, "[[9,8]]");
  EXPECT_EQ(modules(), "(iteration)\n  Net\n    second forward=5 backward=15\n");
}

TEST_F(BreakdownOfGradients, AWeightUsedOutsideOfItsModuleIsToldByItsShape) {
  t.step(1, main, 0, 40);
  t.op("aten::linear", main, 0, 5).called_from(part("embedding", 6));
  t.op("aten::linear", main, 5, 5).gradient(5, 0).called_from(net);
  t.weight("embedding.weight", "embedding", "[9,8]", 70);
  t.weight("norm.weight", "norm", "[8]", 90).weight("attention.out.weight", "attention.out", "[8]", 80);
  backward("AddmmBackward0", main, 10, 10, 5, engine);
  backward(kAccumulate, main, 20, 3, -1, engine, "[[9,8]]");
  backward(kAccumulate, main, 23, 7, -1, engine, "[[8]]");
  EXPECT_EQ(modules(),
            "(iteration) python=10\n"
            "  Net forward=5 backward=17\n"
            "    embedding forward=5 backward=3\n")
      << "two could be meant by the second, so it stays where it was made";
}

// ---- Checkpointing. -------------------------------------------------------------------------

class BreakdownOfCheckpoints : public testing::Test, public TestProgram {
 protected:
  // Net.forward's line 9 checkpoints a block, whose lines are 30 and 31.
  StackId checkpoint =
      t.stack(t.stack(net, "model.py", "forward", 9), torch_file("utils/checkpoint.py"), "checkpoint", 511);
  ModuleId block = t.module("block", "Block"), fc = t.module("block.fc", "Linear");
  StackId fc_in(StackId from) { return t.stack(from, "model.py", "Block.forward", 30, fc); }
  StackId block_in(StackId from) { return t.stack(from, "model.py", "Block.forward", 31, block); }
};

TEST_F(BreakdownOfCheckpoints, AReentrantOneRecomputesItsModulesAndLines) {
  t.step(1, main, 0, 110);
  t.op("CheckpointFunction", main, 0, 30).gradient(5, 0).called_from(checkpoint);
  t.op("aten::mm", main, 5, 5).called_from(fc_in(checkpoint));
  t.op("aten::relu", main, 15, 5).called_from(block_in(checkpoint));
  backward("CheckpointFunctionBackward", main, 30, 80, 5, engine);
  const StackId again =
      t.stack(engine, torch_file("utils/checkpoint.py"), "CheckpointFunction.backward", 314);
  t.op("aten::mm", main, 40, 5).gradient(6, 0).called_from(fc_in(again));
  t.op("aten::relu", main, 50, 5).gradient(7, 0).called_from(block_in(again));
  const StackId inner = t.stack(again, torch_file("autograd/graph.py"), "_engine_run_backward", 900);
  backward("ReluBackward0", main, 70, 10, 7, inner);
  backward("MmBackward0", main, 80, 10, 6, inner);
  t.op("aten::mm", main, 82, 6).called_from(inner);
  EXPECT_EQ(modules(),
            "(iteration)\n"
            "  Net forward=15 backward=21 recompute=9\n"
            "    block forward=10 backward=25 recompute=10\n"
            "      block.fc forward=5 backward=10 recompute=5\n");
  EXPECT_EQ(lines(),
            "(iteration)\n"
            "  train.py:20\n"
            "    train.py:10\n"
            "      model.py:5\n"
            "        model.py:9 forward=20 backward=21 recompute=14\n"
            "          model.py:30 forward=5 backward=10 recompute=5\n"
            "          model.py:31 forward=5 backward=25 recompute=5\n");
}

TEST_F(BreakdownOfCheckpoints, OneWithoutReentryRecomputesInsideTheOperatorThatUnpacks) {
  t.step(1, main, 0, 100);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(fc_in(checkpoint));
  t.op("aten::relu", main, 10, 10).gradient(6, 0).called_from(block_in(checkpoint));
  backward("ReluBackward0", main, 20, 60, 6, engine);
  const StackId again = t.stack(engine, torch_file("utils/checkpoint.py"), "recompute_fn", 1688);
  t.op("aten::mm", main, 30, 10).gradient(8, 0).called_from(fc_in(again));
  t.op("aten::relu", main, 45, 10).gradient(9, 0).called_from(block_in(again));
  t.op("aten::threshold_backward", main, 70, 5).called_from(engine);
  backward("MmBackward0", main, 80, 20, 5, engine);
  EXPECT_EQ(modules(),
            "(iteration)\n"
            "  Net\n"
            "    block forward=10 backward=11 recompute=39\n"
            "      block.fc forward=10 backward=20 recompute=10\n");
  EXPECT_EQ(lines(),
            "(iteration)\n"
            "  train.py:20\n"
            "    train.py:10\n"
            "      model.py:5\n"
            "        model.py:9 recompute=14\n"
            "          model.py:30 forward=10 backward=20 recompute=10\n"
            "          model.py:31 forward=10 backward=11 recompute=25\n");
}

TEST_F(BreakdownOfCheckpoints, APlainFunctionBelongsToTheModuleThatCheckpointedIt) {
  t.step(1, main, 0, 50);
  const StackId function = t.stack(checkpoint, "model.py", "function", 40);
  const StackId inside = t.stack(function, "model.py", "Linear.forward", 30, fc);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(inside);
  backward("MmBackward0", main, 10, 40, 5, engine);
  const StackId again = t.stack(engine, torch_file("utils/checkpoint.py"), "recompute_fn", 1688);
  t.op("aten::erf", main, 20, 20).gradient(8, 0).called_from(t.stack(again, "model.py", "function", 41));
  EXPECT_EQ(modules(),
            "(iteration)\n"
            "  Net recompute=38\n"
            "    block\n"
            "      block.fc forward=10 backward=2\n");
}

TEST_F(BreakdownOfCheckpoints, ACustomBackwardInsideOneIsNoRecomputation) {
  t.step(1, main, 0, 40);
  t.op("CheckpointFunction", main, 0, 10).gradient(5, 0).called_from(checkpoint);
  t.op("MyFunction", main, 0, 10).called_from(block_in(checkpoint));
  backward("CheckpointFunctionBackward", main, 10, 30, 5, engine);
  const StackId again =
      t.stack(engine, torch_file("utils/checkpoint.py"), "CheckpointFunction.backward", 314);
  t.op("MyFunction", main, 11, 9).gradient(6, 0).called_from(block_in(again));
  const StackId inner = t.stack(again, torch_file("autograd/graph.py"), "_engine_run_backward", 900);
  backward("MyFunctionBackward", main, 20, 19, 6, inner);
  const StackId apply = t.stack(inner, torch_file("autograd/function.py"), "BackwardCFunction.apply", 325);
  t.op("aten::mul", main, 21, 17).called_from(t.stack(apply, "model.py", "MyFunction.backward", 50));
  EXPECT_EQ(modules(),
            "(iteration)\n"
            "  Net backward=1 recompute=1\n"
            "    block forward=10 backward=19 recompute=9\n");
}

}  // namespace
}  // namespace skyline::analyze
