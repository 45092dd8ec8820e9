// Paths as the project sees them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace skyline::session {

// What was profiled, for those who write it down.
struct ProfiledProject {
  std::string entry_point;  // both absolute
  std::string project_root;
  std::string producer;  // "skyline 0.1.0"
};

// From the root on; a path that lies elsewhere stays as it is.
inline std::string in_project(std::string_view path, const std::string& project_root) {
  const std::string relative = std::filesystem::path(path).lexically_relative(project_root).string();
  return relative.empty() || relative.starts_with("..") ? std::string(path) : relative;
}

}  // namespace skyline::session
