// The parts of analysis_json.cpp, one per file. Each writes one value for a key that has been written.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "session/session.h"

namespace skyline {

void write_time_breakdown(JsonWriter& json, const TimeBreakdown& time, const BatchMeasurement& measured,
                          const std::string& project_root);
void write_memory_breakdown(JsonWriter& json, const MemoryBreakdown& memory, const std::string& project_root);
void write_batch_sizes(JsonWriter& json, const ProfileResult& result, const std::string& project_root);

void write_integers(JsonWriter& json, std::string_view name, const std::vector<int64_t>& values);

// The number of the node around; null for the root.
void write_parent(JsonWriter& json, uint32_t parent);

}  // namespace skyline
