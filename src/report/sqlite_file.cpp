#include "report/sqlite_file.h"

#include <sqlite3.h>

#include <utility>

namespace skyline::report {
namespace {

int bind(sqlite3_stmt* statement, int place, const SqliteFile::Value& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) {
    return sqlite3_bind_int64(statement, place, *number);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return sqlite3_bind_double(statement, place, *real);
  }
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    // An empty view may have no address, which SQLite would take for NULL.
    return sqlite3_bind_text64(statement, place, text->empty() ? "" : text->data(), text->size(),
                               SQLITE_STATIC, SQLITE_UTF8);
  }
  return sqlite3_bind_null(statement, place);
}

}  // namespace

SqliteFile::Value value_or_null(const std::optional<int64_t>& value) {
  return value ? SqliteFile::Value(*value) : SqliteFile::Value();
}

Result<SqliteFile> SqliteFile::create(const FileTarget& target) {
  // Made by us and not by SQLite, whose errors do not say why.
  SKYLINE_TRY(NewFile made, NewFile::create(target));
  SqliteFile file(target.path, std::move(made));
  const bool is_open = file.is_done(
      sqlite3_open_v2(file.file_.temporary().c_str(), &file.database_, SQLITE_OPEN_READWRITE, nullptr));
  if (!is_open) return cannot_create(target.path, file.trouble_);
  // Nobody else sees the file before it is complete, and a half one is thrown away: no journal is needed.
  file.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  return file;
}

SqliteFile::SqliteFile(std::string path, NewFile file) : path_(std::move(path)), file_(std::move(file)) {}

SqliteFile::SqliteFile(SqliteFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      database_(std::exchange(other.database_, nullptr)),
      trouble_(std::move(other.trouble_)),
      statements_(std::exchange(other.statements_, {})) {}

SqliteFile::~SqliteFile() {
  drop_statements();
  sqlite3_close(database_);
}

bool SqliteFile::is_done(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return true;
  if (trouble_.empty()) trouble_ = database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_);
  return false;
}

void SqliteFile::execute(const std::string& statements) {
  if (trouble_.empty()) is_done(sqlite3_exec(database_, statements.c_str(), nullptr, nullptr, nullptr));
}

void SqliteFile::drop_statements() {
  for (const auto& [table, statement] : std::exchange(statements_, {})) sqlite3_finalize(statement);
}

sqlite3_stmt* SqliteFile::statement_for(const std::string& table, size_t columns) {
  sqlite3_stmt*& statement = statements_[table];
  if (statement != nullptr) return statement;
  std::string text = "INSERT INTO " + table + " VALUES (?";
  for (size_t i = 1; i < columns; ++i) text += ", ?";
  is_done(sqlite3_prepare_v2(database_, (text + ")").c_str(), -1, &statement, nullptr));
  return statement;
}

int64_t SqliteFile::insert(const std::string& table, const std::vector<Value>& row) {
  if (!trouble_.empty()) return 0;
  sqlite3_stmt* statement = statement_for(table, row.size());
  if (statement == nullptr) return 0;
  bool is_in = true;
  for (size_t i = 0; i < row.size() && is_in; ++i) {
    is_in = is_done(bind(statement, static_cast<int>(i) + 1, row[i]));
  }
  is_in = is_in && is_done(sqlite3_step(statement));
  sqlite3_reset(statement);
  return is_in ? sqlite3_last_insert_rowid(database_) : 0;
}

Status SqliteFile::commit() {
  drop_statements();
  execute("COMMIT");
  if (trouble_.empty()) is_done(sqlite3_close(std::exchange(database_, nullptr)));
  if (!trouble_.empty()) return cannot_create(path_, trouble_);
  return file_.commit();
}

}  // namespace skyline::report
