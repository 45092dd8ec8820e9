// Where time goes, as JSON. Writes one value for a key that has been written.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "session/session.h"

namespace skyline::report {

void write_time_breakdown(JsonWriter& json, const session::TimeBreakdown& time,
                          const session::BatchMeasurement& measured, const std::string& project_root);

}  // namespace skyline::report
