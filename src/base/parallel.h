// Runs the same work for 0..count-1 on several threads. The work must not depend on the order.
#pragma once

#include <cstddef>
#include <functional>

namespace skyline {

void parallel_for(size_t count, unsigned threads, const std::function<void(size_t)>& work);

}  // namespace skyline
