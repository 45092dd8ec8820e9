// Keeps a frozen trace whole in a .skyline file: its tables, and optionally the text it was read from.
#pragma once

#include "base/result.h"
#include "trace/trace.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

// Everything but the source files, which a recording brings along. Packing is shared by the threads; the
// bytes are the same for any number of them.
Status append_tables(const Trace& trace, unsigned threads, tracefile::Writer& writer);

// The text of trace.args, in blocks that can be unpacked one by one.
Status append_text(const Trace& trace, unsigned threads, tracefile::Writer& writer);

// The recording that the trace was made from, as it is.
Status append_recording(const tracefile::Reader& recording, tracefile::Writer& writer);

}  // namespace skyline::ingest::native
