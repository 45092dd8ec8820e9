#include "analyze/places/forward_calls.h"

#include <gtest/gtest.h>

#include "analyze/places/test_breakdown.h"

namespace skyline::analyze {
namespace {

class ForwardCalls : public testing::Test, public TestProgram {
 protected:
  // One call per line: operator, times, module and where it was called, the innermost line first.
  std::string calls() {
    breakdown();
    std::string text;
    for (const ForwardCall& call : forward_calls(AnalyzedTrace(trace()))) {
      text += fmt::format("{} forward={}", trace().slice_name(trace().ops.slice[call.op]), call.forward_ns);
      if (call.backward_ns) text += fmt::format(" backward={}", *call.backward_ns);
      if (call.module) text += fmt::format(" in '{}'", *call.module);
      for (const ProgramLine& line : call.lines) text += fmt::format(" {}:{}", line.file, line.line);
      text += '\n';
    }
    return text;
  }
};

TEST_F(ForwardCalls, EachCallHasItsOwnForwardAndBackwardTime) {
  t.step(1, main, 0, 100);
  const StackId fc = part("fc", 7, net, "Linear");
  t.op("aten::linear", main, 0, 10).gradient(5, 0).called_from(fc);
  t.op("aten::addmm", main, 4, 4).gradient(5, 0).called_from(fc);
  t.op("aten::linear", main, 10, 20).gradient(6, 0).called_from(fc);
  t.op("aten::detach", main, 30, 1).called_from(net_call);
  backward("AddmmBackward0", main, 40, 10, 6, engine);
  t.op("aten::mm", main, 42, 4).called_from(engine);
  backward("AddmmBackward0", main, 50, 20, 5, engine);
  EXPECT_EQ(calls(),
            "aten::linear forward=10 backward=20 in 'fc' model.py:7 model.py:5 train.py:10 train.py:20\n"
            "aten::linear forward=20 backward=10 in 'fc' model.py:7 model.py:5 train.py:10 train.py:20\n"
            "aten::detach forward=1 train.py:10 train.py:20\n");
}

TEST_F(ForwardCalls, AccumulationAndOptimizerAreNobodys) {
  t.step(1, main, 0, 100);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(net);
  backward("MmBackward0", main, 10, 10, 5, engine);
  backward(kAccumulate, main, 20, 10, -1, engine);
  t.annotation("Optimizer.step#SGD.step", main, 40, 20).called_from(script);
  t.op("aten::add_", main, 41, 5).called_from(script);
  EXPECT_EQ(calls(), "aten::mm forward=10 backward=10 in '' model.py:5 train.py:10 train.py:20\n");
}

TEST_F(ForwardCalls, AGraphOfABackwardPassIsFollowedToTheFirstCall) {
  t.step(1, main, 0, 40);
  t.op("aten::exp", main, 0, 10).gradient(5, 0).called_from(net);
  backward("ExpBackward0", main, 10, 10, 5, engine);
  t.op("aten::mul", main, 12, 6).gradient(6, 0).called_from(engine);  // create_graph
  backward("MulBackward0", main, 20, 20, 6, engine);
  EXPECT_EQ(calls(), "aten::exp forward=10 backward=30 in '' model.py:5 train.py:10 train.py:20\n");
}

TEST_F(ForwardCalls, OnADeviceTheTimeIsThatOfTheActivitiesLaunched) {
  const TrackId stream = t.stream(7);
  t.step(1, main, 0, 40);
  t.op("aten::mm", main, 0, 10).gradient(5, 0).called_from(net);
  t.launch(main, 1, 1, 1).kernel("gemm", stream, 20, 500, 1);
  backward("MmBackward0", main, 10, 10, 5, engine);
  t.launch(main, 12, 1, 2).kernel("gemm", stream, 600, 700, 2);
  EXPECT_EQ(calls(), "aten::mm forward=500 backward=700 in '' model.py:5 train.py:10 train.py:20\n");
}

TEST_F(ForwardCalls, OtherStepsDoNotCount) {
  t.op("aten::early", main, 0, 5).called_from(net);
  t.step(1, main, 10, 20);
  t.op("aten::mm", main, 12, 5).called_from(net);
  EXPECT_EQ(calls(), "aten::mm forward=5 in '' model.py:5 train.py:10 train.py:20\n");
}

}  // namespace
}  // namespace skyline::analyze
