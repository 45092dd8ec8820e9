// How far the clocks of two recorders of one process are apart, and which threads of one are which of the
// other.
//
// One recorder has seen the operators, the other the calls that launch device work:
//
//   operators      ▐█mm█▌ ▐view▌ ▐█mm█▌ ▐view▌
//   calls               ▪               ▪             shifted by −2: in every mm, and in no view
//
// Most calls stand inside an operator, and operators of one name are alike: they launch always or never. So a
// shift costs one bit for each call outside, and for the operators of each name what it takes to say which of
// them hold a call (their entropy). Shifts are tried that put many calls inside; the cheapest is taken.
#pragma once

#include <vector>

#include "trace/trace.h"

namespace skyline::ingest {

struct ClockShift {
  int64_t shift_ns = 0;   // to be added to the device recorder's times
  size_t calls = 0;       // that were looked at; 0: there was nothing to tell it by
  double cost_bits = 0;   // of this shift
  double cost_first = 0;  // of none
};

// Both are drafts. `offset_ns` is added to the device's times before anything is compared. Clocks that are
// further apart than kFarthestShiftNs are not found. None is preferred to a shift that is hardly cheaper,
// and to one that few calls propose.
ClockShift find_clock_shift(const Trace& host, const Trace& device, int64_t offset_ns);

inline constexpr int64_t kFarthestShiftNs = 50'000'000;

// The device's tracks -> the host's. By their names; a thread with calls whose number the host does not know
// is the one whose operators hold nearly all of its calls, if there is just one such. TrackId(): none.
std::vector<TrackId> match_threads(const Trace& host, const Trace& device, int64_t offset_ns);

}  // namespace skyline::ingest
