#include "analyze/places/gap_samples.h"

#include <gtest/gtest.h>

#include "analyze/places/flame.h"
#include "analyze/places/test_breakdown.h"

namespace skyline::analyze {
namespace {

// A loop of train.py:
//
//   train.py:31    action = policy(state)      StackId policy, an operator of 24 ns
//   train.py:32    state = env.step(action)    StackId step, with env.py:7 below it; 70 ns
class Loop {
 public:
  Loop() {
    for (int turn = 0; turn < 10; ++turn) t.op("aten::mm", main, 100 * turn, 24).called_from(policy);
    t.op("aten::mm", main, 1000, 24).called_from(policy);
  }

  void sample(int64_t time_ns, StackId stack, TrackId track) {
    t.draft().samples.add({.time_ns = time_ns, .track = track, .stack = stack});
  }

  std::string lines() {
    trace = t.freeze();
    return own_times(break_down(AnalyzedTrace(*trace)).lines);
  }

  TestTrace t;
  TrackId main = t.thread("1");
  StackId script = t.stack(StackId(), "train.py", "<module>", 40);
  StackId policy = t.stack(script, "train.py", "loop", 31);
  StackId step = t.stack(t.stack(script, "train.py", "loop", 32), "env.py", "step", 7);
  std::unique_ptr<const Trace> trace;
};

TEST(GapSamples, WithoutSamplesTimeBetweenOperatorsIsNoLinesOwn) {
  Loop loop;
  loop.trace = loop.t.freeze();
  const Breakdown breakdown = break_down(AnalyzedTrace(*loop.trace));
  ASSERT_EQ(breakdown.flat_lines.size(), 2u);
  const LineTimes& policy = breakdown.flat_lines[0];
  EXPECT_EQ(policy.line, 31);
  EXPECT_EQ(policy.own.host.sum(), 11 * 24);
  EXPECT_EQ(policy.near[Phase::kPython], 760);
  EXPECT_EQ(policy.total.host.sum(), 1024);
}

TEST(GapSamples, OneSampleTellsOfAllStretchesOfItsKind) {
  Loop loop;
  loop.sample(350, loop.step, loop.main);
  EXPECT_EQ(loop.lines(),
            "(iteration)\n"
            "  train.py:40\n"
            "    train.py:31 forward=264\n"
            "    train.py:32\n"
            "      env.py:7 python=760\n");
}

TEST(GapSamples, SeveralShareTheTimeToTheLastNanosecond) {
  Loop loop;
  loop.sample(350, loop.step, loop.main);
  loop.sample(450, loop.step, loop.main);
  loop.sample(550, loop.policy, loop.main);
  const std::string lines = loop.lines();
  // Each of the ten stretches of 76 ns: floor(76 / 3) to the stack that was met first, the rest to the other.
  EXPECT_EQ(lines,
            "(iteration)\n"
            "  train.py:40\n"
            "    train.py:31 forward=264 python=250\n"
            "    train.py:32\n"
            "      env.py:7 python=510\n");
}

TEST(GapSamples, SamplesInOperatorsSayNothingOfTheTimeBetween) {
  Loop loop;
  loop.sample(310, loop.step, loop.main);
  loop.trace = loop.t.freeze();
  const Breakdown breakdown = break_down(AnalyzedTrace(*loop.trace));
  EXPECT_EQ(breakdown.flat_lines[0].near[Phase::kPython], 760);
}

TEST(GapSamples, AStretchWithManySamplesSpeaksForItself) {
  Loop loop;
  const StackId other = loop.t.stack(loop.script, "train.py", "loop", 33);
  for (int i = 0; i < 8; ++i) loop.sample(330 + i, other, loop.main);
  loop.sample(450, loop.step, loop.main);
  loop.trace = loop.t.freeze();
  const AnalyzedTrace analyzed(*loop.trace);
  const GapSamples& samples = analyzed.get<GapSamples>();
  ASSERT_EQ(samples.shares(loop.main, 324, 400).size(), 1u);
  EXPECT_EQ(samples.shares(loop.main, 324, 400)[0].stack, other);
  EXPECT_EQ(samples.shares(loop.main, 424, 500).size(), 2u);
}

TEST(GapSamples, WorkersAreElsewhereAndWithoutTheFramesTheyWereForkedWith) {
  Loop loop;
  const TrackId worker = loop.t.thread("9", "9");
  const StackId forked = loop.t.stack(loop.policy, "/usr/lib/python3.11/multiprocessing/process.py",
                                      "BaseProcess._bootstrap", 314);
  const StackId item = loop.t.stack(forked, "data.py", "__getitem__", 3);
  for (int i = 0; i <= 10; ++i) loop.sample(100 * i, item, worker);
  loop.trace = loop.t.freeze();
  const AnalyzedTrace analyzed(*loop.trace);
  const Breakdown breakdown = break_down(analyzed);
  const auto line = std::find_if(breakdown.flat_lines.begin(), breakdown.flat_lines.end(),
                                 [](const LineTimes& one) { return one.file == "data.py"; });
  ASSERT_NE(line, breakdown.flat_lines.end());
  EXPECT_EQ(line->own.elsewhere_ns, 1100);  // eleven samples, 100 ns apart
  EXPECT_EQ(line->own.host.sum(), 0);
  EXPECT_EQ(breakdown.lines[0].total.host.sum(), breakdown.wall_ns());
  const std::string text = folded(make_flame(analyzed, {}));
  EXPECT_NE(text.find("data.py(3): __getitem__;(another thread) 1100"), std::string::npos) << text;
}

TEST(GapSamples, TheFlameHasPythonBelowItsFrames) {
  Loop loop;
  loop.sample(350, loop.step, loop.main);
  loop.trace = loop.t.freeze();
  const std::string text = folded(make_flame(AnalyzedTrace(*loop.trace), {}));
  EXPECT_NE(text.find("env.py(7): step;(Python) 760"), std::string::npos) << text;
}

}  // namespace
}  // namespace skyline::analyze
