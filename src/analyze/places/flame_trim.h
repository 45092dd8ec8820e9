// A flame as it is shown and written: its large nodes, or its lines of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "analyze/places/flame.h"

namespace skyline::analyze {

// Without nodes below this share of the whole, and of more than `most` the longest. What is left out stays in
// the totals around it.
Flame trim(const Flame& flame, int64_t parts_of_whole, size_t most);

// "frame;frame;operator 1234" per line, by name: what flamegraph.pl, speedscope and inferno read.
std::string folded(const Flame& flame);

}  // namespace skyline::analyze
