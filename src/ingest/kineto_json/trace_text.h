// A trace as Kineto's JSON: the text that it was read from, or, where there is none or it is broken, text
// made from the tables in the layout of Kineto's own files.
#pragma once

#include "base/result.h"
#include "ingest/text/text_sink.h"
#include "trace/trace.h"

namespace skyline::ingest::kineto_json {

Status write_trace(const Trace& trace, TextSink& sink);

}  // namespace skyline::ingest::kineto_json
