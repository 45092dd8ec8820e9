#include "analyze/ranks/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace skyline::analyze {
namespace {

bool needs_more(const RankDigest& a, const RankDigest& b) {
  if (a.compute_share() != b.compute_share()) return a.compute_share() < b.compute_share();
  return a.verdict.judged_ns > b.verdict.judged_ns;
}

}  // namespace

Run::Run(std::vector<RankDigest> ranks) : ranks_(std::move(ranks)) {
  std::stable_sort(ranks_.begin(), ranks_.end(),
                   [](const RankDigest& a, const RankDigest& b) { return a.label < b.label; });
}

Run Run::merge(Run a, Run b) {
  std::move(b.ranks_.begin(), b.ranks_.end(), std::back_inserter(a.ranks_));
  return Run(std::move(a.ranks_));
}

bool Run::is_one_run() const {
  std::set<int64_t> seen;
  return std::all_of(ranks_.begin(), ranks_.end(), [&](const RankDigest& rank) {
    return rank.label.known && seen.insert(rank.label.rank).second;
  });
}

std::vector<size_t> Run::by_need() const {
  std::vector<size_t> order(ranks_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return needs_more(ranks_[a], ranks_[b]); });
  return order;
}

int64_t Run::offset_ns(size_t rank) const {
  int64_t first_ns = ranks_[rank].start_ns;
  for (const RankDigest& each : ranks_) first_ns = std::min(first_ns, each.start_ns);
  return minus(ranks_[rank].start_ns, first_ns);
}

std::string Run::sentence() const {
  if (ranks_.size() < 2) return {};
  if (!is_one_run()) {
    return fmt::format("{} traces that are not known to be ranks of one run, so they are not compared.",
                       ranks_.size());
  }
  const RankDigest& neediest = ranks_[by_need().front()];
  return fmt::format("Of {} ranks, rank {} computes least. {}", ranks_.size(), neediest.label.rank,
                     neediest.verdict.sentence);
}

}  // namespace skyline::analyze
