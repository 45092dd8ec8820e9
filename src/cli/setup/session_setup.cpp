#include "cli/setup/session_setup.h"

#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "cli/setup/entry_point_arguments.h"
#include "cli/setup/phase_line.h"
#include "cli/setup/python.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kOneSecondNs = 1'000'000'000;

// For the signal handler.
session::Session* running = nullptr;
std::atomic<bool> is_signalled = false;

void stop_running(int) {
  is_signalled = true;
  if (running != nullptr) running->stop();
}

Result<fs::path> existing(const std::string& typed, std::string_view what) {
  std::error_code error;
  const fs::path path = fs::canonical(typed, error);
  if (error) return Error{fmt::format("there is no {} {}; check the path", what, printable(typed))};
  return path;
}

}  // namespace

Result<session::SessionOptions> session_options(const Arguments& arguments, const Context& context) {
  SKYLINE_TRY(const fs::path entry_point, existing(arguments.text(kEntryPointArgument), "entry point"));
  if (fs::is_directory(entry_point)) {
    return Error{fmt::format("{} is a folder; name the entry point's file",
                             printable(arguments.text(kEntryPointArgument)))};
  }
  fs::path root = entry_point.parent_path();
  if (!arguments.text(kProjectRootArgument).empty()) {
    SKYLINE_TRY(root, existing(arguments.text(kProjectRootArgument), "folder"));
    const std::string inside = fs::relative(entry_point, root).string();
    if (inside.starts_with("..")) {
      return Error{fmt::format("the entry point {} is not in the project root {}",
                               printable(entry_point.string()), printable(root.string()))};
    }
  }
  guard_python_path(context.environment);
  SKYLINE_TRY(const session::Python python,
              session::find_python({.named = arguments.text(kSessionPythonArgument),
                                    .virtual_env = context.environment.virtual_env,
                                    .search_path = context.environment.search_path}));

  session::SessionOptions options;
  options.profile.entry_point = entry_point.string();
  options.profile.project_root = root.string();
  options.profile.batch_size = arguments.number(kBatchSizeArgument);
  options.profile.memory_capacity_bytes = arguments.number(kMemoryCapacityArgument);
  options.profile.budget_ns = arguments.number(kBudgetArgument).value_or(10) * kOneSecondNs;
  options.patience_ns = arguments.number(kPatienceArgument).value_or(60) * kOneSecondNs;
  options.python.python = python.path;
  options.python.binary = own_path();
  options.python.package_folder = package_folder(options.python.binary);
  options.python.python_path = context.environment.python_path;
  if (options.python.package_folder.empty()) return no_package();
  options.cache_folder = context.environment.cache_folder;
  options.scratch_folder = context.environment.temporary_folder;
  options.watch_by_polling = arguments.has(kPollingArgument);
  return options;
}

std::function<bool()> notice_signals() {
  struct sigaction action {};
  action.sa_handler = stop_running;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  return [] { return is_signalled.load(); };
}

Status run_until_signal(session::Session& session) {
  running = &session;
  notice_signals();
  const Status status = session.run();
  running = nullptr;
  return status;
}

Result<std::shared_ptr<const session::ProfileResult>> profile_once(session::SessionOptions options,
                                                                   const Context& context) {
  options.once = true;
  const std::string root = options.profile.project_root;
  session::SessionView last;
  PhaseLine line(context.console);
  session::Session session(std::move(options), [&](const session::SessionView& view) {
    last = view;
    line.show(view);
  });
  const Status status = run_until_signal(session);
  line.erase();
  if (!status.ok()) return status.error();
  if (last.trouble) return Error{describe_trouble(*last.trouble, root)};
  if (last.result == nullptr || !last.result->is_complete) return Error{"interrupted; nothing was written"};
  return last.result;
}

std::string describe_trouble(const session::Trouble& trouble, const std::string& project_root) {
  if (trouble.path.empty()) return printable(trouble.sentence);
  const fs::path relative = fs::path(trouble.path).lexically_relative(project_root);
  const bool is_inside = !relative.empty() && !relative.string().starts_with("..");
  return printable(
      fmt::format("{}:{}: {}", is_inside ? relative.string() : trouble.path, trouble.line, trouble.sentence));
}

}  // namespace skyline::cli
