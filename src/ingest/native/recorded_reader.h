// A file that the recorder wrote: events and what they refer to, not nested or linked yet.
#pragma once

#include <memory>

#include "ingest/ingest.h"
#include "tracefile/tracefile.h"

namespace skyline::native {

Result<std::unique_ptr<const Trace>> read_recorded(std::shared_ptr<const tracefile::Reader> file,
                                                   const std::string& path, unsigned threads);

}  // namespace skyline::native
