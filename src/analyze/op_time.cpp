#include "analyze/op_time.h"

#include "analyze/host_ranges.h"

namespace skyline {

std::vector<uint32_t> operator_calls(const Trace& trace) {
  OperatorTest is_operator(trace);
  std::vector<uint32_t> calls;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (is_operator(trace.ops.slice[op])) calls.push_back(op);
  }
  return calls;
}

}  // namespace skyline
