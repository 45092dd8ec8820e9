// The inputs of an operator as one number: shapes, strides and dtypes.
#pragma once

#include <ATen/record_function.h>

#include "collect/log/thread_log.h"

namespace skyline::collect {

// The number of these inputs' signature in Recorder::shapes(). The text behind it is
// dims, types and strides as JSON, separated by tabs, in the words that torch.profiler uses; `with_values`
// adds the values of inputs that are no tensors. kNoId where they cannot be told.
uint32_t input_signature(c10::ArrayRef<const c10::IValue> inputs, IdCache& cache, bool with_values);

}  // namespace skyline::collect
