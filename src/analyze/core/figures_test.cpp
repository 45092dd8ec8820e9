// The laws of the figure registry, and figures of small traces worked out by hand.
#include "analyze/core/figures.h"

#include <gtest/gtest.h>

#include <set>

#include "analyze/core/test_random_training.h"
#include "analyze/core/test_trace.h"
#include "analyze/time/hta_breakdown.h"

namespace skyline::analyze {
namespace {

FigureValue value(const Trace& trace, std::string_view name) {
  for (const Figure& figure : compute_figures(AnalyzedTrace(trace))) {
    if (figure.def->name == name) return figure.value;
  }
  ADD_FAILURE() << "no figure " << name;
  return {};
}

int64_t number(const Trace& trace, std::string_view name) { return std::get<int64_t>(value(trace, name)); }
double share(const Trace& trace, std::string_view name) { return std::get<double>(value(trace, name)); }
bool is_none(const Trace& trace, std::string_view name) {
  return std::holds_alternative<std::monostate>(value(trace, name));
}

TEST(FigureRegistry, NamesAreUniqueAndCarryTheirAnalysisAsPrefix) {
  std::set<std::string_view> names;
  for (const FigureAnalysis& analysis : figure_analyses()) {
    EXPECT_FALSE(analysis.sentence.empty());
    EXPECT_FALSE(analysis.needs.empty());
    for (const FigureDef& def : analysis.figures) {
      EXPECT_TRUE(names.insert(def.name).second) << def.name;
      EXPECT_TRUE(def.name.starts_with(std::string(analysis.name) + ".")) << def.name;
      EXPECT_EQ(find_figure(def.name), &def);
    }
  }
  EXPECT_EQ(find_figure("device.bliss"), nullptr);
}

TEST(FigureRegistry, EveryAnalysisFillsItsDefinitionsInOrder) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const std::unique_ptr<const Trace> trace = random_training(seed);
    const AnalyzedTrace analyzed(*trace);
    for (const FigureAnalysis& analysis : figure_analyses()) {
      const std::vector<Figure> figures = analysis.run(analyzed);
      ASSERT_EQ(figures.size(), analysis.figures.size()) << analysis.name;
      for (size_t i = 0; i < figures.size(); ++i) EXPECT_EQ(figures[i].def, &analysis.figures[i]);
    }
  }
}

TEST(FigureRegistry, EveryDefinitionIsASentence) {
  for (const FigureAnalysis& analysis : figure_analyses()) {
    for (const FigureDef& def : analysis.figures) EXPECT_TRUE(def.definition.ends_with('.')) << def.name;
  }
}

TEST(FigureRegistry, AnEmptyTraceHasAllFiguresAndNoShares) {
  TestTrace t;
  const std::unique_ptr<const Trace> trace = t.freeze();
  for (const Figure& figure : compute_figures(AnalyzedTrace(*trace))) {
    const std::string_view name = figure.def->name;
    const bool only_a_recording_knows = name.starts_with("training.") || name.starts_with("host.") ||
                                        name.starts_with("recording.") || name.starts_with("memory.");
    if (figure.def->unit == Unit::kShare || name == "trace.step_time" || only_a_recording_knows) {
      EXPECT_TRUE(std::holds_alternative<std::monostate>(figure.value)) << figure.def->name;
    } else {
      EXPECT_EQ(std::get<int64_t>(figure.value), 0) << figure.def->name;
    }
  }
}

TEST(TraceFigures, CountWhatIsThere) {
  TestTrace t;
  const TrackId main = t.thread("1"), backward = t.thread("2");
  t.step(3, main, 0, 100)
      .step(4, main, 100, 101)
      .op("aten::mm", main, 10, 20)
      .op("MmBackward0", backward, 40, 20);
  t.launch(main, 12, 2, 1).kernel("gemm", t.stream(7), 15, 400, 1);
  t.draft().losses.add(Loss::kNoPhase, 10, 3);
  t.draft().losses.add(Loss::kBareToken, 10, 5);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(number(*trace, "trace.events"), 6);
  EXPECT_EQ(number(*trace, "trace.span"), 415);
  EXPECT_EQ(number(*trace, "trace.threads"), 2);
  EXPECT_EQ(number(*trace, "trace.streams"), 1);
  EXPECT_EQ(number(*trace, "trace.operators"), 2);
  EXPECT_EQ(number(*trace, "trace.launches"), 1);
  EXPECT_EQ(number(*trace, "trace.steps"), 2);
  EXPECT_EQ(number(*trace, "trace.step_time"), 100);
  EXPECT_EQ(number(*trace, "trace.losses"), 3);
  EXPECT_EQ(number(*trace, "trace.repairs"), 5);
}

// Stream 7:  gemm [0,100)          gemm [200,300)
// Stream 20:      nccl [50,150)  copy [140,260)        set [400,410)
// Unlinked is the copy alone.
std::unique_ptr<const Trace> two_streams() {
  TestTrace t;
  const TrackId main = t.thread("1"), compute = t.stream(7), comm = t.stream(20);
  t.launch(main, -10, 1, 1).launch(main, -9, 1, 2).launch(main, -8, 1, 3).launch(main, -7, 1, 4);
  t.kernel("gemm", compute, 0, 100, 1).kernel("gemm", compute, 200, 100, 2);
  t.kernel("ncclDevKernel_AllReduce", comm, 50, 100, 3);
  t.activity(Category::kMemcpy, "Memcpy HtoD", comm, 140, 120)
      .activity(Category::kMemset, "Memset", comm, 400, 10, 4);
  return t.freeze();
}

TEST(DeviceTime, UnionsAreTakenOverAllStreamsLinkedOrNot) {
  const std::unique_ptr<const Trace> trace = two_streams();
  EXPECT_EQ(number(*trace, "device.activities"), 5);
  EXPECT_EQ(number(*trace, "device.unlinked"), 1);
  EXPECT_EQ(number(*trace, "device.window"), 410);
  EXPECT_EQ(number(*trace, "device.busy"), 310);
  EXPECT_EQ(number(*trace, "device.idle"), 100);
  EXPECT_EQ(number(*trace, "device.compute"), 200);
  EXPECT_EQ(number(*trace, "device.communication"), 100);
  EXPECT_EQ(number(*trace, "device.copy"), 120);
  EXPECT_EQ(number(*trace, "device.set"), 10);
  EXPECT_EQ(number(*trace, "device.exposed_communication"), 50);
  EXPECT_EQ(number(*trace, "device.exposed_copy"), 50);
  EXPECT_DOUBLE_EQ(share(*trace, "device.busy_share"), 310.0 / 410);
  EXPECT_DOUBLE_EQ(share(*trace, "device.exposed_communication_share"), 50.0 / 410);
}

TEST(TracelensTimeline, OnlyLinkedActivitiesCountAndSetsCompute) {
  const std::unique_ptr<const Trace> trace = two_streams();
  EXPECT_EQ(number(*trace, "tracelens.window"), 410);
  EXPECT_EQ(number(*trace, "tracelens.busy"), 260);
  EXPECT_EQ(number(*trace, "tracelens.idle"), 150);
  EXPECT_EQ(number(*trace, "tracelens.compute"), 210);
  EXPECT_EQ(number(*trace, "tracelens.comm"), 100);
  EXPECT_EQ(number(*trace, "tracelens.exposed_comm"), 50);
  EXPECT_EQ(number(*trace, "tracelens.memcpy"), 0);
  EXPECT_EQ(number(*trace, "tracelens.exposed_memcpy"), 0);
}

TEST(TracelensTimeline, CommunicationIsNcclInAnyCaseAndNothingElse) {
  TestTrace t;
  const TrackId main = t.thread("1");
  t.launch(main, 0, 1, 1).launch(main, 1, 1, 2);
  t.kernel("void NcClKernel", t.stream(7), 10, 5, 1).kernel("nvshmem_put", t.stream(7), 20, 7, 2);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(number(*trace, "tracelens.comm"), 5);
  EXPECT_EQ(number(*trace, "tracelens.compute"), 7);
  EXPECT_EQ(number(*trace, "device.communication"), 12);
}

TEST(HtaBreakdown, ClassesFollowHtasPatternsInHtasOrder) {
  EXPECT_EQ(hta_class("ncclDevKernel_AllReduce"), HtaClass::kCommunication);
  EXPECT_EQ(hta_class("void ncclKernel_Sum"), HtaClass::kCommunication);
  EXPECT_EQ(hta_class("hipMemcpyAsync"), HtaClass::kCommunication);
  EXPECT_EQ(hta_class("hccl_send"), HtaClass::kCommunication);
  EXPECT_EQ(hta_class("Memcpy HtoD (Pinned -> Device)"), HtaClass::kMemory);
  EXPECT_EQ(hta_class("Memset (Device)"), HtaClass::kMemory);
  EXPECT_EQ(hta_class("dma_0"), HtaClass::kMemory);
  EXPECT_EQ(hta_class("my_dma_kernel"), HtaClass::kOther);
  EXPECT_EQ(hta_class("batched_Memcpy"), HtaClass::kOther);
  EXPECT_EQ(hta_class("void SyncBatchNorm"), HtaClass::kOther);
  EXPECT_EQ(hta_class("Stream Wait Event"), HtaClass::kOther);
  EXPECT_EQ(hta_class("cudaLaunchKernel"), HtaClass::kOther);
  EXPECT_EQ(hta_class("runFunction - 1"), HtaClass::kOther);
  EXPECT_EQ(hta_class("void cudaLaunchKernel"), HtaClass::kComputation);
  EXPECT_EQ(hta_class("NCCL"), HtaClass::kComputation);
  EXPECT_EQ(hta_class("gemm"), HtaClass::kComputation);
}

TEST(HtaBreakdown, WithoutStepsUnlinkedActivitiesCount) {
  const std::unique_ptr<const Trace> trace = two_streams();
  EXPECT_EQ(number(*trace, "hta.kernels"), 5);
  EXPECT_EQ(number(*trace, "hta.kernel_time"), 410);
  EXPECT_EQ(number(*trace, "hta.idle"), 100);
  EXPECT_EQ(number(*trace, "hta.compute"), 200);
  EXPECT_EQ(number(*trace, "hta.non_compute"), 110);
  EXPECT_EQ(number(*trace, "hta.comm_comp_overlap"), 50);
  EXPECT_DOUBLE_EQ(share(*trace, "hta.comm_comp_overlap_share"), 0.5);
}

// Three steps of 100; every step launches one kernel, which runs 50 later for 30.
TestTrace three_steps() {
  TestTrace t;
  const TrackId main = t.thread("1");
  for (int i = 0; i < 3; ++i) {
    const auto number = static_cast<uint64_t>(i) + 1;
    t.step(i, main, 100 * i, 100)
        .launch(main, 100 * i, 5, number)
        .kernel("gemm", t.stream(7), 100 * i + 50, 30, number);
  }
  return t;
}

TEST(HtaBreakdown, LastStepGoesWithWhatItLaunchedAndUnlinkedGoToo) {
  TestTrace t = three_steps();
  t.kernel("unlinked", t.stream(7), 10, 5);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(number(*trace, "hta.kernels"), 2);
  EXPECT_EQ(number(*trace, "hta.kernel_time"), 130);
  EXPECT_EQ(number(*trace, "hta.compute"), 60);
  EXPECT_TRUE(is_none(*trace, "hta.comm_comp_overlap_share"));
}

TEST(HtaBreakdown, DeviceSideStepsDoNotMoveTheCut) {
  TestTrace t = three_steps();
  t.other(Category::kGpuAnnotation, "ProfilerStep#2", t.stream(7), 900, 100);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(number(*trace, "hta.kernels"), 2);
}

TEST(HtaBreakdown, OneStepNameDropsNothing) {
  TestTrace t;
  t.step(5, t.thread("1"), 0, 100).kernel("gemm", t.stream(7), 50, 100);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(number(*trace, "hta.kernels"), 1);
}

}  // namespace
}  // namespace skyline::analyze
