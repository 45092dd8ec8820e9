#include "cli/setup/python.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/terminal/printable.h"
#include "session/session.h"

namespace skyline::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string own_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

Error no_package() {
  return {
      "the Python package skyline is not beside this program; run it from a checkout or install it with "
      "pip"};
}

std::string package_folder(const std::string& binary) {
  std::error_code ignored;
  // site-packages/skyline/bin/skyline
  const fs::path installed = fs::path(binary).parent_path().parent_path();
  if (fs::exists(installed / "__main__.py", ignored)) return installed.parent_path().string();
  // checkout/build/PRESET/bin/skyline
  for (fs::path folder = installed; folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / "python/skyline/__main__.py", ignored)) return (folder / "python").string();
  }
  return {};
}

std::string default_python(const Environment& environment) {
  if (environment.virtual_env.empty()) return "python3";
  return environment.virtual_env + "/bin/python";
}

std::string absolute_parts(std::string_view path) {
  std::string kept;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (part.starts_with('/')) kept.append(kept.empty() ? "" : ":").append(part);
  }
  return kept;
}

void guard_python_path(const Environment& environment) {
  if (!environment.python_path.empty())
    ::setenv("PYTHONPATH", absolute_parts(environment.python_path).c_str(), 1);
}

Error become_python(const std::string& python, const std::vector<std::string>& words,
                    const Environment& environment) {
  const std::string binary = own_path();
  const std::string package = package_folder(binary);
  if (package.empty()) return no_package();
  guard_python_path(environment);
  session::Launch what = session::python_launch({python, package, binary, environment.python_path},
                                                "skyline.__main__:main", words);
  for (const auto& [name, value] : what.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> pointers;
  pointers.reserve(what.words.size() + 1);
  for (std::string& word : what.words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(python.c_str(), pointers.data());
  return {fmt::format("cannot start Python as '{}': {}; name another with --python", printable(python),
                      std::strerror(errno))};
}

Error pass_to_python(const std::string& command, const Arguments& arguments, const Context& context) {
  std::string python = default_python(context.environment);
  std::vector<std::string> words = {command};
  auto next = arguments.words.begin();
  if (next != arguments.words.end() && *next == "--python") {
    if (++next == arguments.words.end()) return Error{"the option --python needs a value"};
    python = *next++;
  }
  words.insert(words.end(), next, arguments.words.end());
  return become_python(python, words, context.environment);
}

}  // namespace skyline::cli
