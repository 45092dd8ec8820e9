// How often something may be done: so many times a second, after a pause so many at once.
#pragma once

#include <algorithm>
#include <chrono>

namespace skyline::serve {

class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;

  TokenBucket(double per_second, double most, Clock::time_point now)
      : per_second_(per_second), most_(most), tokens_(most), last_(now) {}

  // Takes one and gives zero; or gives the time until there is one.
  Clock::duration take(Clock::time_point now) {
    const std::chrono::duration<double> since = now - last_;
    tokens_ = std::min(most_, tokens_ + since.count() * per_second_);
    last_ = now;
    if (tokens_ < 1) {
      const std::chrono::duration<double> missing((1 - tokens_) / per_second_);
      return std::chrono::duration_cast<Clock::duration>(missing) + Clock::duration(1);
    }
    tokens_ -= 1;
    return Clock::duration::zero();
  }

 private:
  double per_second_, most_, tokens_;
  Clock::time_point last_;
};

}  // namespace skyline::serve
