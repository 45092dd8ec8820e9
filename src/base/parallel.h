#pragma once

#include <cstddef>
#include <functional>

namespace skyline {

// How many threads to use when `wanted` are asked for; 0: as many as the machine has.
unsigned thread_count(unsigned wanted);

// Runs the same work for 0..count-1 on several threads. The work must not depend on the order.
void parallel_for(size_t count, unsigned threads, const std::function<void(size_t)>& work);

}  // namespace skyline
