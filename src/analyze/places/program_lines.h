// Which lines of the user's program a recorded stack passes through.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

class LinePlaces;

struct ProgramLine {
  std::string_view file;  // as frames name it; lives as long as the trace
  int64_t line = 0;
  std::string_view function;

  bool operator==(const ProgramLine&) const = default;
};

using ProgramLines = std::vector<ProgramLine>;  // the innermost first

// Lines of Python itself, of installed packages and of torch are left out.
class ProgramStacks {
 public:
  explicit ProgramStacks(const Trace& trace);
  ~ProgramStacks();

  ProgramLines of(StackId stack);  // empty if there is no stack

 private:
  std::unique_ptr<LinePlaces> places_;
};

}  // namespace skyline::analyze
