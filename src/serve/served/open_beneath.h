// Files below a folder, and nothing else: no "..", no symbolic link and no absolute path leads out of it.
#pragma once

#include <string>

#include "base/result.h"

namespace skyline::serve {

inline constexpr size_t kMostSourceBytes = 4 << 20;  // of a source file that is shown

// The whole of a regular file of at most kMostSourceBytes.
Result<std::string> read_beneath(const std::string& folder, const std::string& relative);

// Whether read_beneath() would give something.
bool is_beneath(const std::string& folder, const std::string& relative);

}  // namespace skyline::serve
