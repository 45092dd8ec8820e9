// The inputs of an operator as one number: shapes, strides and dtypes.
#pragma once

#include <ATen/record_function.h>

#include "collect/thread_log.h"

namespace skyline::collect {

// The number of the operator's input signature in Recorder::shapes(). The text behind it is
// dims, types and strides as JSON, separated by tabs, in the words that torch.profiler uses.
uint32_t input_signature(const at::RecordFunction& function, IdCache& cache);

}  // namespace skyline::collect
