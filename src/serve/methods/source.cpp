#include "serve/methods/source.h"

#include "serve/served/source_files.h"

namespace skyline::serve {
namespace {

// Without any folder: what the traces hold.
const SourceFiles& files_of(const Desk& desk) {
  static const SourceFiles none("", "");
  return desk.sources == nullptr ? none : *desk.sources;
}

}  // namespace

Result<protocol::Sources> answer_sources(const Desk& desk, const protocol::SourcesParams& params) {
  if (!params.trace) return files_of(desk).of_project();
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(desk, *params.trace));
  return files_of(desk).of_trace(*opened);
}

Result<protocol::Source> answer_source(const Desk& desk, const protocol::SourceParams& params) {
  if (!params.trace) return files_of(desk).of_project(params.path);
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(desk, *params.trace));
  return files_of(desk).of_trace(*opened, params.path);
}

}  // namespace skyline::serve
