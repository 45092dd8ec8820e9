// Where in the user's program operators were called. From the recorder's stacks, or from Python frames around
// the call on its thread.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.h"

namespace skyline {

// The different stacks, numbered in the order in which operators and ranges first have them.
struct OpStacks {
  explicit OpStacks(const Trace& trace);

  std::vector<uint32_t> number;    // per row of Trace::ops; kNoRow: not known
  std::vector<std::string> texts;  // "train.py(12): main;model.py(7): forward", the outermost frame first
};

}  // namespace skyline
