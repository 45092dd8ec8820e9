#pragma once

#include "base/result.h"
#include "collect/tables/options.h"

namespace skyline::collect {

// Operators and ranges, through at::RecordFunction, on all threads.
void install_op_hooks(const Options& options);
// True: operators came directly until now (direct_calls.h).
bool remove_op_hooks();
// Before a fork(): this thread knows who observes it, so that its child need not ask, for which torch takes a
// lock that another thread may have at that moment.
void renew_op_hooks() noexcept;
// In the child of a fork().
void leave_op_hooks();

// Allocations of torch's CPU allocator, on all threads.
void install_memory_hooks();
void remove_memory_hooks();

}  // namespace skyline::collect
