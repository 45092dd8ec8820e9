#include "session/process/preload_list.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/sha256.h"

namespace skyline::session {
namespace {

constexpr size_t kMostModules = 256;

// What is named in it will be imported.
bool is_ours_alone(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

PreloadList::PreloadList(const std::string& folder, const std::string& project_root) : folder_(folder) {
  if (folder.empty()) return;
  path_ = folder + "/preload-" + sha256(project_root).substr(0, 16);
  if (!is_ours_alone(path_)) return;
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line) && modules_.size() < kMostModules;) {
    if (line.starts_with("+ ")) modules_.insert(line.substr(2));
    if (line.starts_with("- ")) offenders_.insert(line.substr(2));
  }
}

bool PreloadList::add(const std::vector<std::string>& modules) {
  const size_t before = modules_.size();
  for (const std::string& module : modules) {
    if (!offenders_.contains(module) && modules_.size() < kMostModules) modules_.insert(module);
  }
  if (modules_.size() > before) write();
  return modules_.size() > before;
}

void PreloadList::exclude(const std::string& module) {
  modules_.erase(module);
  offenders_.insert(module);
  write();
}

void PreloadList::write() const {
  if (path_.empty()) return;
  std::error_code ignored;  // it is only a matter of speed
  if (std::filesystem::create_directories(folder_, ignored)) ::chmod(folder_.c_str(), 0700);
  std::ofstream file(path_, std::ios::trunc);
  for (const std::string& module : modules_) file << "+ " << module << '\n';
  for (const std::string& module : offenders_) file << "- " << module << '\n';
  ::chmod(path_.c_str(), 0600);
}

}  // namespace skyline::session
