// Time as a tree of frames, modules and operators.
#include "analyze/places/flame.h"

#include <gtest/gtest.h>

#include "analyze/analyze.h"
#include "analyze/core/table_cells.h"
#include "analyze/core/test_random_trace.h"
#include "analyze/core/test_random_training.h"
#include "analyze/places/flame_trim.h"
#include "analyze/places/test_breakdown.h"

namespace skyline::analyze {
namespace {

// "name total/self calls file:line" per node, indented.
std::string text_of(const Flame& flame) {
  std::string text;
  std::vector<size_t> depth(flame.nodes.size());
  for (size_t i = 0; i < flame.nodes.size(); ++i) {
    const FlameNode& node = flame.nodes[i];
    if (node.parent != kNoRow) depth[i] = depth[node.parent] + 1;
    text += fmt::format("{}{} {}/{} {}", std::string(2 * depth[i], ' '), flame.names[node.name],
                        node.total_ns, node.self_ns, node.calls);
    if (node.place != kNoRow)
      text += fmt::format(" @{}:{}", flame.places[node.place].file, flame.places[node.place].line);
    text += '\n';
  }
  return text;
}

class FlameOf : public testing::Test, public TestProgram {
 protected:
  std::string flame(FlameBy by, FlameTime time = FlameTime::kHost) {
    const std::unique_ptr<const Trace> trace = t.freeze();
    return text_of(make_flame(AnalyzedTrace(*trace), {by, time, {}}));
  }
};

TEST_F(FlameOf, OperatorsAreUnderTheFramesThatCallThem) {
  t.op("aten::linear", main, 0, 50).called_from(net);
  t.op("aten::addmm", main, 10, 30).called_from(net);
  t.op("aten::mse_loss", main, 50, 7).called_from(net_call);
  EXPECT_EQ(flame(FlameBy::kStack),
            "all 57/0 3\n"
            "  train.py(20): <module> 57/0 3 @train.py:20\n"
            "    train.py(10): step 57/0 3 @train.py:10\n"
            "      model.py(5): forward 50/0 2 @model.py:5\n"
            "        aten::linear 50/20 2\n"
            "          aten::addmm 30/30 1\n"
            "      aten::mse_loss 7/7 1\n");
}

TEST_F(FlameOf, FramesOfOursBeforeTheProgramAndTorchsWrappersCanBeLeftOut) {
  StackId stack = t.stack({}, "<frozen runpy>", "_run_code", 88);
  stack = t.stack(stack, "/lib/skyline/_start.py", "main", 27);
  stack = t.stack(stack, "/lib/skyline/worker.py", "Worker.iterate", 169);
  stack = t.stack(stack, "/home/skyline/train.py", "step", 10);
  const StackId wrapped = t.stack(stack, "/torch/nn/modules/module.py", "Module._wrapped_call_impl", 1778);
  const StackId plain = t.stack(wrapped, "/torch/nn/modules/module.py", "Module._call_impl", 1789);
  const StackId hooked = t.stack(wrapped, "/torch/nn/modules/module.py", "Module._call_impl", 1881);
  t.op("aten::relu", main, 0, 50).called_from(t.stack(plain, "model.py", "forward", 5));
  t.op("aten::relu", main, 50, 7).called_from(t.stack(hooked, "model.py", "forward", 5));
  // Called by the program, not before it.
  t.op("aten::add", main, 60, 3).called_from(t.stack(stack, "/lib/skyline/worker.py", "wait", 3));
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(text_of(make_flame(AnalyzedTrace(*trace), {.only_program = true})),
            "all 60/0 3\n"
            "  /home/skyline/train.py(10): step 60/0 3 @/home/skyline/train.py:10\n"
            "    model.py(5): forward 57/0 2 @model.py:5\n"
            "      aten::relu 57/57 2\n"
            "    /lib/skyline/worker.py(3): wait 3/0 1 @/lib/skyline/worker.py:3\n"
            "      aten::add 3/3 1\n");
}

TEST_F(FlameOf, AProgramInAFolderOfOurNameKeepsItsFrames) {
  const StackId stack =
      t.stack(t.stack({}, "/home/skyline/worker.py", "main", 1), "/home/skyline/worker.py", "f", 2);
  t.op("aten::relu", main, 0, 50).called_from(stack);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(make_flame(AnalyzedTrace(*trace), {.only_program = true}).nodes.size(), 4u);
}

TEST_F(FlameOf, AnOperatorThatPythonCallsInsideAnotherOneIsUnderItsOwnFrames) {
  const StackId hook = t.stack(net, "hook.py", "f", 3);
  t.op("Custom", main, 0, 50).called_from(net);
  t.op("aten::mm", main, 10, 30).called_from(hook);
  EXPECT_EQ(flame(FlameBy::kStack),
            "all 50/0 2\n"
            "  train.py(20): <module> 50/0 2 @train.py:20\n"
            "    train.py(10): step 50/0 2 @train.py:10\n"
            "      model.py(5): forward 50/0 2 @model.py:5\n"
            "        hook.py(3): f 30/0 1 @hook.py:3\n"
            "          aten::mm 30/30 1\n"
            "        Custom 20/20 1\n");
}

TEST_F(FlameOf, ModulesKnowTheLineThatCallsThem) {
  t.op("aten::conv2d", main, 0, 40).called_from(part("conv1", 7, net, "Conv2d"));
  t.op("aten::relu", main, 40, 60).called_from(net);
  t.op("aten::randn", main, 100, 5).called_from(script);
  EXPECT_EQ(flame(FlameBy::kModule),
            "all 105/0 3\n"
            "  Net 100/0 2 @train.py:10\n"
            "    aten::relu 60/60 1\n"
            "    conv1 (Conv2d) 40/0 1 @model.py:5\n"
            "      aten::conv2d 40/40 1\n"
            "  aten::randn 5/5 1\n");
}

TEST_F(FlameOf, DeviceTimeIsThatOfTheActivitiesLaunched) {
  t.op("aten::conv2d", main, 0, 40).called_from(part("conv1", 7, net, "Conv2d"));
  t.launch(main, 10, 2, 3).kernel("conv", t.stream(7), 50, 30, 3).kernel("lost", t.stream(7), 80, 4);
  EXPECT_EQ(flame(FlameBy::kModule, FlameTime::kDevice),
            "all 34/0 1\n"
            "  Net 30/0 1 @train.py:10\n"
            "    conv1 (Conv2d) 30/0 1 @model.py:5\n"
            "      aten::conv2d 30/30 1\n"
            "  (no operator) 4/4 0\n");
}

TEST(Flame, BackwardOperatorsAreWherePythonFramesWereAroundTheirForwardOperator) {
  TestTrace t;
  const TrackId main = t.thread("1"), engine = t.thread("2");
  t.python("train.py(10): step", main, 0, 100).python("model.py(5): forward", main, 5, 50);
  t.op("aten::mm", main, 10, 20).gradient(3, 0);
  t.op("autograd::engine::evaluate_function: MmBackward0", engine, 200, 20).gradient(3, 1);
  t.op("MmBackward0", engine, 205, 10).gradient(3, 1).op("aten::t", engine, 207, 2);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(text_of(make_flame(AnalyzedTrace(*trace), {})),
            "all 40/0 4\n"
            "  train.py(10): step 40/0 4 @train.py:10\n"
            "    model.py(5): forward 40/0 4 @model.py:5\n"
            "      aten::mm 20/20 1\n"
            "      autograd::engine::evaluate_function: MmBackward0 20/10 3\n"
            "        MmBackward0 10/8 2\n"
            "          aten::t 2/2 1\n");
}

TEST(Flame, SmallNodesAreTrimmedAndStayInTheTotals) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::a", main, 0, 100).op("aten::b", main, 10, 5).op("aten::c", main, 100, 900);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Flame whole = make_flame(AnalyzedTrace(*trace), {}), trimmed = trim(whole, 100, 100),
              two = trim(whole, 5000, 2);
  EXPECT_EQ(text_of(trimmed),
            "all 1000/0 3\n"
            "  aten::c 900/900 1\n"
            "  aten::a 100/95 2\n");
  EXPECT_EQ(trimmed.left_out, 1u);
  EXPECT_EQ(trimmed.names, (std::vector<std::string>{"all", "aten::c", "aten::a"}));
  EXPECT_EQ(text_of(two), "all 1000/0 3\n  aten::c 900/900 1\n");
  EXPECT_EQ(two.left_out, 2u);
}

TEST(Flame, FoldedTextHasOneLinePerPath) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.python("a;b.py(1): f\n", main, 0, 100);
  t.op("aten::linear", main, 0, 50).op("aten::addmm", main, 10, 30).op("aten::linear", main, 60, 5);
  EXPECT_EQ(folded(make_flame(AnalyzedTrace(*t.freeze()), {})),
            "a,b.py(1): f ;aten::linear 25\n"
            "a,b.py(1): f ;aten::linear;aten::addmm 30\n");
}

TEST(Flame, ATraceWithoutOperatorsIsOneNode) {
  TestTrace t;
  EXPECT_EQ(text_of(make_flame(AnalyzedTrace(*t.freeze()), {})), "all 0/0 0\n");
}

// ---- What holds in any trace. ----------------------------------------------------------------

void expect_a_tree(const Flame& flame) {
  std::vector<int64_t> sums;
  for (const FlameNode& node : flame.nodes) sums.push_back(node.self_ns);
  for (size_t i = 1; i < flame.nodes.size(); ++i) {
    ASSERT_LT(flame.nodes[i].parent, i);
    sums[flame.nodes[i].parent] += flame.nodes[i].total_ns;
  }
  for (size_t i = 0; i < flame.nodes.size(); ++i) EXPECT_EQ(sums[i], flame.nodes[i].total_ns);
}

void expect_sums_of_ops(const Trace& trace) {
  for (const std::optional<int64_t> step : {std::optional<int64_t>(), std::optional<int64_t>(1)}) {
    const Table ops = compute_table(AnalyzedTrace(trace), "ops", {.group_by = {}, .step = step}, {}).value();
    for (const FlameBy by : {FlameBy::kStack, FlameBy::kModule}) {
      const Flame host = make_flame(AnalyzedTrace(trace), {by, FlameTime::kHost, step});
      const Flame device = make_flame(AnalyzedTrace(trace), {by, FlameTime::kDevice, step});
      expect_a_tree(host);
      expect_a_tree(device);
      EXPECT_EQ(host.nodes[0].total_ns, sum(ops, "host_self"));
      EXPECT_EQ(device.nodes[0].total_ns, sum(ops, "device_self"));
      EXPECT_EQ(host.nodes[0].calls, sum(ops, "calls"));
    }
  }
}

TEST(FlameLaws, TotalsAreTheSumsOfTheTableOps) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    expect_sums_of_ops(*random_trace(seed));
    expect_sums_of_ops(*random_training(seed));
  }
}

}  // namespace
}  // namespace skyline::analyze
