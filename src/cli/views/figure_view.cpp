#include "cli/views/figure_view.h"

#include <algorithm>

#include "base/check.h"
#include "cli/terminal/units.h"

namespace skyline::cli {
namespace {

analyze::Cell cell_of(const analyze::Figure& figure) {
  if (const auto* number = std::get_if<int64_t>(&figure.value)) return *number;
  if (const auto* number = std::get_if<double>(&figure.value)) return *number;
  return {};
}

}  // namespace

const analyze::Figure& figure_named(const std::vector<analyze::Figure>& figures, std::string_view name) {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const analyze::Figure& figure) { return figure.def->name == name; });
  CHECK(found != figures.end());
  return *found;
}

std::optional<int64_t> integer_of(const std::vector<analyze::Figure>& figures, std::string_view name) {
  const auto* number = std::get_if<int64_t>(&figure_named(figures, name).value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::string text_of(const std::vector<analyze::Figure>& figures, std::string_view name) {
  const analyze::Figure& figure = figure_named(figures, name);
  return format_cell(cell_of(figure), figure.def->unit);
}

void write_figures(JsonWriter& json, const std::vector<analyze::Figure>& figures, std::string_view prefix) {
  json.key("figures");
  json.begin_object();
  for (const analyze::Figure& figure : figures) {
    if (!figure.def->name.starts_with(prefix)) continue;
    json.key(figure.def->name);
    json.begin_object(JsonWriter::Layout::kInline);
    json.key("value");
    if (const auto* number = std::get_if<int64_t>(&figure.value)) {
      json.value(*number);
    } else if (const auto* share = std::get_if<double>(&figure.value)) {
      json.value(*share);
    } else {
      json.null();
    }
    json.field("unit", name_of(figure.def->unit));
    json.end_object();
  }
  json.end_object();
}

}  // namespace skyline::cli
