#pragma once

#include <algorithm>
#include <thread>

namespace skyline {

// How many threads to use when `wanted` are asked for; 0: as many as the machine has.
inline unsigned thread_count(unsigned wanted) {
  return wanted > 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace skyline
