// Which files of a trace are the user's program. The recording says so (Trace::sources); where it does not,
// their path does: Python itself, installed packages and torch are somebody else's.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

// Their paths as the trace names them, each once, in order: those of the recording, else those that stacks
// and Python's calls pass through.
std::vector<std::string> user_file_paths(const Trace& trace);

bool looks_foreign(std::string_view path);

class UserFiles {
 public:
  explicit UserFiles(const Trace& trace);

  bool contains(StringId file);

 private:
  const Trace& trace_;
  std::unordered_set<std::string_view> sources_;
  std::unordered_map<StringId, bool, IdHash> known_;
};

}  // namespace skyline::analyze
