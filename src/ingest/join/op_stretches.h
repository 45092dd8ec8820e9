// The time of a thread by the innermost operator around it.
#pragma once

#include <vector>

#include "trace/trace.h"

namespace skyline::ingest {

class OpStretches {
 public:
  struct Op {
    int64_t begin, end;
    StringId name;
  };
  struct Stretch {
    int64_t begin, end;
    uint32_t op;
  };

  // Of each track of a draft.
  static std::vector<OpStretches> of_tracks(const Trace& draft);

  bool empty() const { return ops_.empty(); }
  // In the order of their starts.
  const std::vector<Op>& ops() const { return ops_; }
  // In order; they do not overlap, and where there is none, no operator runs.
  const std::vector<Stretch>& stretches() const { return stretches_; }

  static constexpr uint32_t kNone = UINT32_MAX;
  // The number of the innermost operator at this time.
  uint32_t op_at(int64_t time_ns) const;

 private:
  void cut();

  std::vector<Op> ops_;
  std::vector<Stretch> stretches_;
};

}  // namespace skyline::ingest
