// What is always true of a frozen trace, as far as code relies on it without looking: ids name rows that
// exist, tracks' slices stand together in order, links point the right way. A trace that was read back
// from a file is checked, since any bytes may claim to be one.
#pragma once

#include <optional>
#include <string_view>

#include "trace/trace.h"

namespace skyline {

// The first law that the trace breaks, in words; nothing when it keeps them all.
std::optional<std::string_view> broken_law(const Trace& trace, unsigned threads);

}  // namespace skyline
