// Reads Chrome-trace JSON as Kineto and torch have written it since torch 1.8.
#pragma once

#include "ingest/ingest.h"
#include "ingest/text/text_source.h"

namespace skyline::kineto_json {

Result<std::unique_ptr<const Trace>> read(std::unique_ptr<TextSource> source, const std::string& path,
                                          const IngestOptions& options);

}  // namespace skyline::kineto_json
