#include "serve/methods/source.h"

#include "serve/served/source_files.h"

namespace skyline::serve {
namespace {

// Without any folder: what the traces hold.
const SourceFiles& files_of(const Context& context) {
  static const SourceFiles none("", "");
  return context.sources == nullptr ? none : *context.sources;
}

}  // namespace

Result<protocol::Sources> answer_sources(const Context& context, const protocol::SourcesParams& params) {
  if (!params.trace) return files_of(context).of_project();
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, *params.trace));
  return files_of(context).of_trace(*opened);
}

Result<protocol::Source> answer_source(const Context& context, const protocol::SourceParams& params) {
  if (!params.trace) return files_of(context).of_project(params.path);
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, *params.trace));
  return files_of(context).of_trace(*opened, params.path);
}

}  // namespace skyline::serve
