#include "analyze/memory/memory_table.h"

#include <gtest/gtest.h>

#include "analyze/core/table_cells.h"
#include "analyze/core/tables.h"
#include "analyze/memory/test_memory_trace.h"

namespace skyline::analyze {
namespace {

std::unique_ptr<const Trace> small_training() {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  const ModuleId net = t.module("", "Net"), fc = t.module("fc", "Linear");
  const StackId in_net = t.line({}, "train.py", 4, net), in_fc = t.line(in_net, "net.py", 7, fc);
  t.allocate(main, 10, 0x100, 64).tensor(TensorRole::kWeight, "fc.weight", "fc", 0x100, 20);
  t.step(3, main, 100, 500);
  t.op("aten::addmm", main, 110, 20).gradient(1, 0).at(in_fc).allocate(main, 112, 0x200, 24);
  t.op("aten::exp", main, 140, 20).gradient(2, 0).at(in_net).allocate(main, 142, 0x300, 12);
  t.allocate(main, 300, 0x400, 5, /*device_type=*/1);
  return t.freeze();
}

Table table_by(std::string_view group) {
  const auto trace = small_training();
  Result<Table> table = compute_table(AnalyzedTrace(*trace), "memory", {std::string(group), {}}, {});
  CHECK(table.ok());
  return std::move(table).value();
}

TEST(MemoryTable, RolesAddUpToThePeakOfTheirDevice) {
  const Table table = table_by("role");
  ASSERT_EQ(table.rows.size(), 16u);  // of two devices
  EXPECT_EQ(number(table, "weights", "size"), 64);
  EXPECT_EQ(number(table, "activations", "size"), 24);
  EXPECT_EQ(number(table, "temporaries", "size"), 12);
  EXPECT_EQ(number(table, "weights", "blocks"), 1);
  EXPECT_EQ(std::get<double>(row_of(table, "weights")[column_index(table, "share")]), 0.64);
  EXPECT_EQ(text(table, "weights", "device"), "cpu");
  EXPECT_EQ(sum(table, "size"), 105);
}

TEST(MemoryTable, ModulesHaveTheirRoles) {
  const Table table = table_by("module");
  EXPECT_EQ(first_column(table), "(all) (Net) fc (all)");
  EXPECT_EQ(number(table, "(all)", "size"), 100);
  EXPECT_EQ(number(table, "(Net)", "own"), 12);
  EXPECT_EQ(number(table, "(Net)", "temporaries"), 12);
  EXPECT_EQ(number(table, "fc", "weights"), 64);
  EXPECT_EQ(number(table, "fc", "activations"), 24);
  EXPECT_EQ(number(table, "fc", "depth"), 2);
  EXPECT_EQ(text(table, "fc", "class"), "Linear");
}

TEST(MemoryTable, LinesAndBlocksSayWhereTheyCameFrom) {
  const Table lines = table_by("line");
  EXPECT_EQ(first_column(lines), "(no line) net.py:7 train.py:4 (no line)");
  EXPECT_EQ(number(lines, "net.py:7", "activations"), 24);
  const Table blocks = table_by("block");
  EXPECT_EQ(first_column(blocks), "fc.weight aten::addmm aten::exp (no operator)");
  EXPECT_EQ(text(blocks, "fc.weight", "module"), "fc");
  EXPECT_EQ(text(blocks, "aten::addmm", "role"), "activations");
  EXPECT_EQ(text(blocks, "aten::addmm", "line"), "net.py:7");
}

TEST(MemoryTable, RolesThatNeedNamesAreNotKnownWithoutThem) {
  MemoryTestTrace t;
  const TrackId main = t.thread("1");
  t.step(3, main, 100, 500).op("aten::addmm", main, 110, 20).gradient(1, 0).allocate(main, 112, 0x200, 24);
  const std::unique_ptr<const Trace> trace = t.freeze();
  const Table roles = compute_table(AnalyzedTrace(*trace), "memory", {"role", {}}, {}).value();
  EXPECT_EQ(first_column(roles), "activations temporaries other");
  EXPECT_NE(roles.note.find("Roles are not known in this trace"), std::string_view::npos);
  const Table modules = compute_table(AnalyzedTrace(*trace), "memory", {"module", {}}, {}).value();
  EXPECT_EQ(row_of(modules, "(all)")[column_index(modules, "weights")], Cell());
  for (const Figure& figure : compute_figures(AnalyzedTrace(*trace))) {
    const bool is_known = !std::holds_alternative<std::monostate>(figure.value);
    if (figure.def->name == "memory.peak_weights") {
      EXPECT_FALSE(is_known);
    }
    if (figure.def->name == "memory.peak_activations") {
      EXPECT_TRUE(is_known);
    }
  }
  EXPECT_EQ(table_by("role").note, "");
}

TEST(MemoryTable, OverTimeItHasTheExtremesOfEveryStretch) {
  const auto trace = small_training();
  const Table table = table_by("time");
  int64_t most = 0;
  for (const std::vector<Cell>& row : table.rows) {
    EXPECT_LE(number(table, row, "least"), number(table, row, "most"));
    most = std::max(most, number(table, row, "most"));
  }
  EXPECT_EQ(most, memory_at_peak(AnalyzedTrace(*trace)).front().recording.bytes);
}

TEST(MemoryFigures, AreThoseOfTheDeviceWithTheLargestPeak) {
  const auto trace = small_training();
  std::string text;
  for (const Figure& figure : compute_figures(AnalyzedTrace(*trace))) {
    if (!figure.def->name.starts_with("memory.")) continue;
    const int64_t value = std::get<int64_t>(figure.value);
    if (value != 0) text += std::string(figure.def->name.substr(7)) + " " + std::to_string(value) + " ";
  }
  EXPECT_EQ(text, "peak 100 peak_weights 64 peak_activations 24 peak_temporaries 12 peak_recording 100 ");
}

}  // namespace
}  // namespace skyline::analyze
