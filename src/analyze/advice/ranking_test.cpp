#include "analyze/advice/ranking.h"

#include <gtest/gtest.h>

#include <set>

#include "analyze/advice/rules.h"
#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

Finding finding(std::string_view id, int64_t gain_ns, IntervalSet claims,
                FindingSeverity severity = FindingSeverity::kAdvice) {
  Finding finding;
  finding.id = id;
  finding.severity = severity;
  if (gain_ns > 0) finding.gain = FindingGain{.time_ns = gain_ns};
  finding.claims = std::move(claims);
  return finding;
}

std::vector<std::string_view> ids(const Findings& findings) {
  std::vector<std::string_view> ids;
  for (const Finding& finding : findings) ids.push_back(finding.id);
  return ids;
}

using Ids = std::vector<std::string_view>;

TEST(Ranking, WhatSavesMostStandsFirstAndNotesLast) {
  const Advice advice =
      make_advice({finding("a.note", 900, {}, FindingSeverity::kNote), finding("a.leak", 0, {}),
                   finding("a.small", 10, {}), finding("a.large", 50, {})});
  EXPECT_EQ(ids(advice.found), (Ids{"a.large", "a.small", "a.leak", "a.note"}));
}

TEST(Ranking, AnExplainedFindingIsSilentWhereItClaimsTheSameTime) {
  const IntervalSet fetch = IntervalSet::of({{0, 100}}), elsewhere = IntervalSet::of({{90, 300}});
  Advice advice =
      make_advice({finding("device.idle_gaps", 200, fetch), finding("input.workers", 100, fetch)});
  EXPECT_EQ(ids(advice.found), Ids{"input.workers"});
  EXPECT_EQ(ids(advice.explained), Ids{"device.idle_gaps"});
  advice = make_advice({finding("device.idle_gaps", 200, elsewhere), finding("input.workers", 100, fetch)});
  EXPECT_EQ(ids(advice.found), (Ids{"device.idle_gaps", "input.workers"}));
}

TEST(Ranking, WhoIsSilentExplainsNothing) {
  const IntervalSet time = IntervalSet::of({{0, 100}});
  const Advice advice =
      make_advice({finding("host.tiny_operators", 90, time), finding("compute.fusible_chain", 80, time),
                   finding("host.python", 70, time)});
  EXPECT_EQ(ids(advice.found), Ids{"host.tiny_operators"});
}

TEST(Ranking, OfAdviceThatContradictsItselfOneStands) {
  for (const Rivals& pair : rivals()) {
    const Advice advice = make_advice({finding(pair.one, 10, {}), finding(pair.other, 20, {})});
    EXPECT_EQ(ids(advice.found), Ids{pair.other});
  }
}

TEST(Ranking, WhatCannotBeJudgedIsNeitherFoundNorForgotten) {
  Finding open = finding("cpu.threads", 0, {});
  open.state = FindingState::kCannotJudge;
  Finding fine = finding("host.python", 0, {});
  fine.state = FindingState::kNotFound;
  const Advice advice = make_advice({open, fine});
  EXPECT_TRUE(advice.found.empty());
  EXPECT_EQ(ids(advice.cannot_judge), Ids{"cpu.threads"});
}

TEST(Ranking, ExplanationsAndRivalsNameRules) {
  std::set<std::string_view> known;
  for (const Rule& rule : rules()) known.insert(rule.name);
  for (const Explains& pair : explanations()) {
    EXPECT_TRUE(known.contains(pair.stronger)) << pair.stronger;
    EXPECT_TRUE(known.contains(pair.silent)) << pair.silent;
    EXPECT_NE(pair.stronger, pair.silent);
  }
  for (const Rivals& pair : rivals()) {
    EXPECT_TRUE(known.contains(pair.one)) << pair.one;
    EXPECT_TRUE(known.contains(pair.other)) << pair.other;
  }
}

std::string answer_of(TestTrace& t) {
  const std::unique_ptr<const Trace> trace = t.freeze();
  return answer(AnalyzedTrace(*trace)).sentence;
}

TEST(Answer, IsTheBiggestLeverNotTheBiggestPart) {
  TestTrace t;
  const TrackId main = t.thread("1");
  for (int step = 0; step < 6; ++step) {
    const int64_t start = step * 10'000'000;
    t.step(step, main, start, 10'000'000);
    t.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", main, start, 3'400'000);
    const auto id = static_cast<uint64_t>(step + 1);
    t.launch(main, start + 3'400'000, 100, id).kernel("gemm", t.stream(7), start + 3'400'000, 6'600'000, id);
  }
  EXPECT_EQ(answer_of(t),
            "34 % of the step waits for batches that the main process loads: num_workers > 0 in its "
            "DataLoader saves up "
            "to 3.40 ms.");
}

TEST(Answer, WithNothingToChangeItSaysWhatTheStepIsBoundBy) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 1'000'000).op("aten::add", main, 0, 900'000).launch(main, 0, 10, 1);
  t.kernel("add", t.stream(7), 0, 1'000'000, 1);
  EXPECT_EQ(answer_of(t),
            "The step waits for the device: compute kernels run 100 % of its time; nothing stands out.");
}

TEST(Answer, SaysWhenTheRecordingIsFlawed) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, 0, 1'000'000).op("aten::mm", main, 0, 900'000).launch(main, 10, 10, 1);
  t.kernel("gemm", t.stream(7), 0, 1'000'000);  // without a launch
  EXPECT_NE(answer_of(t).find("Beware, the recording is flawed"), std::string::npos);
}

}  // namespace
}  // namespace skyline::analyze
