// Reads Chrome-trace JSON as Kineto and torch have written it since torch 1.8.
#pragma once

#include "ingest/ingest.h"
#include "ingest/text/text_source.h"
#include "trace/builder.h"

namespace skyline::ingest::kineto_json {

// Everything but freezing, into an empty builder.
Status read_draft(std::unique_ptr<TextSource> source, const std::string& path, const IngestOptions& options,
                  TraceBuilder& builder);

Result<std::unique_ptr<const Trace>> read(std::unique_ptr<TextSource> source, const std::string& path,
                                          const IngestOptions& options);

}  // namespace skyline::ingest::kineto_json
