#include "cli/python.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/printable.h"

namespace skyline {
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

Error become_python(const std::string& python, const std::vector<std::string>& words) {
  const std::string binary = own_path();
  const std::string package = package_folder(binary);
  if (package.empty()) return no_package();
  const char* before = std::getenv("PYTHONPATH");
  const bool has_more = before != nullptr && *before != '\0';
  ::setenv("PYTHONPATH", (has_more ? fmt::format("{}:{}", package, before) : package).c_str(), 1);
  ::setenv("SKYLINE_BIN", binary.c_str(), 0);

  std::vector<std::string> command = {python, "-m", "skyline"};
  command.insert(command.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  pointers.reserve(command.size() + 1);
  for (std::string& word : command) pointers.push_back(word.data());
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
  return become_python(python, words);
}

}  // namespace skyline
