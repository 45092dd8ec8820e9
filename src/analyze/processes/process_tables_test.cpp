#include "analyze/processes/process_tables.h"

#include <gtest/gtest.h>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {
namespace {

Cell cell(const Table& table, size_t row, std::string_view column) {
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == column) return table.rows[row][i];
  ADD_FAILURE() << column;
  return {};
}

class Processes {
 public:
  Processes() {
    Trace& draft = t.draft();
    draft.processes.add({.pid = 1, .role = draft.strings.intern("trainer")});
    draft.processes.add({.pid = 2, .role = draft.strings.intern("DataLoader worker")});
  }
  void count(uint32_t process, int64_t time_ns, std::string_view name, double value) {
    t.draft().process_counters.add({.time_ns = time_ns,
                                    .process = ProcessId(process),
                                    .name = t.draft().strings.intern(name),
                                    .value = value});
  }

  TestTrace t;
  TrackId trainer = t.thread("1", "1"), worker = t.thread("2", "2");
};

TEST(ProcessTables, ProcessorTimeIsWhatWasAddedBetweenTheFirstCountAndTheLast) {
  Processes run;
  run.count(0, 1000, "cpu.user_ns", 500);
  run.count(0, 1000, "cpu.system_ns", 100);
  run.count(0, 3000, "cpu.user_ns", 1300);
  run.count(0, 3000, "cpu.system_ns", 300);
  run.t.op("aten::mm", run.trainer, 0, 4000);
  const std::unique_ptr<const Trace> trace = run.t.freeze();
  const Table table = processes_table(AnalyzedTrace(*trace), {});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(cell(table, 0, "cpu"), Cell(int64_t{1000}));
  EXPECT_EQ(cell(table, 0, "cpu_share"), Cell(0.5));
}

TEST(ProcessTables, WhatWasCountedOnceOrNeverIsMissingAndNotZero) {
  Processes run;
  run.count(0, 1000, "cpu.user_ns", 500);
  run.t.op("aten::mm", run.trainer, 0, 4000);
  const std::unique_ptr<const Trace> trace = run.t.freeze();
  const Table table = processes_table(AnalyzedTrace(*trace), {});
  EXPECT_EQ(cell(table, 0, "cpu"), Cell());
  EXPECT_EQ(cell(table, 1, "resident"), Cell());
}

TEST(ProcessTables, AWorkersRangesAndPausesAreItsOwn) {
  Processes run;
  run.t.op("aten::mm", run.trainer, 0, 4000);
  run.t.annotation("DataLoader.wait", run.worker, 0, 100);
  run.t.annotation("DataLoader.fetch", run.worker, 100, 300);
  run.t.annotation("DataLoader.collate", run.worker, 350, 50);
  run.t.draft().gc_pauses.add(
      {.start_ns = 150, .dur_ns = 20, .track = run.worker, .generation = 2, .collected = 7});
  const std::unique_ptr<const Trace> trace = run.t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Table table = processes_table(analyzed, {});
  EXPECT_EQ(cell(table, 1, "wait"), Cell(int64_t{100}));
  EXPECT_EQ(cell(table, 1, "fetch"), Cell(int64_t{300}));
  EXPECT_EQ(cell(table, 1, "collate"), Cell(int64_t{50}));
  EXPECT_EQ(cell(table, 1, "batches"), Cell(int64_t{1}));
  EXPECT_EQ(cell(table, 1, "gc"), Cell(int64_t{20}));
  EXPECT_EQ(cell(table, 0, "gc"), Cell(int64_t{0}));
  const Table pauses = pauses_table(analyzed, {});
  ASSERT_EQ(pauses.rows.size(), 1u);
  EXPECT_EQ(cell(pauses, 0, "pid"), Cell(int64_t{2}));
  EXPECT_EQ(cell(pauses, 0, "collected"), Cell(int64_t{7}));
}

TEST(ProcessTables, SettingsAreShownAsTheyWereRecorded) {
  Processes run;
  Trace& draft = run.t.draft();
  draft.settings.add({.key = draft.strings.intern("torch.threads"), .value = draft.strings.intern("4")});
  const std::unique_ptr<const Trace> trace = run.t.freeze();
  const Table table = settings_table(AnalyzedTrace(*trace), {});
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(cell(table, 0, "value"), Cell(std::string("4")));
}

}  // namespace
}  // namespace skyline::analyze
