#include "session/preload_list.h"

#include <filesystem>
#include <fstream>

#include "base/sha256.h"

namespace skyline {
namespace {

constexpr size_t kMostModules = 256;

}  // namespace

PreloadList::PreloadList(const std::string& folder, const std::string& project_root) : folder_(folder) {
  if (folder.empty()) return;
  path_ = folder + "/preload-" + sha256(project_root).substr(0, 16);
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
  std::filesystem::create_directories(folder_, ignored);
  std::ofstream file(path_, std::ios::trunc);
  for (const std::string& module : modules_) file << "+ " << module << '\n';
  for (const std::string& module : offenders_) file << "- " << module << '\n';
}

}  // namespace skyline
