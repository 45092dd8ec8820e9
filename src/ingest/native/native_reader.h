// Reads .skyline files: those of the recorder, and traces of other formats that were kept whole.
#pragma once

#include "ingest/ingest.h"
#include "ingest/trace_input.h"

namespace skyline::native {

Result<std::unique_ptr<const Trace>> read(TraceInput input, const IngestOptions& options);

}  // namespace skyline::native
