#include "report/sqlite_report.h"

#include <map>

#include "base/out_of_memory.h"
#include "report/sqlite_file.h"

namespace skyline::report {
namespace {

using Value = SqliteFile::Value;
const Value kNull;

constexpr const char* kTimeTables = R"(
PRAGMA user_version = 1;
CREATE TABLE run_time_entries (
  id INTEGER PRIMARY KEY, operation_name TEXT NOT NULL, forward_ms REAL NOT NULL, backward_ms REAL);
CREATE TABLE stack_frames (
  ordering INTEGER NOT NULL, file_path TEXT NOT NULL, line_number INTEGER NOT NULL, entry_id INTEGER NOT NULL,
  PRIMARY KEY (entry_id, ordering));
)";

constexpr const char* kMemoryTables = R"(
PRAGMA user_version = 1;
CREATE TABLE weight_entries (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, size_bytes INTEGER NOT NULL, grad_size_bytes INTEGER NOT NULL);
CREATE TABLE activation_entries (
  id INTEGER PRIMARY KEY, operation_name TEXT NOT NULL, size_bytes INTEGER NOT NULL);
CREATE TABLE entry_types (entry_type INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE stack_correlation (
  correlation_id INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL, entry_type INTEGER NOT NULL,
  UNIQUE (correlation_id, entry_id));
CREATE UNIQUE INDEX entry_type_and_id ON stack_correlation (entry_type, entry_id);
CREATE TABLE stack_frames (
  correlation_id INTEGER NOT NULL, ordering INTEGER NOT NULL, file_path TEXT NOT NULL,
  line_number INTEGER NOT NULL, PRIMARY KEY (correlation_id, ordering));
CREATE TABLE misc_sizes (key TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL);
)";

constexpr const char* kOurTables = R"(
CREATE TABLE run_metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE modules (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, class_name TEXT);
CREATE TABLE entry_modules (
  entry_table TEXT NOT NULL, entry_id INTEGER NOT NULL, module_id INTEGER NOT NULL,
  PRIMARY KEY (entry_table, entry_id));
CREATE TABLE samples (
  id INTEGER PRIMARY KEY, batch_size INTEGER NOT NULL, median_ns INTEGER NOT NULL, peak_bytes INTEGER);
CREATE TABLE sample_iterations (
  sample_id INTEGER NOT NULL, ordering INTEGER NOT NULL, duration_ns INTEGER NOT NULL,
  PRIMARY KEY (sample_id, ordering));
)";

constexpr int64_t kWeightType = 1, kActivationType = 2;

double milliseconds(int64_t ns) { return static_cast<double>(ns) / 1e6; }

void add_context(SqliteFile& file, const ReportContext& context) {
  file.execute(kOurTables);
  for (const auto& [key, value] : context.metadata) file.insert("run_metadata", {key, value});
  for (const ReportContext::Sample& sample : context.samples) {
    const int64_t id = file.insert(
        "samples", {kNull, sample.batch_size, sample.median_ns, value_or_null(sample.peak_bytes)});
    for (size_t i = 0; i < sample.iterations_ns.size(); ++i) {
      file.insert("sample_iterations", {id, static_cast<int64_t>(i), sample.iterations_ns[i]});
    }
  }
}

// Gives each module its row, and notes which entries belong to it. Rows are written at the end, as rows of
// one table should come together.
class Modules {
 public:
  explicit Modules(const ReportContext& context) {
    for (const ReportContext::Module& module : context.modules) add(module.name, module.class_name);
  }

  void note(const char* table, int64_t entry, const std::optional<std::string>& module) {
    if (module) members_.push_back({table, entry, add(*module, {})});
  }

  void write(SqliteFile& file) const {
    for (size_t i = 0; i < rows_.size(); ++i) {
      const auto& [name, class_name] = rows_[i];
      file.insert("modules",
                  {static_cast<int64_t>(i) + 1, name, class_name.empty() ? kNull : Value(class_name)});
    }
    for (const Member& member : members_) {
      file.insert("entry_modules", {std::string_view(member.table), member.entry, member.module});
    }
  }

 private:
  struct Member {
    const char* table;
    int64_t entry, module;
  };

  int64_t add(const std::string& name, const std::string& class_name) {
    const auto [known, is_new] = ids_.emplace(name, static_cast<int64_t>(rows_.size()) + 1);
    if (is_new) rows_.emplace_back(name, class_name);
    return known->second;
  }

  std::map<std::string, int64_t> ids_;
  std::vector<std::pair<std::string, std::string>> rows_;
  std::vector<Member> members_;
};

// Where an entry of a memory report comes from; one without frames has a correlation, too.
void add_stack(SqliteFile& file, int64_t entry, int64_t type, const std::vector<ReportFrame>& frames) {
  const int64_t correlation = file.insert("stack_correlation", {kNull, entry, type});
  for (size_t i = 0; i < frames.size(); ++i) {
    file.insert("stack_frames",
                {correlation, static_cast<int64_t>(i), frames[i].file_path, frames[i].line_number});
  }
}

Status write_times(const FileTarget& target, const std::vector<TimeEntry>& entries,
                   const ReportContext& context) {
  SKYLINE_TRY(SqliteFile file, SqliteFile::create(target));
  file.execute(kTimeTables);
  Modules modules(context);
  for (const TimeEntry& entry : entries) {
    const Value backward = entry.backward_ns ? Value(milliseconds(*entry.backward_ns)) : kNull;
    const int64_t id = file.insert("run_time_entries",
                                   {kNull, entry.operation_name, milliseconds(entry.forward_ns), backward});
    for (size_t i = 0; i < entry.frames.size(); ++i) {
      file.insert("stack_frames",
                  {static_cast<int64_t>(i), entry.frames[i].file_path, entry.frames[i].line_number, id});
    }
    modules.note("run_time_entries", id, entry.module);
  }
  add_context(file, context);
  modules.write(file);
  return file.commit();
}

Status write_memory(const FileTarget& target, const MemoryEntries& entries, const ReportContext& context) {
  SKYLINE_TRY(SqliteFile file, SqliteFile::create(target));
  file.execute(kMemoryTables);
  file.insert("entry_types", {kWeightType, std::string_view("Weight")});
  file.insert("entry_types", {kActivationType, std::string_view("Activation")});
  file.insert("misc_sizes", {std::string_view("peak_usage_bytes"), entries.peak_bytes});
  Modules modules(context);
  for (const WeightEntry& entry : entries.weights) {
    const int64_t id =
        file.insert("weight_entries", {kNull, entry.name, entry.size_bytes, entry.grad_size_bytes});
    add_stack(file, id, kWeightType, entry.frames);
    modules.note("weight_entries", id, entry.module);
  }
  for (const ActivationEntry& entry : entries.activations) {
    const int64_t id = file.insert("activation_entries", {kNull, entry.operation_name, entry.size_bytes});
    add_stack(file, id, kActivationType, entry.frames);
    modules.note("activation_entries", id, entry.module);
  }
  add_context(file, context);
  modules.write(file);
  return file.commit();
}

}  // namespace

Status write_time_report(const FileTarget& target, const std::vector<TimeEntry>& entries,
                         const ReportContext& context) {
  return or_out_of_memory("write", target.path, [&] { return write_times(target, entries, context); });
}

Status write_memory_report(const FileTarget& target, const MemoryEntries& entries,
                           const ReportContext& context) {
  return or_out_of_memory("write", target.path, [&] { return write_memory(target, entries, context); });
}

}  // namespace skyline::report
