// Cuts an iteration's wall time into stretches, each with one owner: see breakdown.h.
#pragma once

#include <vector>

#include "analyze/places/op_places.h"

namespace skyline::analyze {

struct Stretch {
  int64_t start_ns;
  int64_t end_ns;
  uint32_t op;  // row of Trace::ops, an operator; kNoRow: between operators
  OpPlace place;
  bool is_near = false;  // between operators near the place's line, and no sample says in which line
  StackId stack = {};    // where samples say that it was
};

struct Iteration {
  TrackId track;  // the thread that trains
  int64_t start_ns;
  int64_t end_ns;
};

// Threads on which the autograd engine works for this one: others of its process that have backward operators
// and do not train themselves. By track.
std::vector<bool> find_engine_threads(const Trace& trace, const OpPlaces& places, TrackId thread);

// In order of time, without gaps and overlaps, from the iteration's start to its end.
std::vector<Stretch> cut_wall_time(const Trace& trace, const OpPlaces& places, const Iteration& iteration);

}  // namespace skyline::analyze
