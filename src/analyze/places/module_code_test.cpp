// Which line calls a module, and which lines its time is spent below.
#include <gtest/gtest.h>

#include <map>

#include "analyze/core/test_random_trace.h"
#include "analyze/core/test_random_training.h"
#include "analyze/places/test_breakdown.h"

namespace skyline::analyze {
namespace {

std::string name_of(const BreakdownNode& node) {
  if (node.parent == kNoRow) return "(iteration)";
  return node.name.empty() ? node.class_name : node.name;
}

std::string name_of(const LineTimes& line) { return fmt::format("{}:{}", line.file, line.line); }

// "fc: called at model.py:5; model.py:5 10, train.py:10 10" per module: lines with host time, and device time
// behind a plus where there is some.
std::string code_of(const Breakdown& breakdown) {
  std::string text;
  for (uint32_t module = 0; module < breakdown.modules.size(); ++module) {
    const uint32_t called = breakdown.call_lines[module];
    text += name_of(breakdown.modules[module]) + ": called at " +
            (called == kNoRow ? "?" : name_of(breakdown.flat_lines[called])) + ";";
    for (const CodeLink& link : breakdown.links) {
      if (link.module != module) continue;
      text += fmt::format(" {} {}", name_of(breakdown.flat_lines[link.line]), link.host_ns);
      if (link.device_ns > 0) text += fmt::format("+{}", link.device_ns);
    }
    text += '\n';
  }
  return text;
}

class ModuleCodeOf : public testing::Test, public TestProgram {
 protected:
  std::string code() { return code_of(breakdown()); }
};

TEST_F(ModuleCodeOf, AModuleIsCalledByTheLineAroundItsForward) {
  t.step(1, main, 0, 100);
  t.op("aten::conv2d", main, 0, 40).called_from(part("conv1", 7, net, "Conv2d"));
  t.launch(main, 10, 2, 3).kernel("conv", t.stream(7), 50, 30, 3);
  t.op("aten::relu", main, 40, 60).called_from(net);
  EXPECT_EQ(
      code(),
      "(iteration): called at ?; model.py:5 100+30 model.py:7 40+30 train.py:10 100+30 train.py:20 100+30\n"
      "Net: called at train.py:10; model.py:5 100+30 model.py:7 40+30 train.py:10 100+30 train.py:20 100+30\n"
      "conv1: called at model.py:5; model.py:5 40+30 model.py:7 40+30 train.py:10 40+30 train.py:20 40+30\n");
}

TEST_F(ModuleCodeOf, OfTwoCallsItIsTheLineAroundBoth) {
  t.step(1, main, 0, 10);
  const ModuleId fc = t.module("fc", "Linear");
  const StackId other = t.stack(net_call, "model.py", "forward", 6, t.draft().stacks.module[net.value]);
  t.op("aten::mm", main, 0, 4).called_from(t.stack(net, "model.py", "fc", 90, fc));
  t.op("aten::mm", main, 4, 6).called_from(t.stack(other, "model.py", "fc", 90, fc));
  EXPECT_EQ(
      code(),
      "(iteration): called at ?; model.py:5 4 model.py:6 6 model.py:90 10 train.py:10 10 train.py:20 10\n"
      "Net: called at train.py:10; model.py:5 4 model.py:6 6 model.py:90 10 train.py:10 10 train.py:20 10\n"
      "fc: called at train.py:10; model.py:5 4 model.py:6 6 model.py:90 10 train.py:10 10 train.py:20 10\n");
}

TEST_F(ModuleCodeOf, AModelWithoutOperatorsOfItsOwnAndAListThatNeverRunsHaveTheirLines) {
  t.step(1, main, 0, 10);
  t.op("aten::mm", main, 0, 4).called_from(part("blocks.0", 7));
  t.op("aten::mm", main, 4, 6).called_from(part("blocks.1", 7));
  EXPECT_EQ(code(),
            "(iteration): called at ?; model.py:5 10 model.py:7 10 train.py:10 10 train.py:20 10\n"
            "Net: called at train.py:10; model.py:5 10 model.py:7 10 train.py:10 10 train.py:20 10\n"
            "blocks: called at model.py:5; model.py:5 10 model.py:7 10 train.py:10 10 train.py:20 10\n"
            "blocks.0: called at model.py:5; model.py:5 4 model.py:7 4 train.py:10 4 train.py:20 4\n"
            "blocks.1: called at model.py:5; model.py:5 6 model.py:7 6 train.py:10 6 train.py:20 6\n");
}

TEST_F(ModuleCodeOf, LinesOfTorchCallNothingAndTheBackwardPassMovesNoCall) {
  t.step(1, main, 0, 20);
  const StackId inner = t.stack(net, torch_file("nn/modules/module.py"), "_call_impl", 1750);
  const ModuleId fc = t.module("fc", "Linear");
  const StackId linear = t.stack(inner, torch_file("nn/modules/linear.py"), "forward", 130, fc);
  t.op("aten::linear", main, 0, 10).gradient(1, 0).called_from(linear);
  backward("AddmmBackward0", main, 10, 10, 1, engine);
  EXPECT_EQ(code(),
            "(iteration): called at ?; model.py:5 20 train.py:10 20 train.py:20 20\n"
            "Net: called at train.py:10; model.py:5 20 train.py:10 20 train.py:20 20\n"
            "fc: called at model.py:5; model.py:5 20 train.py:10 20 train.py:20 20\n");
}

TEST_F(ModuleCodeOf, RecursionCountsALineOnce) {
  t.step(1, main, 0, 10);
  const StackId once = t.stack(script, "train.py", "deep", 30), twice = t.stack(once, "train.py", "deep", 30);
  t.op("aten::mm", main, 0, 10).called_from(twice);
  EXPECT_EQ(code(), "(iteration): called at ?; train.py:20 10 train.py:30 10\n");
}

TEST_F(ModuleCodeOf, PythonFramesTellWhoCallsWhereStacksAreNotRecorded) {
  TestTrace k;
  const TrackId thread = k.thread("1");
  k.step(1, thread, 0, 100).python("train.py(10): step", thread, 0, 100);
  k.python("nn.Module: Net_0", thread, 10, 80);
  k.draft().pythons.module_id.back() = 0;
  k.python("model.py(5): forward", thread, 12, 70).python("nn.Module: Linear_0", thread, 20, 50);
  k.draft().pythons.module_id.back() = 1;
  k.op("aten::linear", thread, 30, 20);
  EXPECT_EQ(code_of(break_down(AnalyzedTrace(*k.freeze()))),
            "(iteration): called at ?; model.py:5 20 train.py:10 20\n"
            "Net_0: called at train.py:10; model.py:5 20 train.py:10 20\n"
            "Linear_0: called at model.py:5; model.py:5 20 train.py:10 20\n");
}

// ---- What holds in any trace. ----------------------------------------------------------------

void expect_laws(const Breakdown& breakdown) {
  ASSERT_EQ(breakdown.call_lines.size(), breakdown.modules.size());
  for (const uint32_t line : breakdown.call_lines)
    EXPECT_TRUE(line == kNoRow || line < breakdown.flat_lines.size());
  std::vector<BreakdownTimes> root(breakdown.flat_lines.size());
  std::map<std::pair<uint32_t, uint32_t>, int64_t> parts;  // by parent and line
  std::map<std::pair<uint32_t, uint32_t>, int64_t> host;
  for (const CodeLink& link : breakdown.links) {
    ASSERT_LT(link.module, breakdown.modules.size());
    ASSERT_LT(link.line, breakdown.flat_lines.size());
    const BreakdownNode& module = breakdown.modules[link.module];
    EXPECT_LE(link.host_ns, module.total.host.sum());
    EXPECT_LE(link.device_ns, module.total.device.sum());
    if (module.parent != kNoRow) parts[{module.parent, link.line}] += link.host_ns;
    EXPECT_TRUE(host.try_emplace({link.module, link.line}, link.host_ns).second) << "told twice";
    if (module.parent != kNoRow) continue;
    root[link.line].host.add(Phase::kForward, link.host_ns);
    root[link.line].device.add(Phase::kForward, link.device_ns);
  }
  for (uint32_t line = 0; line < root.size(); ++line) {
    EXPECT_EQ(root[line].host.sum(), breakdown.flat_lines[line].total.host.sum());
    EXPECT_EQ(root[line].device.sum(), breakdown.flat_lines[line].total.device.sum());
  }
  for (const auto& [place, sum] : parts) {
    EXPECT_LE(sum, host[place]);  // the rest is the parent's own
  }
}

TEST(ModuleCodeLaws, LinksAddUpToTheLinesOfAnyTraining) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<const Trace> trace = random_training(seed);
    for (const Step& step : trace->steps) expect_laws(break_down(AnalyzedTrace(*trace), step));
  }
}

TEST(ModuleCodeLaws, LinksAddUpToTheLinesOfAnyTrace) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    for (const Step& step : trace->steps) expect_laws(break_down(AnalyzedTrace(*trace), step));
  }
}

TEST(ModuleCodeLaws, TheDiceThrowCallsAndLinks) {
  size_t links = 0, calls = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Breakdown breakdown = break_down(AnalyzedTrace(*random_training(seed)));
    links += breakdown.links.size();
    for (const uint32_t line : breakdown.call_lines) calls += line != kNoRow;
  }
  EXPECT_GT(links, 500u);
  EXPECT_GT(calls, 50u);
}

}  // namespace
}  // namespace skyline::analyze
