// What operators are called with: the texts of a signature (Kineto's "Input Dims", "Input type", "Input
// Strides") are read once, into rows of inputs and input_sizes.
//
//   dims [[8,16],[],[[2],[3]]]  types ["float","Scalar","TensorList"]
//   inputs  argument 0 float 8 16; argument 1 Scalar; argument 2 TensorList element 0: 2, element 1: 3
#pragma once

#include <span>

#include "trace/trace.h"

namespace skyline {

// Fills inputs, input_sizes and the frozen columns of signatures. Texts that are not as above give no rows.
void read_signatures(Trace& draft);

// The rows of inputs of a signature, in the order of the arguments.
struct InputRange {
  uint32_t begin, end;
};
inline InputRange inputs_of(const Trace& trace, SignatureId id) {
  if (!id.exists()) return {0, 0};
  const uint32_t begin = trace.signatures.first_input[id.value];
  return {begin, begin + trace.signatures.input_count[id.value]};
}

// Sizes of an input, outermost first; none if it is no tensor, has no dimension or nothing is known.
inline std::span<const int64_t> sizes_of(const Trace& trace, uint32_t input) {
  const int32_t rank = trace.inputs.rank[input];
  if (rank <= 0) return {};
  return trace.input_sizes.size_along.span().subspan(trace.inputs.first_size[input],
                                                     static_cast<size_t>(rank));
}

}  // namespace skyline
