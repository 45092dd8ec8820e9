// Reads files of the user's tree, where a name may stand for anything: a link to a device that never ends, a
// FIFO that nobody writes to, a data set.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"

namespace skyline::session {

inline constexpr size_t kMostWatchedBytes = 16 << 20;  // of a source file; generated ones can be large

// What the file holds; none: there is no such file. The error says why it is left out: "a FIFO". Never waits.
Result<std::optional<std::string>> read_source_text(const std::string& path);

// The same error, without reading; none: it can be read, or is not there.
std::optional<std::string> why_left_out(const std::string& path);

}  // namespace skyline::session
