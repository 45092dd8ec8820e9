// Parts of a recording: what the sampler, and DataLoader workers, wrote of it in files of their own.
//
// They stand inside the recording's file when it was finished, else beside it, in the folder NAME.parts. A
// part has ids, a clock and a process of its own; what it tells is put into the same trace.
#pragma once

#include <string>

#include "trace/trace.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

// Adds all parts of the recording to the draft, whose tracks, strings and stacks are its own by now. `path`
// is where the recording lies; empty: nowhere. `recording` is its id.
void read_parts(const tracefile::Reader& file, const std::string& path, std::string_view recording,
                Trace& draft);

}  // namespace skyline::ingest::native
