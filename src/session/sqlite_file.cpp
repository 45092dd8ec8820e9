#include "session/sqlite_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace skyline {
namespace {

Error exists_already(const std::string& path) {
  return {path + " exists already; choose another name, or replace it with --force"};
}

Error cannot_create(const std::string& path, const std::string& why) {
  return {"cannot create " + path + ": " + why};
}

// Two processes, or two threads of one, never share a name.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  return path + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

void bind(sqlite3_stmt* statement, int place, const SqliteFile::Value& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) {
    sqlite3_bind_int64(statement, place, *number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_bind_double(statement, place, *real);
  } else if (const auto* text = std::get_if<std::string_view>(&value)) {
    // An empty view may have no address, which SQLite would take for NULL.
    sqlite3_bind_text64(statement, place, text->empty() ? "" : text->data(), text->size(), SQLITE_STATIC,
                        SQLITE_UTF8);
  } else {
    sqlite3_bind_null(statement, place);
  }
}

bool reach_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool has_reached = ::fsync(file) == 0;
  ::close(file);
  return has_reached;
}

}  // namespace

SqliteFile::Value value_or_null(const std::optional<int64_t>& value) {
  return value ? SqliteFile::Value(*value) : SqliteFile::Value();
}

Result<SqliteFile> SqliteFile::create(const std::string& path, bool may_replace) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return Error{path + " is a folder; name a file"};
    if (!may_replace) return exists_already(path);
  }
  SqliteFile file(path, temporary_name(path), may_replace);
  // Made by us and not by SQLite, whose errors do not say why.
  const int made = ::open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made < 0) return cannot_create(path, std::strerror(errno));
  ::close(made);
  const bool is_open =
      file.is_done(sqlite3_open_v2(file.temporary_.c_str(), &file.database_, SQLITE_OPEN_READWRITE, nullptr));
  if (!is_open) return cannot_create(path, file.trouble_);
  // Nobody else sees the file before it is complete, and a half one is thrown away: no journal is needed.
  file.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  return file;
}

SqliteFile::SqliteFile(std::string path, std::string temporary, bool may_replace)
    : path_(std::move(path)), temporary_(std::move(temporary)), may_replace_(may_replace) {}

SqliteFile::SqliteFile(SqliteFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, std::string())),
      may_replace_(other.may_replace_),
      database_(std::exchange(other.database_, nullptr)),
      trouble_(std::move(other.trouble_)),
      statements_(std::exchange(other.statements_, {})) {}

SqliteFile::~SqliteFile() {
  drop_statements();
  sqlite3_close(database_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
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
  for (size_t i = 0; i < row.size(); ++i) bind(statement, static_cast<int>(i) + 1, row[i]);
  const bool is_in = is_done(sqlite3_step(statement));
  sqlite3_reset(statement);
  return is_in ? sqlite3_last_insert_rowid(database_) : 0;
}

Status SqliteFile::commit() {
  drop_statements();
  execute("COMMIT");
  if (trouble_.empty()) is_done(sqlite3_close(std::exchange(database_, nullptr)));
  if (!trouble_.empty()) return cannot_create(path_, trouble_);
  if (!reach_disk(temporary_)) return cannot_create(path_, std::strerror(errno));
  // Somebody may have made the file since create(). Where the system cannot refuse that, we replace it.
  int failed = -1;
  if (!may_replace_) {
    failed = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
    if (failed != 0 && errno == EEXIST) return exists_already(path_);
  }
  if (failed != 0) failed = ::rename(temporary_.c_str(), path_.c_str());
  if (failed != 0) return cannot_create(path_, std::strerror(errno));
  temporary_.clear();
  return Done{};
}

}  // namespace skyline
