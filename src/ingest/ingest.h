// The door of ingest: any trace bytes become a Trace, and a Trace becomes a file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/result.h"
#include "ingest/find_traces.h"
#include "ingest/write_trace.h"
#include "trace/trace.h"

namespace skyline::ingest {

// Where copies of large traces are kept, so that they open in a moment the next time.
struct CacheOptions {
  std::string folder = {};                       // empty: nothing is kept or found
  std::string engine = {};                       // tells apart programs that may read a file differently
  uint64_t max_bytes = uint64_t{2} << 30;        // of all copies; the longest unused go first
  uint64_t min_text_bytes = uint64_t{64} << 20;  // smaller traces are read as fast
};

struct IngestOptions {
  unsigned threads = 0;          // 0: as many as the machine has. The trace is the same for any number.
  size_t chunk_bytes = 1 << 20;  // how much text is handed on at a time. The trace is the same for any size.

  // Called now and then with how much of the source has been read; `total` is 0 when unknown
  // (standard input). From any thread, one call at a time.
  std::function<void(uint64_t done_bytes, uint64_t total_bytes)> progress = {};

  CacheOptions cache = {};

  // What the trace and reading it may take. What needs more is refused before it is unpacked.
  MemoryBudget memory = {};
};

// A file may hold several recorded processes or ranks: at least one, in the order of the file.
using Traces = std::vector<std::unique_ptr<const Trace>>;

// Reads one file, or standard input when `path` is "-".
Result<Traces> read_traces(const std::string& path, const IngestOptions& options);

// The same for callers that can use only one; a file that holds more is an error.
Result<std::unique_ptr<const Trace>> read_trace(const std::string& path, const IngestOptions& options);

// Two recordings of one process as one trace: of the host at `path`, and of the devices at `device_path`, as
// Kineto writes it with device activities only. What the second has of the host is left out.
Result<std::unique_ptr<const Trace>> read_joined(const std::string& path, const std::string& device_path,
                                                 const IngestOptions& options);

// Reads bytes that are in memory already; `path` only names them in errors.
Result<std::unique_ptr<const Trace>> read_trace_bytes(std::string bytes, const std::string& path,
                                                      const IngestOptions& options);

// What a trace holds of the memory, about.
uint64_t held_bytes(const Trace& trace);

// Keeps a copy of a trace that read_trace gave with the same options, for the next time. Takes a tenth of the
// time of reading it; does nothing for small traces, and never fails in a way that matters.
void keep_in_cache(const Trace& trace, const IngestOptions& options);

}  // namespace skyline::ingest
