#include "serve/chosen_step.h"

#include <fmt/format.h>

#include "analyze/analyze.h"

namespace skyline {

Result<const Step*> chosen_step(const Trace& trace, std::optional<int64_t> number) {
  if (!number) return static_cast<const Step*>(nullptr);
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    if (step->number == *number) return &*step;
  }
  return Error{fmt::format("there is no step {}; steps in this trace: {}", *number, step_numbers(trace))};
}

}  // namespace skyline
