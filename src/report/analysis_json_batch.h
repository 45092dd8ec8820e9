// How time and memory depend on the batch size, as JSON. Writes one value for a key that has been written.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "session/session.h"

namespace skyline::report {

void write_batch_sizes(JsonWriter& json, const session::ProfileResult& result,
                       const std::string& project_root);

}  // namespace skyline::report
