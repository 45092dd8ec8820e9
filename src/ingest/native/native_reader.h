// Reads .skyline files: those of the recorder, and traces of other formats that were kept whole.
#pragma once

#include "ingest/ingest.h"
#include "ingest/trace_input.h"
#include "trace/builder.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

Result<std::unique_ptr<const Trace>> read(TraceInput input, const IngestOptions& options);

// The same for a file that is open already; it may change from then on.
Result<std::unique_ptr<const Trace>> read_opened(std::shared_ptr<const tracefile::Reader> file,
                                                 const std::string& name, const IngestOptions& options);

// Everything but freezing, into an empty builder; of recordings only.
Status read_draft(TraceInput input, const IngestOptions& options, TraceBuilder& builder);

}  // namespace skyline::ingest::native
