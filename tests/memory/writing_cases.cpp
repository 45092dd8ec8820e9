// Files that appear whole or not at all, whatever memory does.
#include <filesystem>

#include "base/test_folder.h"
#include "every_allocation.h"
#include "ingest/text/test_pack.h"
#include "report/analysis_json.h"
#include "report/report_entries.h"
#include "report/sqlite_report.h"
#include "session/profile/test_profile.h"
#include "small_traces.h"

namespace skyline::faults {
namespace {

using Write = std::function<Status(const report::FileTarget& target)>;

// What is in the folder afterwards: the file, or nothing.
void add(Cases& cases, const std::string& name, const Write& write) {
  cases.push_back({"write " + name, [name, write](Trial& trial) {
                     const TestFolder folder;
                     const report::FileTarget target = {folder / name, false};
                     Status written = Done{};
                     bool is_thrown = false;
                     try {
                       written = trial([&] { return write(target); });
                     } catch (const std::bad_alloc&) {
                       is_thrown = true;
                     }
                     std::string found;
                     for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
                       const std::string file = entry.path().string();
                       found += entry.path().filename().string() + " " +
                                std::to_string(hash_bytes(read_file(file)));
                     }
                     const bool is_whole = written.ok() && !is_thrown;
                     if (!is_whole && !found.empty()) return "this was left behind: " + found;
                     if (is_thrown) throw std::bad_alloc();
                     return written.ok() ? found : error_text(written.error().sentence);
                   }});
}

// A copy in the cache may be missing, but never wrong; and it never keeps a trace from being read.
std::string keep_and_find(Trial& trial, const std::string& bytes) {
  const TestFolder folder;
  const std::string path = folder.write("t.json", bytes);
  // A file that has just changed is not trusted by its times.
  std::filesystem::last_write_time(path,
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  ingest::IngestOptions options = small_pieces();
  options.cache = {.folder = folder / "cache", .engine = "1", .min_text_bytes = 1};
  const auto first = ingest::read_trace(path, options).value();
  trial([&] {
    ingest::keep_in_cache(*first, options);
    return 0;
  });
  return fingerprint(*ingest::read_trace(path, options).value());
}

std::string find_kept(Trial& trial, const std::string& bytes) {
  const TestFolder folder;
  const std::string path = folder.write("t.json", bytes);
  ingest::IngestOptions options = small_pieces();
  options.cache = {.folder = folder / "cache", .engine = "1", .min_text_bytes = 1};
  ingest::keep_in_cache(*ingest::read_trace(path, options).value(), options);
  const auto found = trial([&] { return ingest::read_trace(path, options); });
  if (!found.ok()) return error_text(found.error().sentence);
  return fingerprint(*found.value());
}

}  // namespace

void add_writing_cases(Cases& cases) {
  const std::shared_ptr<const Trace> trace =
      ingest::read_trace_bytes(ingest::gzip(kineto_text()), "t", small_pieces()).value();
  const std::shared_ptr<const Trace> recorded =
      ingest::read_trace_bytes(recording_bytes(), "t", small_pieces()).value();
  for (const auto& [name, of] : {std::pair("", trace), std::pair("recording.", recorded)}) {
    add(cases, std::string(name) + "skyline", [of = of](const report::FileTarget& to) {
      return ingest::write_skyline(*of, to.path, {.threads = 1});
    });
    for (const std::string ending : {"json", "json.gz"}) {
      add(cases, name + ending,
          [of = of](const report::FileTarget& to) { return ingest::write_kineto_json(*of, to.path, {}); });
    }
  }
  add(cases, "two.skyline", [trace](const report::FileTarget& to) {
    return ingest::write_skyline(*trace, to.path, {.threads = 2});
  });
  cases.back().samples = 300;

  const std::vector<report::TimeEntry> times = {{"aten::linear", 1000, 2000, {{"model.py", 5}}, "fc"},
                                                {"aten::relu", 1, {}, {}, {}}};
  const report::MemoryEntries memory = {{{"fc.weight", 400, 400, {{"model.py", 5}}, "fc"}},
                                        {{"aten::linear", 1000, {{"model.py", 5}}, "fc"}},
                                        1800};
  const report::ReportContext context = {
      {{"batch_size", "32"}}, {{"", "Net"}, {"fc", "Linear"}}, {{32, 1000, 1800, {1000, 1001}}}};
  add(cases, "time.sqlite", [times, context](const report::FileTarget& to) {
    return report::write_time_report(to, times, context);
  });
  cases.back().samples = 500;
  add(cases, "memory.sqlite", [memory, context](const report::FileTarget& to) {
    return report::write_memory_report(to, memory, context);
  });
  cases.back().samples = 500;
  add(cases, "analysis.json", [result = session::TestProfile::make()](const report::FileTarget& to) {
    return report::write_text(to, report::analysis_json(result, session::TestProfile::project()));
  });
  cases.back().may_throw = true;
  cases.push_back({"write cache", [](Trial& trial) { return keep_and_find(trial, kineto_text()); }});
  cases.push_back({"read cache", [](Trial& trial) { return find_kept(trial, kineto_text()); }});
  cases.push_back(
      {"write cache gzip", [](Trial& trial) { return keep_and_find(trial, ingest::gzip(kineto_text())); }});
}

}  // namespace skyline::faults
