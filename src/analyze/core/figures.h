// Small helpers with which an analysis states its figures.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline {

using FigureValue = decltype(Figure::value);

// One figure per definition, in that order.
std::vector<Figure> make_figures(std::span<const FigureDef> defs, std::vector<FigureValue> values);

// None when there is nothing to take a share of.
FigureValue share_of(int64_t part, int64_t whole);

inline FigureValue count_of(size_t count) { return static_cast<int64_t>(count); }

}  // namespace skyline
