// What can be asked about any trace: what it is, its figures and its tables.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Hello> answer_hello(const Desk& desk, const protocol::Nothing& params);
Result<protocol::TraceSummary> answer_open_trace(const Desk& desk, const protocol::TraceParams& params);
Result<protocol::Run> answer_run(const Desk& desk, const protocol::Nothing& params);
Result<protocol::Overview> answer_overview(const Desk& desk, const protocol::TraceParams& params);
Result<protocol::Table> answer_table(const Desk& desk, const protocol::TableParams& params);

}  // namespace skyline::serve
