#include "cli/commands/open_command.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/setup/background_work.h"
#include "cli/setup/serving.h"
#include "cli/setup/trace_reading.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

// By the place of its file; null: it is read when somebody looks at it.
using ReadTraces = std::vector<std::shared_ptr<const Trace>>;

// Without its folder, unless two are called the same.
std::vector<std::string> names_of(const std::vector<std::string>& files) {
  std::map<std::string, size_t> count;
  for (const std::string& file : files) ++count[short_file_name(file)];
  std::vector<std::string> names;
  for (const std::string& file : files) {
    const std::string name = short_file_name(file);
    names.push_back(count[name] > 1 ? printable(file) : name);
  }
  return names;
}

// What cannot wait: the only file, as a page about nothing helps nobody, and standard input, which may end
// with whoever writes to it; and what is not there, which gives the sentence about it. Files that cannot be
// read are complained about and taken from the list.
ReadTraces read_first(std::vector<std::string>& files, const Arguments& arguments, const Context& context) {
  const bool is_only = files.size() == 1;
  std::vector<std::string> good;
  ReadTraces traces;
  for (const std::string& file : files) {
    std::shared_ptr<const Trace> trace;
    std::error_code ignored;
    if (is_only || file == "-" || !std::filesystem::exists(file, ignored)) {
      Result<std::unique_ptr<const Trace>> read = read_one_trace(file, arguments, context);
      if (!read.ok()) {
        context.console.complain(read.error().sentence);
        continue;
      }
      trace = std::move(read).value();
    }
    good.push_back(file);
    traces.push_back(std::move(trace));
  }
  files = std::move(good);
  return traces;
}

void put_all(serve::OpenedTraces& opened, const std::vector<std::string>& files, const ReadTraces& traces,
             const Arguments& arguments, const Context& context, BackgroundWork& background) {
  const auto keep = [&](const std::shared_ptr<const Trace>& trace) {
    background.add([&, trace] { keep_copy(*trace, arguments, context); });
  };
  const std::vector<std::string> names = names_of(files);
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string id = std::to_string(i);
    if (traces[i] != nullptr) {
      opened.put(id, names[i], traces[i]);
      keep(traces[i]);
      continue;
    }
    opened.put_unread(
        id, names[i],
        [&, keep, file = files[i]](const MemoryBudget& memory) -> Result<std::shared_ptr<const Trace>> {
          SKYLINE_TRY(std::shared_ptr<const Trace> trace, read_quietly(file, memory, arguments, context));
          keep(trace);
          return trace;
        });
  }
}

std::string traces_event(const serve::OpenedTraces& traces) {
  return serve::event_text("traces", serve::protocol::Traces{traces.summaries()});
}

}  // namespace

Result<Answer> run_open(const Arguments& arguments, const Context& context) {
  const std::string& source_root = arguments.text(kSourceRootArgument);
  std::error_code ignored;
  if (!source_root.empty() && !std::filesystem::is_directory(source_root, ignored)) {
    return Error{fmt::format("there is no folder {}; check --source-root", printable(source_root))};
  }

  // What there is to show.
  std::vector<std::string> files = find_files(arguments, context).files;
  const ReadTraces read = read_first(files, arguments, context);
  if (files.empty()) return Answer{.exit_code = kExitError};
  const EndSignals signals;
  serve::OpenedTraces traces(memory_budget(arguments));
  BackgroundWork background;
  put_all(traces, files, read, arguments, context, background);

  // The page.
  const serve::SourceFiles sources(source_root, "");
  serve::OpenedRun run(traces);
  serve::Context served = {
      .program = fmt::format("skyline {}", context.version), .traces = traces, .sources = &sources};
  if (files.size() > 1) served.run = &run;
  if (files.size() > 1) served.greeting = [&] { return std::vector{traces_event(traces)}; };
  SKYLINE_TRY(const std::unique_ptr<serve::Server> server,
              serve::Server::start(serve_options(arguments), served));
  traces.on_change([&] { server->broadcast("traces", traces_event(traces)); });
  run.on_change([&] { server->broadcast("run", serve::event_text("run", run.now())); });
  announce(*server, arguments, context);

  // What it shows first.
  background.add([&] {
    const Result<serve::OpenedTracePtr> first = traces.find("0");
    if (!first.ok()) context.console.complain(first.error().sentence);
  });
  signals.wait();
  traces.on_change({});
  run.on_change({});
  // Nobody waits for it any more, and reading cannot be broken off.
  if (traces.is_reading()) std::quick_exit(kExitFine);
  return Answer{};
}

}  // namespace skyline::cli
