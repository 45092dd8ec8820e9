// What can be asked about source files.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Sources> answer_sources(const Context& context, const protocol::SourcesParams& params);
Result<protocol::Source> answer_source(const Context& context, const protocol::SourceParams& params);

}  // namespace skyline::serve
