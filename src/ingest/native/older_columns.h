// Columns that programs of earlier versions wrote, read into the tables of today.
#pragma once

#include <span>

#include "trace/trace.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

// Version 0.1 kept the texts of an operator's inputs with every operator; now they make signatures. `ops`:
// the chunks of the table, in order; the trace has its strings and the rows of ops.
Status take_older_inputs(std::span<const tracefile::Chunk* const> ops, Trace& trace);

}  // namespace skyline::ingest::native
