#pragma once

#include <cstddef>
#include <functional>

namespace skyline {

// How many threads to use when `wanted` are asked for; 0: as many as the machine has.
unsigned thread_count(unsigned wanted);

// Runs the same work on this thread and up to `threads` - 1 others until all of them return. Where the system
// refuses a thread (a limit on processes or memory), the work is done by fewer: it must not count on a
// number. The first exception is thrown on once all have returned; `work` sees to it that the others then do.
void run_on_threads(unsigned threads, const std::function<void()>& work);

// Runs the same work for 0..count-1 on several threads. The work must not depend on the order. After an
// exception no more work begins, and it is thrown on when all threads have come to rest.
void parallel_for(size_t count, unsigned threads, const std::function<void(size_t)>& work);

}  // namespace skyline
