// What can be asked about any trace: what it is, its figures and its tables.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Hello> answer_hello(const Context& context, const protocol::Nothing& params);
Result<protocol::TraceSummary> answer_open_trace(const Context& context, const protocol::TraceParams& params);
Result<protocol::Run> answer_run(const Context& context, const protocol::Nothing& params);
Result<protocol::Overview> answer_overview(const Context& context, const protocol::TraceParams& params);
Result<protocol::Table> answer_table(const Context& context, const protocol::TableParams& params);

}  // namespace skyline::serve
