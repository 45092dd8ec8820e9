// Small helpers with which an analysis states its figures.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

using FigureValue = decltype(Figure::value);

struct NamedFigure {
  std::string name;
  FigureValue value;
};

// One figure per definition, in that order, each value stated beside its name. A name that is missing,
// unknown or there twice is a fault of the program (CHECK).
std::vector<Figure> make_figures(std::span<const FigureDef> defs, const std::vector<NamedFigure>& values);

// The same where none of them can be known.
std::vector<Figure> unknown_figures(std::span<const FigureDef> defs);

// None when there is nothing to take a share of.
FigureValue share_of(int64_t part, int64_t whole);

inline FigureValue count_of(size_t count) { return static_cast<int64_t>(count); }

}  // namespace skyline::analyze
