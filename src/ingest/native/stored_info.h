// The single values of a trace that is kept whole, as texts by name.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace skyline::ingest::native {

using InfoRows = std::vector<std::pair<std::string, std::string>>;

InfoRows info_rows(const Trace& trace);

// Names that we do not know are passed over; numbers that are none are 0.
void take_info_row(std::string_view name, std::string_view value, Trace& trace);

}  // namespace skyline::ingest::native
