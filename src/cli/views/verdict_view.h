// What the step waits for, as a picture and as JSON.
#pragma once

#include <string>

#include "analyze/analyze.h"
#include "base/json_writer.h"
#include "cli/terminal/console.h"

namespace skyline::cli {

std::string_view name_of(
    analyze::WaitsFor waits_for);  // "input", "host", "device", "communication", "unknown"

// A short title for a part, for columns: "Compute", "Comm.".
std::string_view title_of_part(std::string_view part);

// The judged time as one bar with a legend; empty if there is none.
std::string render_verdict_bar(const analyze::Verdict& verdict, const Console& console);

// The field "verdict" of an open object.
void write_verdict(JsonWriter& json, const analyze::Verdict& verdict);

}  // namespace skyline::cli
