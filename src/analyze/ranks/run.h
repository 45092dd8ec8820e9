// Run: the ranks of one training, compared.
//
//   Run run(std::move(digests));
//   if (run.is_one_run()) print(run.sentence());
//
// Made of digests alone, so that no two traces have to be in memory at once. Merging gives the same run in
// any order.
#pragma once

#include <string>
#include <vector>

#include "analyze/ranks/rank_digest.h"

namespace skyline::analyze {

class Run {
 public:
  Run() = default;
  explicit Run(std::vector<RankDigest> ranks);

  static Run merge(Run a, Run b);

  const std::vector<RankDigest>& ranks() const { return ranks_; }  // by rank, then by file

  // Whether these are ranks of one training: each says which rank it is, and none says the same as another.
  bool is_one_run() const;

  // Positions in ranks(): whose device computes least comes first; of equals the slower one.
  std::vector<size_t> by_need() const;

  // How long after the earliest rank this one began, by the clocks of their machines.
  int64_t offset_ns(size_t rank) const;

  // "Of 8 ranks, rank 5 computes least. The step waits for …"; of traces that are not ranks of one run, that
  // they are not compared. Empty for fewer than two.
  std::string sentence() const;

 private:
  std::vector<RankDigest> ranks_;
};

}  // namespace skyline::analyze
