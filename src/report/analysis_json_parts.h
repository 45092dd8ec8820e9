// Values that several parts of analysis_json.cpp write.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/json_writer.h"

namespace skyline::report {

void write_integers(JsonWriter& json, std::string_view name, const std::vector<int64_t>& values);

// The number of the node around; null for the root.
void write_parent(JsonWriter& json, uint32_t parent);

}  // namespace skyline::report
