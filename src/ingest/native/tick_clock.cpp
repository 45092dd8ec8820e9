#include "ingest/native/tick_clock.h"

#include <algorithm>

namespace skyline::ingest::native {
namespace {

__extension__ using Wide = __int128;

// Beyond, sums of times could overflow; nothing that was recorded comes near.
constexpr Wide kFarthest = int64_t{1} << 61;

Wide floor_divide(Wide a, Wide b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

TickClock::TickClock(std::vector<Point> points, uint64_t ticks_per_second) {
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.ticks < b.ticks; });
  for (const Point& point : points) {
    const bool moves =
        points_.empty() || (point.ticks > points_.back().ticks && point.unix_ns > points_.back().unix_ns);
    if (moves) points_.push_back(point);
  }
  if (points_.empty()) points_.push_back({0, 0});
  if (points_.size() == 1) {
    // A second later, however far that is.
    const uint64_t pace = std::clamp<uint64_t>(ticks_per_second, 1, uint64_t{1} << 40);
    points_.push_back({points_[0].ticks + pace, points_[0].unix_ns + 1'000'000'000});
    if (points_[1].ticks < points_[0].ticks) points_ = {{0, 0}, {1, 1}};
  }
}

int64_t TickClock::unix_ns(uint64_t ticks, size_t& hint) const {
  // The stretch [hint, hint + 1] that the tick lies in, or the nearest one.
  const size_t last = points_.size() - 2;
  hint = std::min(hint, last);
  const bool fits =
      (hint == 0 || points_[hint].ticks <= ticks) && (hint == last || ticks < points_[hint + 1].ticks);
  if (!fits) {
    const auto behind = std::upper_bound(points_.begin(), points_.end(), ticks,
                                         [](uint64_t at, const Point& point) { return at < point.ticks; });
    const auto index = static_cast<size_t>(behind - points_.begin());
    hint = std::min(index == 0 ? 0 : index - 1, last);
  }
  const Point& from = points_[hint];
  const Point& to = points_[hint + 1];
  const uint64_t stretch_ticks = to.ticks - from.ticks;
  const auto stretch_ns = static_cast<uint64_t>(to.unix_ns) - static_cast<uint64_t>(from.unix_ns);
  const uint64_t passed = ticks - from.ticks;
  uint64_t product;
  if (ticks >= from.ticks && !__builtin_mul_overflow(passed, stretch_ns, &product)) [[likely]] {
    const Wide ns = static_cast<Wide>(from.unix_ns) + static_cast<Wide>(product / stretch_ticks);
    return static_cast<int64_t>(std::clamp(ns, -kFarthest, kFarthest));
  }
  // 64 × 63 bits fit: both factors are differences.
  const Wide distance = static_cast<Wide>(ticks) - static_cast<Wide>(from.ticks);
  const Wide ns =
      from.unix_ns + floor_divide(distance * static_cast<Wide>(stretch_ns), static_cast<Wide>(stretch_ticks));
  return static_cast<int64_t>(std::clamp(ns, -kFarthest, kFarthest));
}

}  // namespace skyline::ingest::native
