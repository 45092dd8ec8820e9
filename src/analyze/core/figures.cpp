#include "analyze/core/figures.h"

#include <algorithm>

#include "base/check.h"

namespace skyline::analyze {

std::string_view name_of(Unit unit) {
  constexpr std::string_view kNames[] = {
      "ns", "bytes", "count", "number", "share", "per_second", "bytes_per_second", "text"};
  return kNames[static_cast<size_t>(unit)];
}

std::string_view name_of(ColumnKind kind) {
  constexpr std::string_view kNames[] = {"key", "additive", "derived"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<Figure> make_figures(std::span<const FigureDef> defs, const std::vector<NamedFigure>& values) {
  CHECK(defs.size() == values.size());  // so that each definition's name is there, and once
  std::vector<Figure> figures;
  for (const FigureDef& def : defs) {
    const auto named = std::find_if(values.begin(), values.end(),
                                    [&](const NamedFigure& value) { return value.name == def.name; });
    CHECK(named != values.end());
    figures.push_back({&def, named->value});
  }
  return figures;
}

std::vector<Figure> unknown_figures(std::span<const FigureDef> defs) {
  std::vector<Figure> figures;
  for (const FigureDef& def : defs) figures.push_back({&def, std::monostate()});
  return figures;
}

FigureValue share_of(int64_t part, int64_t whole) {
  if (whole == 0) return std::monostate();
  return static_cast<double>(part) / static_cast<double>(whole);
}

const FigureDef* find_figure(std::string_view name) {
  for (const FigureAnalysis& analysis : figure_analyses()) {
    for (const FigureDef& def : analysis.figures) {
      if (def.name == name) return &def;
    }
  }
  return nullptr;
}

std::vector<Figure> compute_figures(const AnalyzedTrace& analyzed,
                                    std::initializer_list<std::string_view> analyses) {
  std::vector<Figure> all;
  size_t found = 0;
  for (const FigureAnalysis& analysis : figure_analyses()) {
    const bool is_named = std::find(analyses.begin(), analyses.end(), analysis.name) != analyses.end();
    found += is_named;
    if (analyses.size() > 0 && !is_named) continue;
    const std::vector<Figure> figures = analysis.run(analyzed);
    all.insert(all.end(), figures.begin(), figures.end());
  }
  CHECK(found == analyses.size());
  return all;
}

}  // namespace skyline::analyze
