#include "report/analysis_json_parts.h"

#include "trace/column_decl.h"

namespace skyline::report {

void write_integers(JsonWriter& json, std::string_view name, const std::vector<int64_t>& values) {
  json.key(name);
  json.begin_array(JsonWriter::Layout::kInline);
  for (const int64_t value : values) json.value(value);
  json.end_array();
}

void write_parent(JsonWriter& json, uint32_t parent) {
  json.key("parent");
  if (parent == kNoRow) {
    json.null();
  } else {
    json.value(parent);
  }
}

}  // namespace skyline::report
