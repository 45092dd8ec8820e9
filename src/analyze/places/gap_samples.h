// Where Python stood between operators, from samples.
//
// Most stretches between two operators are shorter than the time from one sample to the next, and hold none.
// But a program does the same again and again: stretches between the same two lines, in the same phase, are
// one kind, and samples in any of them tell where time goes in all. A stretch with many samples of its own
// speaks for itself.
//
//   policy  [ env.step ]  policy  [ env.step ]  policy      two stretches of one kind
//                 ^ sample: env.step                        both are env.step's
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/places/wall_stretches.h"

namespace skyline::analyze {

class GapSamples {
 public:
  explicit GapSamples(const AnalyzedTrace& analyzed);

  struct Share {
    StackId stack;
    uint32_t line;     // in LinePlaces
    uint64_t samples;  // of the kind, or of the stretch
  };
  // Of a stretch of this thread between operators; by stack. Empty: no sample tells of it.
  std::span<const Share> shares(TrackId thread, int64_t start_ns, int64_t end_ns) const;

 private:
  using Shares = std::vector<Share>;
  struct Gap {
    int64_t start_ns, end_ns;
    uint32_t kind;
    uint32_t own;  // an index of own_; kNoRow: too few samples
  };
  struct Thread {
    std::vector<Gap> gaps;  // in order of time
    std::vector<Shares> kinds;
    std::vector<Shares> own;
  };

  static Thread look_at(const AnalyzedTrace& analyzed, TrackId thread);

  std::map<TrackId, Thread> threads_;  // that train
};

// The stretch cut by shares: each has its line, the phase and the module stay. As it was if there are none.
void cut_by_shares(const Stretch& stretch, std::span<const GapSamples::Share> shares,
                   std::vector<Stretch>& to);

// cut_wall_time() with every stretch between operators cut by its samples.
std::vector<Stretch> sampled_wall_time(const AnalyzedTrace& analyzed, const Iteration& iteration);

// Time by stack of samples: Python between operators of the threads that train, and what others do meanwhile.
struct SampledStacks {
  struct Time {
    StackId stack;
    int64_t time_ns;
    TrackId other;  // none: a thread that trains
  };
  std::vector<Time> times;  // by no order that matters; a stack may come again
};
SampledStacks sampled_stacks(const AnalyzedTrace& analyzed, std::optional<int64_t> step);

// What other threads and DataLoader workers do meanwhile: by line the part of a recording's time that they
// stand there, all of them together. Lines of no user's file are left out.
struct ElsewhereSamples {
  explicit ElsewhereSamples(const AnalyzedTrace& analyzed);

  struct Place {
    TrackId track;
    StackId stack;
    uint32_t line;    // in LinePlaces
    int64_t time_ns;  // in `window_ns`
  };
  std::vector<Place> places;  // by track and stack
  int64_t window_ns = 0;      // from the first step to the last; of all if there are no steps
};

}  // namespace skyline::analyze
