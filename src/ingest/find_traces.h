// Which trace files are meant.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace skyline::ingest {

// The trace files that the given paths mean, in the order in which they are to be shown: a file is
// itself, a folder is the traces below it, ordered by name with numbers compared as numbers.
Result<std::vector<std::string>> find_traces(const std::vector<std::string>& paths);

}  // namespace skyline::ingest
