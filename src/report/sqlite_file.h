// A new SQLite file that appears under its name when it is complete, or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "report/new_file.h"

struct sqlite3;
struct sqlite3_stmt;

namespace skyline::report {

class SqliteFile {
 public:
  using Value = std::variant<std::monostate, int64_t, double, std::string_view>;  // monostate: NULL

  // Refuses a file that exists, unless it may be replaced.
  static Result<SqliteFile> create(const FileTarget& target);

  SqliteFile(SqliteFile&& other) noexcept;
  SqliteFile& operator=(SqliteFile&&) = delete;
  ~SqliteFile();  // removes what is not committed

  // The first thing that fails is remembered and told by commit(); what comes after it does nothing.
  void execute(const std::string& statements);

  // Gives the row's id, 0 after a failure.
  int64_t insert(const std::string& table, const std::vector<Value>& row);

  Status commit();

 private:
  SqliteFile(std::string path, NewFile file);
  bool is_done(int code);
  void drop_statements();
  sqlite3_stmt* statement_for(const std::string& table, size_t columns);

  std::string path_;
  NewFile file_;
  sqlite3* database_ = nullptr;
  std::string trouble_;
  std::map<std::string, sqlite3_stmt*> statements_;  // one for each table
};

// NULL for nothing.
SqliteFile::Value value_or_null(const std::optional<int64_t>& value);

}  // namespace skyline::report
