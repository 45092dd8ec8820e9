// What can be asked about source files.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Sources> answer_sources(const Desk& desk, const protocol::SourcesParams& params);
Result<protocol::Source> answer_source(const Desk& desk, const protocol::SourceParams& params);

}  // namespace skyline::serve
