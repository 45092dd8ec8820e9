// What is kept of one rank when many are compared: kilobytes, however large its trace was.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "analyze/advice/ranking.h"
#include "analyze/core/analysis.h"
#include "analyze/health/verdict.h"

namespace skyline::analyze {

struct RankLabel {
  int64_t rank = 0;    // what the file says, or else its place among the files
  bool known = false;  // the file says it
  std::string file;    // as the user named it, or found below a folder

  friend bool operator==(const RankLabel&, const RankLabel&) = default;
  // The order of ranks in a run: by rank, then by file.
  friend bool operator<(const RankLabel& a, const RankLabel& b) {
    return std::tie(a.rank, a.file) < std::tie(b.rank, b.file);
  }
};

// The label of a trace that is number `place` among those that were named.
RankLabel label_of(const Trace& trace, std::string file, size_t place);

struct RankDigest {
  RankLabel label;
  std::string host;         // name of its machine; empty: not recorded
  int64_t world_size = -1;  // -1: not recorded
  int64_t start_ns = 0;     // Unix time of its first event, by the clock of its machine
  Verdict verdict = {};     // its sentence is the best finding's, if there is one
  Advice advice = {};
  std::vector<Figure> figures;
  std::vector<int64_t> step_ns;  // durations, shortest first
  uint64_t dropped = 0;          // events that are missing because data was damaged or cut off

  // The share of the judged time in which its device computes, 0 to 1.
  double compute_share() const;
};

RankDigest digest(const AnalyzedTrace& analyzed, RankLabel label);

}  // namespace skyline::analyze
