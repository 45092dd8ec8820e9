// Traces are read one after another, each on all threads: a folder of a hundred ranks needs the memory of
// one, plus whatever the command keeps of each.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyze/analyze.h"
#include "base/json_writer.h"
#include "base/memory_budget.h"
#include "cli/setup/command.h"
#include "trace/trace.h"

namespace skyline::cli {

struct ReadError {
  std::string file;
  std::string sentence;
};

// Gets a trace that is gone afterwards. An error is about this trace only; the others are still read.
using VisitTrace = std::function<Status(const analyze::AnalyzedTrace& analyzed,
                                        const analyze::RankLabel& label, int64_t ingest_ns)>;

// Reads the one trace at `path`, which may be "-".
Result<std::unique_ptr<const Trace>> read_one_trace(const std::string& path, const Arguments& arguments,
                                                    const Context& context);

// Two recordings of one process: of the host, and of its devices.
Result<std::unique_ptr<const Trace>> read_two_as_one(const std::string& path, const std::string& device_path,
                                                     const Arguments& arguments, const Context& context);

// The files that the arguments mean. A path that means none is complained about at once.
struct FoundFiles {
  std::vector<std::string> files = {};  // may hold "-", once
  std::vector<ReadError> errors = {};
};
FoundFiles find_files(const Arguments& arguments, const Context& context);

// Reads one of them later, without a word in the terminal; it may take that much memory.
Result<std::shared_ptr<const Trace>> read_quietly(const std::string& file, const MemoryBudget& memory,
                                                  const Arguments& arguments, const Context& context);

// For the next time that the file is opened.
void keep_copy(const Trace& trace, const Arguments& arguments, const Context& context);

// What reading and holding traces may take.
MemoryBudget memory_budget(const Arguments& arguments);

// How many threads the user wants; 0: as many as the machine has.
unsigned wanted_threads(const Arguments& arguments, const Environment& environment);

// Reads every trace that the arguments mean. What cannot be read is complained about at once and listed in
// the result; it does not keep the others from being visited.
std::vector<ReadError> for_each_trace(const Arguments& arguments, const Context& context,
                                      const VisitTrace& visit);

// By rank; equal ranks stay in the order of the files.
template <typename PerRank>
void sort_by_rank(std::vector<PerRank>& ranks) {
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const PerRank& a, const PerRank& b) { return a.label.rank < b.label.rank; });
}

ExitCode exit_code_of(const std::vector<ReadError>& errors);

// The fields "rank", "rank_known" and "file" of an open object.
void write_label(JsonWriter& json, const analyze::RankLabel& label);

// The field "errors" of an open object.
void write_errors(JsonWriter& json, const std::vector<ReadError>& errors);

// Without its folder, for people.
std::string short_file_name(const std::string& file);

// "trace.json", "rank 3 · trace.json", "standard input".
std::string title_of(const analyze::RankLabel& label);

}  // namespace skyline::cli
