#include "cli/commands/open_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cli/setup/serving.h"
#include "cli/setup/trace_reading.h"
#include "cli/terminal/printable.h"

namespace skyline {
namespace {

using Work = std::vector<std::function<void()>>;

// Without its folder, unless two are called the same.
std::vector<std::string> names_of(const std::vector<RankLabel>& labels) {
  std::map<std::string, size_t> count;
  for (const RankLabel& label : labels) ++count[short_file_name(label)];
  std::vector<std::string> names;
  for (const RankLabel& label : labels) {
    const std::string name = short_file_name(label);
    names.push_back(count[name] > 1 ? printable(label.file) : name);
  }
  return names;
}

// What cannot be read is complained about, and the rest is opened.
void read_traces(const Arguments& arguments, Context context, OpenedTraces& opened, Work& afterwards) {
  context.afterwards = [&](std::function<void()> work) { afterwards.push_back(std::move(work)); };
  std::vector<std::shared_ptr<const Trace>> traces;
  std::vector<RankLabel> labels;
  for_each_shared_trace(arguments, context,
                        [&](std::shared_ptr<const Trace> trace, const RankLabel& label, int64_t) -> Status {
                          traces.push_back(std::move(trace));
                          labels.push_back(label);
                          return Done{};
                        });
  const std::vector<std::string> names = names_of(labels);
  for (size_t i = 0; i < traces.size(); ++i) opened.put(std::to_string(i), names[i], std::move(traces[i]));
}

}  // namespace

Result<Answer> run_open(const Arguments& arguments, const Context& context) {
  const std::string& source_root = arguments.text(kSourceRootArgument);
  std::error_code ignored;
  if (!source_root.empty() && !std::filesystem::is_directory(source_root, ignored)) {
    return Error{fmt::format("there is no folder {}; check --source-root", printable(source_root))};
  }

  // All traces, before anybody waits for a page.
  OpenedTraces traces;
  Work afterwards;
  read_traces(arguments, context, traces, afterwards);
  if (traces.all().empty()) return Answer{.exit_code = kExitError};

  // The page.
  const SourceFiles sources(source_root, "");
  const EndSignals signals;
  const Desk desk = {
      .program = fmt::format("skyline {}", context.version), .traces = traces, .sources = &sources};
  SKYLINE_TRY(const std::unique_ptr<Server> server, Server::start(serve_options(arguments), desk));
  announce(*server, arguments, context);

  // Copies for the next time, while the user looks.
  const auto keep_copies = [&] {
    for (const std::function<void()>& work : afterwards) work();
  };
  std::thread keeping;
  try {
    keeping = std::thread(keep_copies);
  } catch (const std::system_error&) {
    keep_copies();  // the system has no thread for us
  }
  signals.wait();
  if (keeping.joinable()) keeping.join();
  return Answer{};
}

}  // namespace skyline
