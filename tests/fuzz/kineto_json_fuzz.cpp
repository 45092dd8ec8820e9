// Any bytes as a trace: read in one piece by one thread, and in small pieces by two. Both must give the same
// trace, column by column, or the same error; and every event's text can be had again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "ingest/ingest.h"
#include "trace/test_dump.h"

namespace {

using namespace skyline;

std::string outcome(const std::string& bytes, unsigned threads, size_t chunk_bytes) {
  ingest::IngestOptions options;
  options.threads = threads;
  options.chunk_bytes = chunk_bytes;
  const Result<std::unique_ptr<const Trace>> trace = ingest::read_trace_bytes(bytes, "input", options);
  if (!trace.ok()) {
    CHECK(!trace.error().sentence.empty());
    return trace.error().sentence;
  }
  for (size_t s = 0; s < trace.value()->slices.size() && s < 20; ++s) {
    CHECK(trace.value()->args->event_text(trace.value()->slices.source_place[s]).ok());
  }
  return text_of(*trace.value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = outcome(bytes, 1, 1 << 16);
  CHECK(outcome(bytes, 2, 1 + size % 97) == whole);
  if (size < 300) CHECK(outcome(bytes, 1, 1) == whole);
  return 0;
}
