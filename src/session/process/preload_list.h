// Which modules the zygote imports beforehand: what the project imported the last time, but for those whose
// import would hang copies. Kept in a file of lines, `+ module` and `- module`.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace skyline::session {

class PreloadList {
 public:
  // Reads the list of this project; `folder` may be empty or not there.
  PreloadList(const std::string& folder, const std::string& project_root);

  std::vector<std::string> modules() const { return {modules_.begin(), modules_.end()}; }
  // Whether there is one that the list did not have.
  bool add(const std::vector<std::string>& modules);
  void exclude(const std::string& module);

 private:
  void write() const;

  std::string folder_, path_;  // empty: not kept
  std::set<std::string> modules_, offenders_;
};

}  // namespace skyline::session
