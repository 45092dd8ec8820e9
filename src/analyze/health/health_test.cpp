#include "analyze/health/health.h"

#include <gtest/gtest.h>

#include <set>

#include "analyze/advice/rules.h"
#include "analyze/core/test_random_trace.h"
#include "analyze/health/verdict.h"

namespace skyline::analyze {
namespace {

struct HealthItem {
  std::string_view name;
  HealthLevel level;
  int64_t count;
  std::string sentence, cure;
};

std::vector<HealthItem> examine(const AnalyzedTrace& analyzed) {
  std::vector<HealthItem> items;
  for (const Finding& finding : find_findings(analyzed, RuleTopic::kRecording)) {
    items.push_back({finding.id, level_of(finding), finding.count, finding.sentence, finding.cure});
  }
  return items;
}

constexpr int64_t kHour = 3'600'000'000'000;

// The item of this name; level kFine with count -1 when the report does not mention it.
HealthItem item(TestTrace& t, std::string_view name) {
  const std::unique_ptr<const Trace> trace = t.freeze();
  for (const HealthItem& found : examine(AnalyzedTrace(*trace))) {
    if (found.name == name) return found;
  }
  return {name, HealthLevel::kFine, -1, "", ""};
}

bool is_silent(TestTrace& t, std::string_view name) { return item(t, name).count == -1; }

// A trace that has everything: no check has anything to say about it.
TestTrace healthy() {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.step(1, main, kHour, 1001).python("train.py(1): step", main, kHour + 1, 999);
  t.op("aten::mm", main, kHour + 10, 101, "[[2,2]]").external_id(5).launch(main, kHour + 20, 11, 1, 5);
  t.kernel("gemm", t.stream(7), kHour + 40, 100, 1);
  t.info().base_ns = 1;
  t.info().rank = 0;
  t.info().profile_memory = 1;
  Device device;
  device.name = "A100";
  t.info().devices.push_back(device);
  return t;
}

TEST(Health, HealthyTraceHasOnlyFineItems) {
  TestTrace t = healthy();
  const std::unique_ptr<const Trace> trace = t.freeze();
  for (const HealthItem& found : examine(AnalyzedTrace(*trace)))
    EXPECT_EQ(found.level, HealthLevel::kFine) << found.name;
}

TEST(Health, EveryItemIsADottedNameAndASentence) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::set<std::string_view> names;
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    for (const HealthItem& found : examine(AnalyzedTrace(*trace))) {
      EXPECT_TRUE(names.insert(found.name).second) << found.name;
      EXPECT_TRUE(found.sentence.ends_with('.')) << found.sentence;
      EXPECT_TRUE(found.cure.empty() || found.cure.ends_with('.')) << found.cure;
      EXPECT_FALSE(found.level == HealthLevel::kFine && !found.cure.empty());
    }
  }
}

TEST(Health, EmptyTraceIsExaminedWithoutHarm) {
  TestTrace t;
  const std::unique_ptr<const Trace> trace = t.freeze();
  for (const HealthItem& found : examine(AnalyzedTrace(*trace)))
    EXPECT_NE(found.level, HealthLevel::kWrong) << found.name;
}

TEST(Health, LostDataIsWrongAndRepairsAreNotes) {
  TestTrace t = healthy();
  t.draft().losses.add(Loss::kNoPhase, 77, 3);
  const HealthItem lost = item(t, "event.no_phase");
  EXPECT_EQ(lost.level, HealthLevel::kWrong);
  EXPECT_EQ(lost.count, 3);
  EXPECT_EQ(lost.sentence, "Events without a phase (`ph`) (3, first at byte 77).");

  TestTrace repaired = healthy();
  repaired.draft().losses.add(Loss::kRepairedText, 5);
  EXPECT_EQ(item(repaired, "text.repaired").level, HealthLevel::kNote);
}

TEST(Health, NothingLostIsSaidToo) {
  TestTrace t = healthy();
  EXPECT_EQ(item(t, "losses").sentence, "Everything in the file could be read.");
}

TEST(Health, UnlinkedKernelsAreANoteAndAboveFivePercentWrong) {
  for (const int linked : {99, 9}) {
    TestTrace t = healthy();
    const TrackId main = t.thread("1");
    for (int i = 1; i < linked; ++i) {
      const auto correlation = static_cast<uint64_t>(i) + 100;
      t.launch(main, kHour + 200 + i, 0, correlation)
          .kernel("k", t.stream(7), kHour + 400 + i, 1, correlation);
    }
    t.kernel("unlinked", t.stream(7), kHour + 900, 5);
    const HealthItem found = item(t, "kernels.unlinked");
    EXPECT_EQ(found.count, 1);
    EXPECT_EQ(found.level, linked == 99 ? HealthLevel::kNote : HealthLevel::kWrong);
    EXPECT_FALSE(found.cure.empty());
  }
}

TEST(Health, KernelBeforeItsLaunchIsAClockAnomaly) {
  TestTrace t = healthy();
  const TrackId main = t.thread("1");
  t.launch(main, kHour + 500, 10, 9).kernel("early", t.stream(7), kHour + 450, 10, 9);
  const HealthItem found = item(t, "kernels.before_launch");
  EXPECT_EQ(found.count, 1);
  EXPECT_EQ(found.level, HealthLevel::kWrong) << "1 of 2";
  EXPECT_NE(found.sentence.find("by up to 50 ns"), std::string::npos);
}

TEST(Health, FewKernelsBeforeTheirLaunchAreANote) {
  TestTrace t = healthy();
  const TrackId main = t.thread("1");
  for (int i = 0; i < 200; ++i) {
    const auto correlation = static_cast<uint64_t>(i) + 100;
    t.launch(main, kHour + 200 + i, 0, correlation)
        .kernel("k", t.stream(7), kHour + (i == 0 ? 100 : 400) + i, 1, correlation);
  }
  EXPECT_EQ(item(t, "kernels.before_launch").level, HealthLevel::kNote);
}

TEST(Health, OneTickBeforeTheLaunchIsTheClocksRounding) {
  TestTrace t;
  t.launch(t.thread("1"), 10'000, 1000, 1).kernel("k", t.stream(7), 10'000, 5000, 1);
  EXPECT_EQ(item(t, "kernels.before_launch").level, HealthLevel::kFine);
}

TEST(Health, ZeroDurationsAreCountedWithTheirShare) {
  TestTrace t = healthy();
  t.op("aten::view", t.thread("1"), kHour + 300, 0);
  const HealthItem found = item(t, "slices.zero_duration");
  EXPECT_EQ(found.level, HealthLevel::kNote);
  EXPECT_EQ(found.sentence, "Slices without a duration, shorter than the clock's tick: 1 of 6 (16.7 %).");
}

TEST(Health, PartlyOverlappingSlicesOfAThreadAreANote) {
  TestTrace t = healthy();
  t.op("a", t.thread("5"), kHour, 100).op("b", t.thread("5"), kHour + 50, 100);
  EXPECT_EQ(item(t, "slices.overlap").count, 1);
}

TEST(Health, KernelsThatOverlapOnOneStreamAreANote) {
  TestTrace t = healthy();
  t.kernel("pdl", t.stream(7), kHour + 130, 100);
  const HealthItem found = item(t, "kernels.overlap");
  EXPECT_EQ(found.level, HealthLevel::kNote);
  EXPECT_EQ(found.count, 1);
  TestTrace other_stream = healthy();
  other_stream.kernel("k", other_stream.stream(20), kHour + 130, 100);
  EXPECT_TRUE(is_silent(other_stream, "kernels.overlap"));
}

TEST(Health, ExternalIdThatNamesAnotherOperatorIsANote) {
  TestTrace t = healthy();
  const TrackId main = t.thread("1");
  t.op("aten::add", main, kHour + 300, 50).external_id(8).launch(main, kHour + 310, 10, 30, 5);
  const HealthItem found = item(t, "launches.external_id");
  EXPECT_EQ(found.level, HealthLevel::kNote);
  EXPECT_EQ(found.count, 1);
}

TEST(Health, ExternalIdOfAnOuterOperatorAgrees) {
  TestTrace t = healthy();
  const TrackId main = t.thread("1");
  t.op("aten::linear", main, kHour + 300, 50)
      .external_id(8)
      .op("aten::mm", main, kHour + 305, 40)
      .external_id(9);
  t.launch(main, kHour + 310, 10, 30, 8);
  EXPECT_EQ(item(t, "launches.external_id").level, HealthLevel::kFine);
}

TEST(Health, ExternalIdThatIsACorrelationIdSaysNothing) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.op("aten::add", main, 0, 10).external_id(30).op("aten::mm", main, 20, 30).launch(main, 25, 1, 30, 30);
  EXPECT_TRUE(is_silent(t, "launches.external_id"));
}

TEST(Health, MissingHostIsWrong) {
  TestTrace t;
  t.kernel("gemm", t.stream(7), 0, 10);
  EXPECT_EQ(item(t, "host.missing").level, HealthLevel::kWrong);
}

TEST(Health, MissingDeviceIsWrongWhenThereAreSignsOfOne) {
  TestTrace t;
  t.op("aten::cudnn_convolution", t.thread("1"), 0, 10);
  EXPECT_EQ(item(t, "device.missing").level, HealthLevel::kWrong);
  TestTrace cpu;
  cpu.op("aten::mkldnn_convolution", cpu.thread("1"), 0, 10);
  EXPECT_TRUE(is_silent(cpu, "device.missing"));
}

TEST(Health, ADeviceIsNotCalledUnrecordedWhileCategoriesAreUnknown) {
  TestTrace t;
  t.op("aten::cudnn_convolution", t.thread("1"), 0, 10);
  t.draft().losses.add(Loss::kUnknownCategory, 7, 3);
  t.draft().losses.describe(Loss::kUnknownCategory, "gpu_kernel 3");
  const std::unique_ptr<const Trace> trace = t.freeze();
  std::set<std::string> sentences;
  for (const HealthItem& found : examine(AnalyzedTrace(*trace))) sentences.insert(found.sentence);
  EXPECT_TRUE(
      sentences.contains("Events of a category that Skyline does not know, so that they are in no figure: "
                         "gpu_kernel 3 (3, first at byte "
                         "7)."));
  EXPECT_TRUE(
      sentences.contains("A device was at work (aten::cudnn_convolution), and nothing is of a category that "
                         "Skyline knows as its work."));
}

TEST(Health, LaunchesWithoutTheirKernelAreANote) {
  TestTrace t = healthy();
  t.launch(t.thread("1"), kHour + 500, 5, 77)
      .launch(t.thread("1"), kHour + 510, 5, 78, 0, "cudaStreamSynchronize");
  const HealthItem found = item(t, "launches.without_kernels");
  EXPECT_EQ(found.level, HealthLevel::kNote);
  EXPECT_EQ(found.sentence, "Kernel launches without a kernel in the file: 1 of 2 (50.0 %).");
}

TEST(Health, UndescribedAndUnnamedDevicesAreNotes) {
  TestTrace none = healthy();
  none.info().devices.clear();
  EXPECT_EQ(item(none, "metadata.device").sentence,
            "The file has device work but does not describe its devices.");
  TestTrace unnamed = healthy();
  unnamed.info().devices[0].name.clear();
  EXPECT_EQ(item(unnamed, "metadata.device").level, HealthLevel::kNote);
}

TEST(Health, CommunicationWithoutARankIsANote) {
  TestTrace quiet = healthy();
  quiet.info().rank = -1;
  EXPECT_TRUE(is_silent(quiet, "metadata.rank"));
  TestTrace t = healthy();
  t.info().rank = -1;
  t.kernel("ncclDevKernel", t.stream(20), kHour + 300, 10);
  EXPECT_EQ(item(t, "metadata.rank").level, HealthLevel::kNote);
}

TEST(Health, TimeWithoutABaseIsANoteUnlessItIsUnixTime) {
  TestTrace t = healthy();
  t.info().base_ns = 0;
  EXPECT_EQ(item(t, "time.base").level, HealthLevel::kNote);
  TestTrace unix_time;
  unix_time.op("aten::mm", unix_time.thread("1"), 1'700'000'000'000'000'000, 5);
  EXPECT_TRUE(is_silent(unix_time, "time.base"));
}

TEST(Health, MissingAndInferredStepsAreNotesWithACure) {
  TestTrace none;
  none.op("aten::mm", none.thread("1"), 0, 5);
  const HealthItem missing = item(none, "steps.missing");
  EXPECT_EQ(missing.level, HealthLevel::kNote);
  EXPECT_NE(missing.cure.find("prof.step()"), std::string::npos);
  TestTrace inferred;
  inferred.annotation("Optimizer.step#SGD.step", inferred.thread("1"), 0, 5);
  EXPECT_EQ(item(inferred, "steps.missing").sentence,
            "No steps are marked; the optimizer's steps stand in for them (1).");
}

TEST(Health, StepsThatSkylineRunFoundAreFine) {
  TestTrace t;
  t.annotation("Skyline.begin", t.thread("1"), 0, 1).op("aten::mm", t.thread("1"), 2, 5);
  t.annotation("Skyline.optimizer#0", t.thread("1"), 8, 0);
  const HealthItem steps = item(t, "steps.missing");
  EXPECT_EQ(steps.level, HealthLevel::kFine);
  EXPECT_EQ(steps.sentence, "Steps were found by the optimizers' steps (1).");
  EXPECT_EQ(steps.cure, "");
}

TEST(Health, OurOwnRecorderIsAdvisedInItsOwnWords) {
  TestTrace run;
  run.annotation("Skyline.begin", run.thread("1"), 0, 1).op("aten::mm", run.thread("1"), 2, 5);
  EXPECT_EQ(item(run, "steps.missing").sentence,
            "No steps were found: no optimizer stepped while it was recorded.");
  TestTrace profile;
  profile.info().producer = "skyline, PyTorch 2.13.0";
  profile.op("aten::mm", profile.thread("1"), 2, 5);
  EXPECT_EQ(item(profile, "steps.missing").cure, "Call step() of skyline.profile after every step.");
  TestTrace switched_off;
  switched_off.info().producer = "skyline, PyTorch 2.13.0";
  switched_off.op("aten::mm", switched_off.thread("1"), 2, 5);
  EXPECT_EQ(item(switched_off, "record.stack").cure, "Pass with_stack=True to skyline.profile.");
}

TEST(Health, StepsWithoutDeviceWorkAreANote) {
  TestTrace t = healthy();
  t.step(2, t.thread("1"), kHour + 2000, 500);
  EXPECT_EQ(item(t, "steps.without_device").sentence, "Steps without any device work in their time: 1 of 2.");
}

TEST(Health, SwitchesThatWereOffAreNotes) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 0, 5);
  const std::unique_ptr<const Trace> trace = t.freeze();
  std::set<std::string_view> found;
  for (const HealthItem& switched_off : examine(AnalyzedTrace(*trace))) {
    if (switched_off.cure.ends_with("=True to torch.profiler.profile.")) found.insert(switched_off.name);
  }
  EXPECT_EQ(found, (std::set<std::string_view>{"record.shapes", "record.stack", "record.memory"}));
}

TEST(Health, SwitchesThatWereOnButFoundNothingAreNotReported) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 0, 5);
  t.info().record_shapes = t.info().with_stack = t.info().profile_memory = 1;
  EXPECT_TRUE(is_silent(t, "record.shapes"));
}

TEST(Health, TimesOfZeroAreWrongWhenTheRestIsFarAway) {
  TestTrace t = healthy();
  t.op("aten::mm", t.thread("1"), 0, 0).step(7, t.thread("1"), 2 * kHour, 5);
  EXPECT_EQ(item(t, "time.zero").level, HealthLevel::kNote) << "one hour is not far enough";
  TestTrace far;
  far.op("aten::mm", far.thread("1"), 0, 0).op("aten::mm", far.thread("1"), 5 * kHour, 10);
  const HealthItem found = item(far, "time.zero");
  EXPECT_EQ(found.level, HealthLevel::kWrong);
  EXPECT_EQ(found.count, 1);
}

TEST(Health, WholeMicrosecondsAreANote) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 5000, 3000);
  EXPECT_EQ(item(t, "time.whole_microseconds").level, HealthLevel::kNote);
  TestTrace exact = healthy();
  EXPECT_TRUE(is_silent(exact, "time.whole_microseconds"));
}

TEST(Rules, AreNamedOnceAndAskOfTracesOrSessions) {
  std::set<std::string_view> names;
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_TRUE(rule.question.ends_with('?')) << rule.question;
    EXPECT_TRUE(rule.ask_trace != nullptr || rule.ask_live != nullptr) << rule.name;
  }
}

// The id of a finding is that of its rule; losses are named by their kinds.
TEST(Rules, FindingsBearTheNamesOfTheirRules) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    const AnalyzedTrace analyzed(*trace);
    for (const Rule& rule : rules()) {
      if (rule.ask_trace == nullptr || rule.name == "losses") continue;
      Findings findings;
      rule.ask_trace(analyzed, findings);
      for (const Finding& finding : findings) EXPECT_EQ(finding.id, rule.name);
    }
  }
}

TEST(Rules, TheVerdictIsAFindingWithItsEvidence) {
  TestTrace t = healthy();
  const std::unique_ptr<const Trace> trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Findings findings = find_findings(analyzed, RuleTopic::kTraining);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].state, FindingState::kFound);
  EXPECT_EQ(findings[0].sentence, judge(analyzed).sentence);
  for (const Finding& finding : findings) {
    for (const std::string_view figure : finding.evidence.figures)
      EXPECT_NE(find_figure(figure), nullptr) << figure;
  }

  const std::unique_ptr<const Trace> empty = TestTrace().freeze();
  EXPECT_EQ(find_findings(AnalyzedTrace(*empty), RuleTopic::kTraining).at(0).state,
            FindingState::kCannotJudge);
}

}  // namespace
}  // namespace skyline::analyze
