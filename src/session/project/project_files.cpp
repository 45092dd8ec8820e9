#include "session/project/project_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <sstream>

#include "session/project/source_text.h"

namespace skyline::session {
namespace {

constexpr std::string_view kNeverEntered[] = {"__pycache__", "node_modules", "site-packages", "venv"};
constexpr size_t kMostPatterns = 1000;

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string join(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

struct Listing {
  std::vector<std::string> folders;
  std::vector<std::string> files;  // also symbolic links, to whatever
};

// Not every file system tells the kind of an entry; then it is asked for.
bool is_folder(const std::string& parent, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat status;
  return ::lstat((parent + "/" + entry.d_name).c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Listing list(const std::string& absolute_folder) {
  Listing listing;
  const auto close = [](DIR* folder) { ::closedir(folder); };
  const std::unique_ptr<DIR, decltype(close)> folder(::opendir(absolute_folder.c_str()), close);
  if (!folder) return listing;  // gone meanwhile, or not ours to read
  while (const dirent* entry = ::readdir(folder.get())) {
    if (entry->d_name[0] == '.') continue;  // hidden, or the folder itself
    (is_folder(absolute_folder, *entry) ? listing.folders : listing.files).emplace_back(entry->d_name);
  }
  std::sort(listing.folders.begin(), listing.folders.end());
  std::sort(listing.files.begin(), listing.files.end());
  return listing;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0;
  size_t star = std::string_view::npos, star_text = 0;  // where to go back to when the rest does not match
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == text[t] || (pattern[p] == '?' && text[t] != '/'))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos && text[star_text] != '/') {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

ProjectFiles::ProjectFiles(std::string root) : root_(std::move(root)) { read_gitignore(); }

void ProjectFiles::read_gitignore() {
  Result<std::optional<std::string>> text = read_source_text(root_ + "/.gitignore");
  std::istringstream file(text.ok() ? std::move(text).value().value_or("") : "");
  std::string line;
  while (ignored_.size() < kMostPatterns && std::getline(file, line)) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    if (line.empty() || line[0] == '#' || line[0] == '!' || line.find('[') != std::string::npos) continue;
    Ignored ignored{.pattern = line};
    if (ignored.pattern.ends_with("/**")) ignored.pattern.resize(line.size() - 2);
    if (ignored.pattern.ends_with("/")) {
      ignored.is_folder_only = true;
      ignored.pattern.pop_back();
    }
    if (ignored.pattern.starts_with("**/")) ignored.pattern.erase(0, 3);
    ignored.is_anchored = ignored.pattern.find('/') != std::string::npos;
    if (ignored.pattern.starts_with("/")) ignored.pattern.erase(0, 1);
    if (!ignored.pattern.empty()) ignored_.push_back(std::move(ignored));
  }
}

bool ProjectFiles::is_ignored(std::string_view path, bool is_folder) const {
  return std::any_of(ignored_.begin(), ignored_.end(), [&](const Ignored& ignored) {
    if (ignored.is_folder_only && !is_folder) return false;
    return matches_glob(ignored.pattern, ignored.is_anchored ? path : last_part(path));
  });
}

bool ProjectFiles::has_file(std::string_view path) const {
  const std::string_view name = last_part(path);
  if (name.starts_with('.')) return false;
  const bool is_source = std::any_of(std::begin(kSourceEndings), std::end(kSourceEndings),
                                     [&](std::string_view ending) { return name.ends_with(ending); });
  return is_source && !is_ignored(path, false);
}

bool ProjectFiles::has_folder(std::string_view path) const {
  if (path.empty()) return true;
  const std::string_view name = last_part(path);
  if (name.starts_with('.')) return false;
  if (std::find(std::begin(kNeverEntered), std::end(kNeverEntered), name) != std::end(kNeverEntered))
    return false;
  return !is_ignored(path, true) && ::access((absolute(path) + "/pyvenv.cfg").c_str(), F_OK) != 0;
}

std::string ProjectFiles::absolute(std::string_view path) const {
  return path.empty() ? root_ : root_ + "/" + std::string(path);
}

bool ProjectFiles::walk(const std::string& folder, const std::function<bool(const std::string&)>& on_folder,
                        const std::function<void(const std::string&)>& on_file) const {
  std::deque<std::string> waiting;
  if (has_folder(folder)) waiting.push_back(folder);
  while (!waiting.empty()) {
    const std::string next = std::move(waiting.front());
    waiting.pop_front();
    if (!on_folder(next)) return false;
    const Listing listing = list(absolute(next));
    for (const std::string& name : listing.files) {
      if (has_file(join(next, name))) on_file(join(next, name));
    }
    for (const std::string& name : listing.folders) {
      if (has_folder(join(next, name))) waiting.push_back(join(next, name));
    }
  }
  return true;
}

}  // namespace skyline::session
