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

// Where nearly all that libraries do is called from one line of the project ("outputs = model(**batch)", with
// a model of transformers), that line says nothing: then the libraries' own lines stand below it, as a second
// level. Python itself and torch stay what they are.
class UserFiles {
 public:
  explicit UserFiles(const Trace& trace);

  bool contains(StringId file);

 private:
  bool is_project(StringId file) const;
  bool has_one_way_into_libraries() const;

  const Trace& trace_;
  std::unordered_set<std::string_view> sources_;
  bool with_libraries_ = false;
  std::unordered_map<StringId, bool, IdHash> known_;
};

}  // namespace skyline::analyze
