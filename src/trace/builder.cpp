#include "trace/builder.h"

#include "trace/inherit_stacks.h"
#include "trace/link_backward.h"
#include "trace/link_launches.h"
#include "trace/nest.h"
#include "trace/order.h"
#include "trace/signatures.h"
#include "trace/steps.h"
#include "trace/sums.h"

namespace skyline {

std::unique_ptr<const Trace> TraceBuilder::freeze(unsigned threads) && {
  count_too_large_sums(draft);

  // Shapes are numbers from here on.
  read_signatures(draft);

  // Tracks' slices stand together from here on, ordered by start, the enclosing before the enclosed.
  order_slices(draft, threads);

  // Every slice has its lane, and a parent if something encloses it.
  nest_slices(draft, threads);

  // Kernels know the call that launched them, calls know the op around them.
  link_launches(draft);

  // Backward ops know their forward op, and belong to its line of code.
  link_backward(draft, forward_backward.span());
  inherit_stacks(draft);

  find_steps(draft);
  return std::make_unique<const Trace>(std::move(draft));
}

}  // namespace skyline
