// The door of ingest: any trace bytes become a Trace, and a Trace becomes a file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace skyline {

struct IngestOptions {
  unsigned threads = 0;          // 0: as many as the machine has. The trace is the same for any number.
  size_t chunk_bytes = 1 << 20;  // how much text is handed on at a time. The trace is the same for any size.

  // Called now and then with how much of the source has been read; `total` is 0 when unknown
  // (standard input). From any thread, one call at a time.
  std::function<void(uint64_t done_bytes, uint64_t total_bytes)> progress = {};
};

// Reads one file, or standard input when `path` is "-".
Result<std::unique_ptr<const Trace>> read_trace(const std::string& path, const IngestOptions& options);

// Reads bytes that are in memory already; `path` only names them in errors.
Result<std::unique_ptr<const Trace>> read_trace_bytes(std::string bytes, const std::string& path,
                                                      const IngestOptions& options);

struct ExportOptions {
  unsigned threads = 0;             // as above; the file is the same for any number
  bool replace = false;             // an existing file
  std::string creator = "skyline";  // what wrote the file, with its version
};

// Keeps a trace whole in a .skyline file, with the text or the recording that it was read from: reading it
// gives the same trace. The file appears when it is complete, or not at all; so does that below.
Status write_skyline(const Trace& trace, const std::string& path, const ExportOptions& options);

// As the JSON that Kineto writes; gzip if the name ends with .gz. The text that the trace was read from, if
// it was good JSON.
Status write_kineto_json(const Trace& trace, const std::string& path, const ExportOptions& options);

// The trace files that the given paths mean, in the order in which they are to be shown: a file is
// itself, a folder is the traces below it, ordered by name with numbers compared as numbers.
Result<std::vector<std::string>> find_traces(const std::vector<std::string>& paths);

}  // namespace skyline
