// What can go wrong while somebody else's code runs.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace skyline::session {

struct Trouble {
  enum class Kind : uint8_t {
    kUserCode,     // it breaks the contract or raises; `path` and `line` say where
    kEnded,        // its process is gone: crashed, killed, out of memory
    kStuck,        // it does not come back
    kStalled,      // its process does nothing at all; in a copy of the zygote a fresh process may do better
    kInterrupted,  // nobody wants the result any more
    kOurs,         // the process cannot be had: no Python, no descriptors
  };
  Kind kind;
  std::string sentence;
  std::string path = {};  // empty: not known
  int64_t line = 0;
  bool is_out_of_memory = false;  // besides its kind: code may raise, or be killed, for want of memory
};

template <typename T>
using Attempt = Result<T, Trouble>;

}  // namespace skyline::session
