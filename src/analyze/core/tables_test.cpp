// The laws of the table registry, and the words that users may get wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analyze/analyze.h"
#include "analyze/core/test_random_trace.h"

namespace skyline::analyze {
namespace {

std::string error_of(const Trace& trace, std::string_view table, const TableOptions& options) {
  const Result<Table> result = compute_table(AnalyzedTrace(trace), table, options, {});
  return result.ok() ? "" : result.error().sentence;
}

TEST(TableRegistry, NamesAreUniqueAndEverythingIsDocumented) {
  std::set<std::string_view> names;
  for (const TableAnalysis& analysis : table_analyses()) {
    EXPECT_TRUE(names.insert(analysis.name).second);
    EXPECT_EQ(find_table(analysis.name), &analysis);
    EXPECT_FALSE(analysis.sentence.empty() || analysis.needs.empty() || analysis.group_by.empty());
    EXPECT_TRUE(analysis.title.starts_with(static_cast<char>(analysis.name.front() - 'a' + 'A')));
    std::set<std::string_view> columns;
    for (const ColumnDef& column : analysis.columns) {
      EXPECT_TRUE(columns.insert(column.name).second) << column.name;
      EXPECT_TRUE(column.definition.ends_with('.')) << column.name;
    }
  }
}

TEST(TableRegistry, EveryGroupingOfEveryTableFillsItsColumns) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::unique_ptr<const Trace> trace = random_trace(seed);
    for (const TableAnalysis& analysis : table_analyses()) {
      for (const std::string_view group : analysis.group_by) {
        const Result<Table> table =
            compute_table(AnalyzedTrace(*trace), analysis.name, {std::string(group), {}}, {});
        ASSERT_TRUE(table.ok());
        EXPECT_FALSE(table.value().rows.empty());
        for (const std::vector<Cell>& row : table.value().rows)
          EXPECT_EQ(row.size(), table.value().columns.size());
      }
    }
  }
}

TEST(TableRegistry, KindsOfColumnsFitTheirUnits) {
  for (const TableAnalysis& analysis : table_analyses()) {
    for (const ColumnDef& column : analysis.columns) {
      const std::string what = std::string(analysis.name) + "." + std::string(column.name);
      switch (column.unit) {
        case Unit::kText:
          EXPECT_EQ(column.kind, ColumnKind::kKey) << what;
          break;
        case Unit::kShare:
        case Unit::kPerSecond:
        case Unit::kBytesPerSecond:
          EXPECT_EQ(column.kind, ColumnKind::kDerived) << what;
          break;
        case Unit::kCount:
          EXPECT_EQ(column.kind, ColumnKind::kAdditive) << what;
          break;
        case Unit::kNumber:
          EXPECT_NE(column.kind, ColumnKind::kAdditive) << what;
          break;
        case Unit::kNanoseconds:
        case Unit::kBytes: {
          // Extremes, means and moments do not add up; the rest does.
          const std::set<std::string_view> others = {
              "start",      "time",     "mean",     "min",       "max",          "least",
              "most",       "reserved", "resident", "throttled", "cpu_pressure", "memory_pressure",
              "io_pressure"};
          EXPECT_EQ(column.kind == ColumnKind::kAdditive, !others.contains(column.name)) << what;
          break;
        }
      }
    }
  }
}

// So rows of several ranks can be put together.
TEST(TableRegistry, EveryGroupingHasAKey) {
  const std::unique_ptr<const Trace> trace = random_trace(1);
  const AnalyzedTrace analyzed(*trace);
  for (const TableAnalysis& analysis : table_analyses()) {
    for (const std::string_view group : analysis.group_by) {
      const Result<Table> table = compute_table(analyzed, analysis.name, {std::string(group), {}}, {});
      const std::vector<ColumnDef>& columns = table.value().columns;
      const auto is_key = [](const ColumnDef& column) { return column.kind == ColumnKind::kKey; };
      EXPECT_TRUE(std::any_of(columns.begin(), columns.end(), is_key)) << analysis.name << " by " << group;
    }
  }
}

TEST(TableRegistry, EveryColumnIsShownBySomeGrouping) {
  const std::unique_ptr<const Trace> trace = random_trace(1);
  const AnalyzedTrace analyzed(*trace);
  for (const TableAnalysis& analysis : table_analyses()) {
    std::set<std::string_view> shown;
    for (const std::string_view group : analysis.group_by) {
      const TableOptions options = {.group_by = std::string(group), .step = {}, .ranges = true};
      const Result<Table> table = compute_table(analyzed, analysis.name, options, {});
      for (const ColumnDef& column : table.value().columns) shown.insert(column.name);
    }
    for (const ColumnDef& column : analysis.columns) EXPECT_TRUE(shown.contains(column.name)) << column.name;
  }
}

TEST(TableRegistry, EmptyTraceGivesEmptyTables) {
  TestTrace t;
  const std::unique_ptr<const Trace> trace = t.freeze();
  for (const TableAnalysis& analysis : table_analyses()) {
    const Result<Table> table = compute_table(AnalyzedTrace(*trace), analysis.name, {}, {});
    ASSERT_TRUE(table.ok());
    EXPECT_TRUE(table.value().rows.empty());
  }
}

TEST(TableOptions, WrongWordsAreAnsweredWithTheRightOnes) {
  const std::unique_ptr<const Trace> trace = random_trace(1);
  EXPECT_EQ(
      error_of(*trace, "oops", {}),
      "there is no table \"oops\"; it can be steps, ops, kernels, syncs, stacks, modules, lines, calls, "
      "memory, processes, pauses or settings");
  EXPECT_EQ(error_of(*trace, "ops", {"stack", {}}),
            "ops cannot be grouped by \"stack\"; it can be name, shape or signature");
  EXPECT_EQ(error_of(*trace, "ops", {"", 17}), "there is no step 17; steps in this trace: 0 to 3");
}

TEST(TableOptions, AskingForAStepWithoutStepsSaysSo) {
  TestTrace t;
  t.op("aten::mm", t.thread("1"), 0, 10);
  const std::unique_ptr<const Trace> trace = t.freeze();
  EXPECT_EQ(error_of(*trace, "ops", {"", 1}), "there is no step 1; steps in this trace: none");
}

}  // namespace
}  // namespace skyline::analyze
