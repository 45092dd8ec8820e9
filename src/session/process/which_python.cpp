#include "session/process/which_python.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "session/process/brief_process.h"

namespace skyline::session {
namespace {

constexpr std::pair<int, int> kOldestPython = {3, 11};

// Looks torch up without importing it, which would take seconds. The working folder does not count: a folder
// named torch in it is no torch, and neither is a package without a file. The answer is one line, as sites
// may print at start.
constexpr const char* kQuestion = R"(
import sys
sys.path[:] = [entry for entry in sys.path if entry]
version = "%d.%d.%d" % sys.version_info[:3]
torch = ""
found = "no"
try:
    import importlib.util
    spec = importlib.util.find_spec("torch")
    if spec is not None and spec.origin is not None:
        found = "yes"
        import importlib.metadata
        torch = importlib.metadata.version("torch")
except Exception:
    pass
print("\nskyline-python", version, found, torch)
)";

struct Answer {
  Python python;
  std::string trouble;  // why it does not do; empty: it does
};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_folder(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// A name with a slash is itself.
std::string look_up(const std::string& name, const std::string& search_path) {
  if (name.find('/') != std::string::npos) return is_folder(name) ? name + "/bin/python" : name;
  for (const std::string_view folder : split(search_path, ':')) {
    std::string path = (folder.empty() ? std::string(".") : std::string(folder)) + "/" + name;
    if (!is_folder(path) && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

bool is_too_old(std::string_view version) {
  const std::vector<std::string_view> parts = split(version, '.');
  if (parts.size() < 2) return true;
  return std::pair(std::atoi(std::string(parts[0]).c_str()), std::atoi(std::string(parts[1]).c_str())) <
         kOldestPython;
}

Answer ask(const std::string& path, std::chrono::milliseconds patience) {
  Answer answer{.python = {.path = path, .version = {}, .torch_version = {}}, .trouble = {}};
  const BriefProcess process = run_briefly({path, "-c", kQuestion}, patience);
  if (process.end != BriefProcess::End::kExited || process.code != 0) {
    answer.trouble = how_it_ended(process);
    return answer;
  }
  bool has_torch = false;
  for (const std::string_view line : split(process.output, '\n')) {
    const std::vector<std::string_view> words = split(line, ' ');
    if (words.size() != 4 || words[0] != "skyline-python") continue;
    answer.python.version = words[1];
    has_torch = words[2] == "yes";
    answer.python.torch_version = words[3];
  }
  if (answer.python.version.empty()) {
    answer.trouble = "does not answer like Python";
  } else if (is_too_old(answer.python.version)) {
    answer.trouble = "is Python " + answer.python.version + ", but 3.11 or later is needed";
  } else if (!has_torch) {
    answer.trouble = "has no torch";
  }
  return answer;
}

Result<Python> ask_named(const PythonRequest& request) {
  const std::string path = look_up(request.named, request.search_path);
  if (path.empty()) {
    return Error{"there is no program " + request.named +
                 " in PATH; give --python the path of a Python that has torch"};
  }
  Answer answer = ask(path, request.patience);
  if (answer.trouble.empty()) return std::move(answer.python);
  const std::string cure = answer.trouble == "has no torch"
                               ? "install it there (" + path + " -m pip install torch)"
                               : std::string("leave it out");
  return Error{"the Python given with --python, " + path + ", " + answer.trouble + "; " + cure +
               " or name another one"};
}

}  // namespace

Result<Python> find_python(const PythonRequest& request) {
  if (!request.named.empty()) return ask_named(request);
  std::vector<std::string> candidates;
  if (!request.virtual_env.empty()) candidates.push_back(request.virtual_env + "/bin/python");
  const std::string python3 = look_up("python3", request.search_path);
  if (!python3.empty()) candidates.push_back(python3);

  std::string tried;
  for (const std::string& candidate : candidates) {
    Answer answer = ask(candidate, request.patience);
    if (answer.trouble.empty()) return std::move(answer.python);
    tried += (tried.empty() ? "" : ", ") + candidate + " " + answer.trouble;
  }
  if (python3.empty()) tried += (tried.empty() ? "" : ", ") + std::string("there is no python3 in PATH");
  return Error{"found no Python with torch (" + tried +
               "); install torch in one, or name one that has it with --python"};
}

}  // namespace skyline::session
