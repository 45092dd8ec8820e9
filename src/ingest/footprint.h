// What traces take of the memory budget.
#pragma once

#include "base/memory_budget.h"
#include "ingest/ingest.h"
#include "trace/builder.h"

namespace skyline::ingest {

// The draft and, for a moment, what freezing it takes besides: keys to sort by, an ordered column, links.
uint64_t bytes_until_frozen(const TraceBuilder& builder);

}  // namespace skyline::ingest
