#pragma once

#include "base/result.h"
#include "collect/options.h"

namespace skyline::collect {

// Operators and ranges, through at::RecordFunction, on all threads.
void install_op_hooks(const Options& options);
void remove_op_hooks();

// Allocations of torch's CPU allocator, on all threads.
void install_memory_hooks();
void remove_memory_hooks();

}  // namespace skyline::collect
