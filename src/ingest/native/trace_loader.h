// Loads a trace that was kept whole: no ordering, nesting or linking is done again.
#pragma once

#include <memory>

#include "base/result.h"
#include "trace/trace.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

bool has_tables(const tracefile::Reader& file);

// All or nothing: an error says what is damaged. The trace's `path` and `args` are left to the caller.
Result<std::unique_ptr<Trace>> load_tables(const tracefile::Reader& file, unsigned threads);

}  // namespace skyline::ingest::native
