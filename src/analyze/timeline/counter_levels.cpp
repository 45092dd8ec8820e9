// As with slices (levels.h), every level can be made from any finer one; long series keep every
// second level.
#include "analyze/timeline/counter_levels.h"

#include <algorithm>
#include <array>
#include <bit>

#include "analyze/timeline/levels.h"

namespace skyline::analyze {
namespace {

constexpr size_t kShortSeries = 1024;

CounterPoint point(const CounterSample& sample) {
  return {sample.time_ns, sample.value, sample.value, sample.value};
}
const CounterPoint& point(const CounterPoint& same) { return same; }

// The point of the bucket that begins with `i`, which becomes the number of the first one behind it.
template <typename Finer>
CounterPoint take(const Finer& finer, int level, size_t& i) {
  CounterPoint all = point(finer[i++]);
  const int64_t bucket = all.time_ns >> level;
  for (; i < finer.size() && (finer[i].time_ns >> level) == bucket; ++i) {
    const CounterPoint& next = point(finer[i]);
    all.low = std::min(all.low, next.low);
    all.high = std::max(all.high, next.high);
    all.last = next.last;
  }
  return all;
}

template <typename Finer>
std::vector<CounterPoint> all_points(const Finer& finer, int level) {
  // Counted first: memory that is fetched from the system twice costs more than looking twice.
  size_t count = 0;
  for (size_t i = 0; i < finer.size(); ++i) {
    if (i == 0 || (finer[i].time_ns ^ finer[i - 1].time_ns) >> level != 0) ++count;
  }
  std::vector<CounterPoint> points;
  points.reserve(count);
  for (size_t i = 0; i < finer.size();) points.push_back(take(finer, level, i));
  return points;
}

template <typename Finer>
size_t first_at(const Finer& finer, int64_t time_ns) {
  const auto before = [](const auto& each, int64_t at) { return each.time_ns < at; };
  return static_cast<size_t>(std::lower_bound(finer.begin(), finer.end(), time_ns, before) - finer.begin());
}

template <typename Finer>
std::vector<CounterPoint> points_in(const Finer& finer, const TimelineTile& tile) {
  std::vector<CounterPoint> points;
  size_t i = first_at(finer, tile.begin_ns);
  if (i > 0) {
    const int64_t bucket = finer[i - 1].time_ns >> tile.level;
    i = first_at(finer, bucket * (int64_t{1} << tile.level));
  }
  while (i < finer.size() && finer[i].time_ns < tile.end_ns) points.push_back(take(finer, tile.level, i));
  return points;
}

// The finest level with few enough points to be worth keeping; none: -1.
int first_level(const std::vector<CounterSample>& samples) {
  std::array<size_t, 65> joins{};
  for (size_t i = 1; i < samples.size(); ++i) {
    const auto differ = static_cast<uint64_t>(samples[i - 1].time_ns ^ samples[i].time_ns);
    ++joins[static_cast<size_t>(64 - std::countl_zero(differ))];
  }
  size_t left = samples.size();
  for (int level = 0; level <= TimelineTile::kLastLevel; ++level) {
    left -= joins[static_cast<size_t>(level)];
    if (level % kTimelineLevelStep == 0 && left <= samples.size() / kTimelineWorthKeeping) return level;
  }
  return -1;
}

}  // namespace

CounterLevels::CounterLevels(std::vector<CounterSample> samples) : samples_(std::move(samples)) {
  if (samples_.capacity() > 2 * samples_.size()) samples_.shrink_to_fit();
  if (samples_.size() <= kShortSeries) return;
  int level = first_level(samples_);
  if (level < 0) return;
  levels_.push_back({level, all_points(samples_, level)});
  while ((level += kTimelineLevelStep) <= TimelineTile::kLastLevel) {
    const std::vector<CounterPoint>& finer = levels_.back().points;
    if (finer.size() <= kShortSeries) return;
    std::vector<CounterPoint> points = all_points(finer, level);
    if (points.size() <= finer.size() - finer.size() / 4) levels_.push_back({level, std::move(points)});
  }
}

std::vector<CounterPoint> CounterLevels::tile(const TimelineTile& tile) const {
  const Level* finer = nullptr;
  for (const Level& level : levels_) {
    if (level.level <= tile.level) finer = &level;
  }
  return finer != nullptr ? points_in(finer->points, tile) : points_in(samples_, tile);
}

}  // namespace skyline::analyze
