// What lives in memory at the peak, as JSON. Writes one value for a key that has been written.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "session/session.h"

namespace skyline::report {

void write_memory_breakdown(JsonWriter& json, const session::MemoryBreakdown& memory,
                            const std::string& project_root);

}  // namespace skyline::report
