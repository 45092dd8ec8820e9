#include "serve/methods/breakdown.h"

#include "analyze/analyze.h"
#include "serve/messages/breakdown.h"

namespace skyline::serve {

Result<protocol::Breakdown> answer_breakdown(const Context& context,
                                             const protocol::BreakdownParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  SKYLINE_TRY(const Step* const step, analyze::chosen_step(opened->trace(), params.step));
  return to_message(opened->trace(), *analyze::shared_breakdown(*opened->analyzed, step));
}

}  // namespace skyline::serve
