#include "cli/setup/session_setup.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/sha256.h"
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

Result<fs::path> file_to_run(const Arguments& arguments) {
  const std::string& typed = arguments.text(kEntryPointArgument);
  if (typed.empty()) {
    return Error{"say what to run, a training script or an entry point: skyline interactive train.py"};
  }
  SKYLINE_TRY(fs::path path, existing(typed, "entry point"));
  if (fs::is_directory(path)) {
    return Error{fmt::format("{} is a folder; name the script, or the entry point's file", printable(typed))};
  }
  return path;
}

// In the current folder, where `python -m` looks first.
Result<fs::path> file_of_module(const std::string& module) {
  std::string relative = module;
  std::replace(relative.begin(), relative.end(), '.', '/');
  for (const char* const ending : {".py", "/__main__.py"}) {
    std::error_code error;
    const fs::path path = fs::canonical(fs::current_path() / (relative + ending), error);
    if (!error) return path;
  }
  return Error{
      fmt::format("there is no module {} in this folder; go to the folder that holds it", printable(module))};
}

// As python/skyline/_contract.py asks it.
bool speaks_of_providers(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const char* const prefix : {"skyline", "deepview"}) {
    for (const char* const name : {"_model_provider", "_input_provider", "_iteration_provider"}) {
      if (text.find(std::string(prefix) + name) != std::string::npos) return true;
    }
  }
  return false;
}

}  // namespace

bool is_training_script(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && !speaks_of_providers(path);
}

Result<session::SessionOptions> session_options(const Arguments& arguments, const Context& context) {
  const std::string& module = arguments.text(kModuleArgument);
  SKYLINE_TRY(const fs::path entry_point, module.empty() ? file_to_run(arguments) : file_of_module(module));
  fs::path root = module.empty() ? entry_point.parent_path() : fs::current_path();
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
  options.profile.arguments = arguments.words;
  options.profile.module = module;
  options.profile.most_steps = arguments.number(kTimedStepsArgument);
  options.profile.after_steps = arguments.number(kUntimedStepsArgument);
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

std::string kept_folder(const session::SessionOptions& options) {
  if (options.cache_folder.empty()) return "";
  const std::string of = options.profile.project_root + "\n" + options.profile.entry_point;
  return fmt::format("{}/sessions/{}", options.cache_folder, sha256(of).substr(0, 16));
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
