// How a process has ended.
#pragma once

#include <string>

namespace skyline::session {

struct ProcessEnd {
  int code = 0;
  std::string signal = {};   // "SIGSEGV"; empty: it ended by itself, with `code`
  bool with_parent = false;  // because the process is gone of which it was a copy
};

}  // namespace skyline::session
