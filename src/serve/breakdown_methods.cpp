#include "serve/breakdown_methods.h"

#include "analyze/analyze.h"
#include "serve/breakdown_messages.h"

namespace skyline {

Result<protocol::Breakdown> answer_breakdown(const Desk& desk, const protocol::BreakdownParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(desk, params.trace));
  const Trace& trace = *opened->trace;
  SKYLINE_TRY(const Step* const step, chosen_step(trace, params.step));
  const std::string key = "breakdown\n" + (step == nullptr ? "" : std::to_string(step->number));
  return *opened->kept.get<protocol::Breakdown>(
      key, [&] { return to_message(trace, step == nullptr ? break_down(trace) : break_down(trace, *step)); });
}

}  // namespace skyline
