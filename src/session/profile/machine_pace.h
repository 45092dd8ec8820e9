// A machine is faster and slower for seconds at a time: other programs, heat, the clock of a shared core.
// When several batch sizes are run in turns, a slow round shows in all of them, and can be told from a slow
// size.
//
//              batch 1   2    4    8
//   round 1     10.0   12   16   24     pace 1.0
//   round 2     11.0   13   18   26     pace 1.1: everything takes a tenth longer
//
// Medians of logarithms of rounds and sizes are taken away in turns until little is left (median polish), so
// that a single odd visit moves neither.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skyline::session {

// How much longer than usual everything took in each round; the median is 1. visits[size][round]; a size may
// lack the last rounds. All 1 where there are too few sizes or rounds to tell.
std::vector<double> pace_of_rounds(std::span<const std::vector<int64_t>> visits);

// What the visits would have taken at the usual pace.
std::vector<int64_t> at_usual_pace(std::span<const int64_t> visits, std::span<const double> paces);

}  // namespace skyline::session
