#include "report/sqlite_report.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/test_folder.h"

namespace skyline::report {
namespace {

namespace fs = std::filesystem;

class SqliteReportTest : public testing::Test {
 protected:
  // Rows as lines, values separated by |.
  std::string query(const std::string& text) const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2(path_.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    std::string rows;
    const auto add = [](void* out, int count, char** values, char**) {
      for (int i = 0; i < count; ++i) {
        *static_cast<std::string*>(out) +=
            std::string(i > 0 ? "|" : "") + (values[i] == nullptr ? "NULL" : values[i]);
      }
      *static_cast<std::string*>(out) += "\n";
      return 0;
    };
    char* trouble = nullptr;
    if (sqlite3_exec(database, text.c_str(), add, &rows, &trouble) != SQLITE_OK) rows = trouble;
    sqlite3_free(trouble);
    sqlite3_close(database);
    return rows;
  }

  std::string bytes() const { return read_file(path_); }

  const TestFolder folder_;
  const std::string path_ = folder_ / "report.sqlite";
};

const std::vector<TimeEntry> kTimes = {
    {.operation_name = "conv2d",
     .forward_ns = 1'500'000,
     .backward_ns = 2'250'000,
     .frames = {{"models/cnn.py", 12}, {"entry_point.py", 30}},
     .module = "blocks.0.conv"},
    {.operation_name = "randn", .forward_ns = 1},
    {.operation_name = "conv2d",
     .forward_ns = 3'000'000,
     .frames = {{"models/cnn.py", 12}},
     .module = "blocks.1.conv"},
};

const MemoryEntries kMemory = {
    .weights = {{.name = "fc.weight",
                 .size_bytes = 400,
                 .grad_size_bytes = 400,
                 .frames = {{"a.py", 1}},
                 .module = "fc"},
                {.name = "fc.bias", .size_bytes = 40, .grad_size_bytes = 0}},
    .activations = {{.operation_name = "relu",
                     .size_bytes = 1000,
                     .frames = {{"a.py", 7}, {"b.py", 8}},
                     .module = "act"}},
    .peak_bytes = 123'456,
};

const ReportContext kContext = {
    .metadata = {{"batch_size", "32"}, {"torch", "2.13.0"}},
    .modules = {{"", "Net"}, {"fc", "Linear"}},
    .samples = {{.batch_size = 16, .median_ns = 20, .peak_bytes = 1000, .iterations_ns = {19, 20, 21}},
                {.batch_size = 32, .median_ns = 35}},
};

TEST_F(SqliteReportTest, TimeHasTheTablesOfSkyline) {
  ASSERT_TRUE(write_time_report({path_}, kTimes, kContext).ok());
  EXPECT_EQ(query("PRAGMA user_version"), "1\n");
  EXPECT_EQ(query("SELECT id, operation_name, forward_ms, backward_ms FROM run_time_entries ORDER BY id"),
            "1|conv2d|1.5|2.25\n2|randn|1.0e-06|NULL\n3|conv2d|3.0|NULL\n");
  EXPECT_EQ(query("SELECT entry_id, ordering, file_path, line_number FROM stack_frames ORDER BY 1, 2"),
            "1|0|models/cnn.py|12\n1|1|entry_point.py|30\n3|0|models/cnn.py|12\n");
  EXPECT_EQ(query("PRAGMA integrity_check"), "ok\n");
}

TEST_F(SqliteReportTest, MemoryHasTheTablesOfSkyline) {
  ASSERT_TRUE(write_memory_report({path_}, kMemory, kContext).ok());
  EXPECT_EQ(query("PRAGMA user_version"), "1\n");
  EXPECT_EQ(query("SELECT * FROM weight_entries"), "1|fc.weight|400|400\n2|fc.bias|40|0\n");
  EXPECT_EQ(query("SELECT * FROM activation_entries"), "1|relu|1000\n");
  EXPECT_EQ(query("SELECT * FROM entry_types"), "1|Weight\n2|Activation\n");
  EXPECT_EQ(query("SELECT * FROM misc_sizes"), "peak_usage_bytes|123456\n");
  EXPECT_EQ(query("SELECT correlation_id, entry_id, entry_type FROM stack_correlation"),
            "1|1|1\n2|2|1\n3|1|2\n");
  EXPECT_EQ(query("SELECT correlation_id, ordering, file_path, line_number FROM stack_frames"),
            "1|0|a.py|1\n3|0|a.py|7\n3|1|b.py|8\n");
  EXPECT_EQ(query("SELECT name FROM sqlite_master WHERE type = 'index' AND name = 'entry_type_and_id'"),
            "entry_type_and_id\n");
  EXPECT_EQ(query("PRAGMA integrity_check"), "ok\n");
}

TEST_F(SqliteReportTest, OurTablesSayWhatSkylinesDoNot) {
  ASSERT_TRUE(write_time_report({path_}, kTimes, kContext).ok());
  EXPECT_EQ(query("SELECT * FROM run_metadata ORDER BY key"), "batch_size|32\ntorch|2.13.0\n");
  EXPECT_EQ(query("SELECT id, name, class_name FROM modules"),
            "1||Net\n2|fc|Linear\n3|blocks.0.conv|NULL\n4|blocks.1.conv|NULL\n");
  EXPECT_EQ(query("SELECT entry_table, entry_id, module_id FROM entry_modules"),
            "run_time_entries|1|3\nrun_time_entries|3|4\n");
  EXPECT_EQ(query("SELECT * FROM samples"), "1|16|20|1000\n2|32|35|NULL\n");
  EXPECT_EQ(query("SELECT * FROM sample_iterations"), "1|0|19\n1|1|20\n1|2|21\n");
}

TEST_F(SqliteReportTest, ModulesOfMemoryAreKept) {
  ASSERT_TRUE(write_memory_report({path_}, kMemory, kContext).ok());
  EXPECT_EQ(
      query("SELECT entry_table, entry_id, name FROM entry_modules JOIN modules ON module_id = modules.id"),
      "weight_entries|1|fc\nactivation_entries|1|act\n");
}

TEST_F(SqliteReportTest, ExistingFilesStayUnlessTheyMayBeReplaced) {
  write_file(path_, "precious");
  const Status refused = write_time_report({path_}, kTimes, kContext);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().sentence,
            path_ + " exists already; choose another name, or replace it with --force");
  EXPECT_EQ(bytes(), "precious");
  ASSERT_TRUE(write_time_report({path_, true}, kTimes, kContext).ok());
  EXPECT_EQ(query("SELECT COUNT(*) FROM run_time_entries"), "3\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(SqliteReportTest, PlacesThatCannotBeWrittenAreNamed) {
  const Status missing = write_time_report({folder_ / "no/report.sqlite"}, {}, {});
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().sentence.find("No such file or directory"), std::string::npos);
  const Status folder = write_time_report({folder_.path(), true}, {}, {});
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(folder.error().sentence.find("is a folder"), std::string::npos);
}

// Our own mistake, here a key that is given twice, leaves nothing behind.
TEST_F(SqliteReportTest, HalfAFileIsNoFile) {
  const Status status = write_time_report({path_}, kTimes, {.metadata = {{"a", "1"}, {"a", "2"}}});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().sentence.find("UNIQUE constraint failed"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(SqliteReportTest, SameInputGivesTheSameBytes) {
  ASSERT_TRUE(write_memory_report({path_}, kMemory, kContext).ok());
  const std::string first = bytes();
  ASSERT_TRUE(write_memory_report({path_, true}, kMemory, kContext).ok());
  EXPECT_EQ(bytes(), first);
}

TEST_F(SqliteReportTest, EmptyReportIsAReport) {
  ASSERT_TRUE(write_time_report({path_}, {}, {}).ok());
  EXPECT_EQ(query("SELECT COUNT(*) FROM run_time_entries"), "0\n");
  ASSERT_TRUE(write_memory_report({path_, true}, {}, {}).ok());
  EXPECT_EQ(query("SELECT size_bytes FROM misc_sizes"), "0\n");
}

}  // namespace
}  // namespace skyline::report
