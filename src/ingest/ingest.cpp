#include "ingest/ingest.h"

#include "ingest/kineto_json/reader.h"
#include "ingest/text/text_source.h"

namespace skyline {

Result<std::unique_ptr<const Trace>> read_trace(const std::string& path, const IngestOptions& options) {
  SKYLINE_TRY(std::unique_ptr<TextSource> source, open_text(path));
  return kineto_json::read(std::move(source), path == "-" ? "standard input" : path, options);
}

Result<std::unique_ptr<const Trace>> read_trace_bytes(std::string bytes, const std::string& path,
                                                      const IngestOptions& options) {
  SKYLINE_TRY(std::unique_ptr<TextSource> source, open_text_in_memory(std::move(bytes), path));
  return kineto_json::read(std::move(source), path, options);
}

}  // namespace skyline
