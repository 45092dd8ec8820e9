#include "cli/setup/trace_reading.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <memory>
#include <optional>

#include "base/out_of_memory.h"
#include "cli/setup/common_arguments.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/progress_bar.h"
#include "ingest/ingest.h"

namespace skyline::cli {
namespace {

std::string_view shown_name(std::string_view file) { return file == "-" ? "standard input" : file; }

// Another build of the program may read the same file differently, and must not find our copies.
std::string engine_of(const std::string& version) {
  struct stat program = {};
  static_cast<void>(::stat("/proc/self/exe", &program));
  return fmt::format("{}.{:x}.{:x}", version, program.st_mtim.tv_sec ^ program.st_mtim.tv_nsec,
                     program.st_size);
}

ingest::IngestOptions ingest_options(const Arguments& arguments, const Context& context) {
  const Environment& environment = context.environment;
  ingest::IngestOptions options;
  options.threads = wanted_threads(arguments, environment);
  options.memory = memory_budget(arguments);
  if (environment.chunk_bytes) options.chunk_bytes = *environment.chunk_bytes;
  if (environment.cache_bytes) options.cache.max_bytes = *environment.cache_bytes;
  if (environment.cache_min_bytes) options.cache.min_text_bytes = *environment.cache_min_bytes;
  if (arguments.has(kNoCacheArgument) || options.cache.max_bytes == 0) return options;
  options.cache.folder = environment.cache_folder;
  options.cache.engine = engine_of(context.version);
  return options;
}

// `read`: read_trace or read_traces.
template <typename Read>
auto read_with_progress(Read read, const std::string& file, ingest::IngestOptions options,
                        const Console& console) {
  if (!console.shows_progress) return read(file, options);
  ProgressBar bar(std::string(shown_name(file)), console.progress_width);
  options.progress = [&](uint64_t done, uint64_t total) { bar.update(done, total); };
  return read(file, options);
}

// A path that means no file becomes an error of its own.
FoundFiles files_behind(const std::vector<std::string>& paths) {
  FoundFiles all;
  auto& [files, errors] = all;
  for (const std::string& path : paths) {
    const bool seen = std::find(files.begin(), files.end(), path) != files.end();
    if (path == "-" && seen) {
      errors.push_back({path, "standard input can be read only once; name - only once"});
      continue;
    }
    if (path == "-") {
      files.push_back(path);
      continue;
    }
    Result<std::vector<std::string>> found = ingest::find_traces({path});
    if (!found.ok()) {
      errors.push_back({path, found.error().sentence});
      continue;
    }
    for (std::string& file : found.value()) files.push_back(std::move(file));
  }
  return all;
}

}  // namespace

MemoryBudget memory_budget(const Arguments& arguments) {
  if (!arguments.number(kMaxMemoryArgument)) return default_memory_budget();
  return {static_cast<uint64_t>(*arguments.number(kMaxMemoryArgument)), "--max-memory", true};
}

unsigned wanted_threads(const Arguments& arguments, const Environment& environment) {
  if (arguments.number(kThreadsArgument)) return static_cast<unsigned>(*arguments.number(kThreadsArgument));
  return environment.threads.value_or(0);
}

Result<std::unique_ptr<const Trace>> read_two_as_one(const std::string& path, const std::string& device_path,
                                                     const Arguments& arguments, const Context& context) {
  return ingest::read_joined(path, device_path, ingest_options(arguments, context));
}

Result<std::unique_ptr<const Trace>> read_one_trace(const std::string& path, const Arguments& arguments,
                                                    const Context& context) {
  return read_with_progress(ingest::read_trace, path, ingest_options(arguments, context), context.console);
}

FoundFiles find_files(const Arguments& arguments, const Context& context) {
  FoundFiles found = files_behind(arguments.texts(kTraceArgument));
  for (const ReadError& error : found.errors) context.console.complain(error.sentence);
  return found;
}

Result<std::shared_ptr<const Trace>> read_quietly(const std::string& file, const MemoryBudget& memory,
                                                  const Arguments& arguments, const Context& context) {
  ingest::IngestOptions options = ingest_options(arguments, context);
  options.memory = memory;
  SKYLINE_TRY(std::shared_ptr<const Trace> trace, ingest::read_trace(file, options));
  return trace;
}

void keep_copy(const Trace& trace, const Arguments& arguments, const Context& context) {
  ingest::keep_in_cache(trace, ingest_options(arguments, context));
}

std::vector<ReadError> for_each_trace(const Arguments& arguments, const Context& context,
                                      const VisitTrace& visit) {
  using Clock = std::chrono::steady_clock;
  auto [files, errors] = find_files(arguments, context);
  const size_t named = files.size() + errors.size();

  const ingest::IngestOptions options = ingest_options(arguments, context);
  const auto fail = [&, &errors = errors](const std::string& file, const Error& error) {
    errors.push_back({file, error.sentence});
    context.console.complain(error.sentence);
  };
  size_t more = 0;  // traces besides the first one of each file so far
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    const Clock::time_point begin = Clock::now();
    Result<ingest::Traces> traces = read_with_progress(ingest::read_traces, file, options, context.console);
    const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
    if (!traces.ok()) {
      fail(file, traces.error());
      continue;
    }
    const size_t count = traces.value().size();
    for (size_t place = 0; place < count; ++place) {
      const std::shared_ptr<const Trace> read = std::move(traces.value()[place]);
      const analyze::RankLabel label = analyze::label_of(*read, file, i + more + place);
      const Status visited = or_out_of_memory("analyse", shown_name(file), [&]() -> Status {
        const Status done = visit(analyze::AnalyzedTrace(*read), label, took.count());
        if (done.ok()) return done;
        return Error{fmt::format("{}: {}", shown_name(file), done.error().sentence)};
      });
      if (!visited.ok()) fail(file, visited.error());
      if (count > 1) continue;  // a copy is found by the bytes of its file, which are those of all

      // Only one trace is in memory at a time, so only the last can wait for the answer.
      const auto keep = [read, options] { ingest::keep_in_cache(*read, options); };
      if (i + 1 == files.size() && context.afterwards) {
        context.afterwards(keep);
      } else {
        keep();
      }
    }
    more += count - 1;
  }
  if (!errors.empty() && named > 1) {
    context.console.complain(fmt::format("{} of {} traces could not be used", errors.size(), named));
  }
  return errors;
}

ExitCode exit_code_of(const std::vector<ReadError>& errors) {
  return errors.empty() ? kExitFine : kExitError;
}

void write_label(JsonWriter& json, const analyze::RankLabel& label) {
  json.field("rank", label.rank);
  if (!label.known) json.field("rank_known", false);
  json.field("file", label.file);
}

void write_errors(JsonWriter& json, const std::vector<ReadError>& errors) {
  json.key("errors");
  json.begin_array();
  for (const ReadError& error : errors) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("file", error.file);
    json.field("sentence", error.sentence);
    json.end_object();
  }
  json.end_array();
}

std::string short_file_name(const std::string& file) {
  const std::string_view shown = shown_name(file);
  return printable(shown.substr(shown.rfind('/') + 1));
}

std::string title_of(const analyze::RankLabel& label) {
  const std::string file = printable(shown_name(label.file));
  return label.known ? fmt::format("rank {} · {}", label.rank, file) : file;
}

}  // namespace skyline::cli
