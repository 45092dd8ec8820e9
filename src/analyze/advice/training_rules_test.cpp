// Rules on traces that are built to hold a fault, and on the same without it.
#include <gtest/gtest.h>

#include "analyze/advice/ranking.h"
#include "analyze/advice/rules.h"
#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

constexpr int64_t kMs = 1'000'000;

// One step after another of 10 ms, with something in each.
class Training {
 public:
  static constexpr int64_t kStepNs = 10 * kMs;

  template <typename Fill>
  explicit Training(int steps, Fill fill) {
    for (int step = 0; step < steps; ++step) {
      t.step(step, main, step * kStepNs, kStepNs);
      fill(*this, step * kStepNs);
    }
  }

  void setting(std::string_view key, std::string_view value) {
    t.draft().settings.add({.key = t.draft().strings.intern(key), .value = t.draft().strings.intern(value)});
  }

  // What the rule says of it, once.
  Finding ask(std::string_view id) {
    if (trace_ == nullptr) trace_ = t.freeze();
    const AnalyzedTrace analyzed(*trace_);
    for (Finding& finding : find_findings(analyzed, RuleTopic::kTraining)) {
      if (finding.id == id) return finding;
    }
    ADD_FAILURE() << id << " says nothing";
    return {};
  }
  FindingState state(std::string_view id) { return ask(id).state; }
  int64_t gain(std::string_view id) {
    const Finding finding = ask(id);
    EXPECT_EQ(finding.state, FindingState::kFound) << finding.sentence;
    return finding.gain ? finding.gain->time_ns : 0;
  }

  TestTrace t;
  const TrackId main = t.thread("1");

 private:
  std::unique_ptr<const Trace> trace_;
};

TEST(Rules, BatchesOfTheMainProcessAreToldFromThoseOfWorkers) {
  for (const bool has_workers : {false, true}) {
    Training training(6, [&](Training& to, int64_t at) {
      to.t.annotation(has_workers ? "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
                                  : "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                      to.main, at, 4 * kMs);
      to.t.op("aten::mm", to.main, at + 4 * kMs, 6 * kMs);
    });
    EXPECT_EQ(training.gain(has_workers ? "input.wait" : "input.workers"), 4 * kMs);
    EXPECT_EQ(training.state(has_workers ? "input.workers" : "input.wait"), FindingState::kNotFound);
  }
}

TEST(Rules, FetchesThatTakeLittleAreNoFault) {
  Training training(6, [](Training& to, int64_t at) {
    to.t.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", to.main, at, 4 * kMs / 10);
    to.t.op("aten::mm", to.main, at + kMs, 6 * kMs);
  });
  EXPECT_EQ(training.state("input.workers"), FindingState::kNotFound);
}

TEST(Rules, WithoutADataLoaderInputCannotBeJudged) {
  Training training(3, [](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, 9 * kMs); });
  EXPECT_EQ(training.state("input.workers"), FindingState::kCannotJudge);
  EXPECT_EQ(training.state("input.wait"), FindingState::kCannotJudge);
}

TEST(Rules, OneLongStepDecidesNothing) {
  int steps = 0;
  Training training(10, [&](Training& to, int64_t at) {
    const int64_t fetch = ++steps == 4 ? 9 * kMs : kMs / 10;
    to.t.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", to.main, at, fetch);
  });
  EXPECT_EQ(training.state("input.workers"), FindingState::kNotFound);
}

TEST(Rules, ReadingValuesCostsTheDevicesIdleTimeBehindIt) {
  for (const bool reads : {true, false}) {
    Training training(6, [&](Training& to, int64_t at) {
      to.t.kernel("gemm", to.t.stream(7), at, 6 * kMs);
      if (reads) to.t.op("aten::item", to.main, at + kMs, 5 * kMs);
      to.t.op("aten::mm", to.main, at + 8 * kMs, kMs).kernel("gemm", to.t.stream(7), at + 9 * kMs, kMs);
    });
    if (reads) EXPECT_EQ(training.gain("host.synchronisation"), 3 * kMs);
    if (!reads) EXPECT_EQ(training.state("host.synchronisation"), FindingState::kNotFound);
  }
}

TEST(Rules, OptimizersMayReadTheirCountersOnTheCpu) {
  Training training(6, [](Training& to, int64_t at) {
    to.t.annotation("Optimizer.step#Adam.step", to.main, at, 5 * kMs)
        .op("aten::item", to.main, at + kMs, kMs);
  });
  EXPECT_EQ(training.state("host.synchronisation"), FindingState::kNotFound);
}

TEST(Rules, PausesOfTheGarbageCollectorAreAveragedOverAllSteps) {
  Training training(10, [](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, 9 * kMs); });
  training.t.draft().gc_pauses.add(
      {.start_ns = 2 * kMs, .dur_ns = 5 * kMs, .track = training.main, .generation = 2});
  EXPECT_EQ(training.gain("host.garbage_collection"), 5 * kMs / 10);
  Training without(10, [](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, 9 * kMs); });
  EXPECT_EQ(without.state("host.garbage_collection"), FindingState::kCannotJudge);
}

TEST(Rules, DebuggingAidsAreKnownFromSettings) {
  for (const std::string_view value : {"True", "False"}) {
    Training training(3, [](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, 9 * kMs); });
    training.setting("torch.anomaly_detection", value);
    EXPECT_EQ(training.state("host.debug_mode"),
              value == "True" ? FindingState::kFound : FindingState::kNotFound);
  }
}

TEST(Rules, OneThreadOnManyProcessorsIsFoundWhereOperatorsAreLarge) {
  for (const int64_t operator_ns : {8 * kMs, kMs / 2}) {
    Training training(6, [&](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, operator_ns); });
    training.setting("torch.threads", "1");
    training.setting("machine.processors", "4");
    if (operator_ns == 8 * kMs) EXPECT_EQ(training.gain("cpu.threads"), 6 * kMs);
    if (operator_ns != 8 * kMs) EXPECT_EQ(training.state("cpu.threads"), FindingState::kNotFound);
  }
}

TEST(Rules, MoreThreadsThanProcessorsAreFound) {
  Training training(6, [](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, 8 * kMs); });
  training.setting("torch.threads", "8");
  training.setting("machine.processors", "2");
  EXPECT_EQ(training.gain("cpu.threads"), 6 * kMs);
}

TEST(Rules, ProcessorsThatOthersUseAreMissing) {
  for (const double cpu_share : {0.4, 0.95}) {
    Training training(200, [](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, 9 * kMs); });
    Trace& draft = training.t.draft();
    draft.processes.add({.pid = 1});
    const auto count = [&](std::string_view name, int64_t time, double value) {
      draft.process_counters.add(
          {.time_ns = time, .process = ProcessId(0), .name = draft.strings.intern(name), .value = value});
    };
    const int64_t end = 2'000 * kMs;
    for (const int64_t time : {int64_t{0}, end}) {
      count("cpu.user_ns", time, cpu_share * static_cast<double>(time));
      count("cpu.system_ns", time, 0);
      count("switches.involuntary", time, time == 0 ? 0 : 500);
    }
    EXPECT_EQ(training.state("cpu.contention"),
              cpu_share < 0.5 ? FindingState::kFound : FindingState::kNotFound);
  }
}

TEST(Rules, RowsThatAreSelectedOneByOneAreALoop) {
  for (const int rows : {20, 5}) {
    Training training(6, [&](Training& to, int64_t at) {
      for (int row = 0; row < rows; ++row) {
        to.t.op("aten::select", to.main, at + row * kMs / 4, kMs / 10);
        to.t.op("aten::sum", to.main, at + row * kMs / 4 + kMs / 10, kMs / 10);
      }
    });
    if (rows == 20) EXPECT_EQ(training.gain("compute.tensor_loop"), 5 * kMs);
    if (rows != 20) EXPECT_EQ(training.state("compute.tensor_loop"), FindingState::kNotFound);
  }
}

TEST(Rules, OfAChainAllButOneOperatorCanBeSaved) {
  Training training(6, [](Training& to, int64_t at) {
    for (int i = 0; i < 4; ++i) to.t.op("aten::mul", to.main, at + i * kMs, kMs);
    to.t.op("aten::mm", to.main, at + 5 * kMs, 4 * kMs);
  });
  EXPECT_EQ(training.gain("compute.fusible_chain"), 3 * kMs);
  Training without(6, [](Training& to, int64_t at) {
    to.t.op("aten::mul", to.main, at, kMs)
        .op("aten::mm", to.main, at + kMs, kMs)
        .op("aten::mul", to.main, at + 2 * kMs, kMs);
  });
  EXPECT_EQ(without.state("compute.fusible_chain"), FindingState::kNotFound);
}

TEST(Rules, AttentionFromSingleOperatorsSavesWhatIsBetweenItsProducts) {
  Training training(6, [](Training& to, int64_t at) {
    to.t.op("aten::matmul", to.main, at, 2 * kMs).op("aten::div", to.main, at + 2 * kMs, kMs);
    to.t.op("aten::softmax", to.main, at + 3 * kMs, kMs).op("aten::matmul", to.main, at + 4 * kMs, 2 * kMs);
  });
  EXPECT_EQ(training.gain("compute.attention"), 2 * kMs);
  Training without(6, [](Training& to, int64_t at) {
    to.t.op("aten::matmul", to.main, at, 2 * kMs).op("aten::softmax", to.main, at + 3 * kMs, kMs);
  });
  EXPECT_EQ(without.state("compute.attention"), FindingState::kNotFound);
}

TEST(Rules, AnOptimizerWithManyOperatorsUpdatesOneByOne) {
  for (const int calls : {150, 50}) {
    Training training(6, [&](Training& to, int64_t at) {
      to.t.annotation("Optimizer.step#SGD.step", to.main, at, 4 * kMs);
      for (int i = 0; i < calls; ++i) to.t.op("aten::add_", to.main, at + i * 20'000, 10'000);
    });
    if (calls == 150) EXPECT_EQ(training.gain("optimizer.per_parameter"), 4 * kMs);
    if (calls != 150) EXPECT_EQ(training.state("optimizer.per_parameter"), FindingState::kNotFound);
  }
}

TEST(Rules, ZerosInZeroGradAreFound) {
  for (const std::string_view name : {"aten::zero_", "aten::detach"}) {
    Training training(6, [&](Training& to, int64_t at) {
      to.t.annotation("Optimizer.zero_grad#SGD.zero_grad", to.main, at, 2 * kMs)
          .op(name, to.main, at + kMs, kMs);
    });
    EXPECT_EQ(training.state("optimizer.gradients_zeroed"),
              name == "aten::zero_" ? FindingState::kFound : FindingState::kNotFound);
  }
}

TEST(Rules, WhatStepsAllocateAndNeverFreeGrows) {
  for (const bool keeps : {true, false}) {
    int64_t last = 0;
    Training training(24, [&](Training& to, int64_t at) {
      to.t.op("aten::mm", to.main, at, 5 * kMs).memory(to.main, at + kMs, 1024, 0);
      if (!keeps) to.t.memory(to.main, at + 2 * kMs, -1024, 0);
      last = at;
    });
    const Finding finding = training.ask("memory.growth");
    EXPECT_EQ(finding.state, keeps ? FindingState::kFound : FindingState::kNotFound) << finding.sentence;
  }
  Training few(
      6, [](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, kMs).memory(to.main, at, 8, 0); });
  EXPECT_EQ(few.state("memory.growth"), FindingState::kCannotJudge);
}

TEST(Rules, ShortKernelsAndAnIdleDeviceMeanLaunches) {
  for (const int64_t kernel_ns : {5'000, 90'000}) {
    Training training(6, [&](Training& to, int64_t at) {
      to.t.op("aten::add", to.main, at, 9 * kMs);
      for (int i = 0; i < 50; ++i) to.t.kernel("add", to.t.stream(7), at + i * 200'000, kernel_ns);
    });
    EXPECT_EQ(training.state("device.launch_bound"),
              kernel_ns < 10'000 ? FindingState::kFound : FindingState::kNotFound);
  }
}

TEST(Rules, TensorCoresAreMissedWhereADeviceHasThem) {
  for (const int64_t major : {7, 6}) {
    Training training(6, [](Training& to, int64_t at) {
      const auto id = static_cast<uint64_t>(at + 1);
      to.t.op("aten::mm", to.main, at, kMs)
          .launch(to.main, at + 1, 5, id)
          .kernel("sgemm", to.t.stream(7), at + kMs, 6 * kMs, id);
    });
    training.t.info().devices.push_back({.id = 0, .name = "Tesla", .compute_major = major});
    if (major == 7) EXPECT_EQ(training.gain("device.tensor_cores"), 4 * kMs);
    if (major != 7) EXPECT_EQ(training.state("device.tensor_cores"), FindingState::kNotFound);
  }
}

TEST(Rules, WarmUpIsANote) {
  TestTrace t;
  const TrackId main = t.thread("1");
  int64_t at = 0;
  for (int step = 0; step < 8; ++step) {
    const int64_t dur = step == 0 ? 5 * kMs : kMs;
    t.step(step, main, at, dur).op("aten::mm", main, at, dur);
    at += dur;
  }
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Advice advice = AnalyzedTrace(*trace).get<skyline::analyze::advice>();
  ASSERT_FALSE(advice.found.empty());
  EXPECT_EQ(advice.found.back().id, "steps.warm_up");
  EXPECT_EQ(advice.found.back().severity, FindingSeverity::kNote);
}

TEST(Rules, EveryAnswerIsASentenceAndHasAPage) {
  Training training(6, [](Training& to, int64_t at) { to.t.op("aten::mm", to.main, at, 9 * kMs); });
  const std::unique_ptr<const Trace> trace = training.t.freeze();
  for (const Finding& finding : find_findings(AnalyzedTrace(*trace), RuleTopic::kTraining)) {
    EXPECT_TRUE(finding.sentence.ends_with('.')) << finding.id;
    if (finding.id != "step.waits_for") EXPECT_EQ(finding.doc_page, finding.id);
    if (finding.state == FindingState::kCannotJudge) EXPECT_FALSE(finding.cure.empty()) << finding.id;
  }
}

}  // namespace
}  // namespace skyline::analyze
