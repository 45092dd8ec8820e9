// Named figures, looked up and written.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyze/analyze.h"
#include "base/json_writer.h"

namespace skyline::cli {

// The figure of that name; its absence is a mistake of ours.
const analyze::Figure& figure_named(const std::vector<analyze::Figure>& figures, std::string_view name);

std::optional<int64_t> integer_of(const std::vector<analyze::Figure>& figures, std::string_view name);

// "12.3 µs", "61 %", "–".
std::string text_of(const std::vector<analyze::Figure>& figures, std::string_view name);

// The field "figures" of an open object: those whose name begins with `prefix`.
void write_figures(JsonWriter& json, const std::vector<analyze::Figure>& figures,
                   std::string_view prefix = "");

}  // namespace skyline::cli
