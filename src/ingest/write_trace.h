// Traces as files.
#pragma once

#include <string>

#include "base/result.h"
#include "trace/trace.h"

namespace skyline::ingest {

struct ExportOptions {
  unsigned threads = 0;             // 0: as many as the machine has. The file is the same for any number
  bool replace = false;             // an existing file
  std::string creator = "skyline";  // what wrote the file, with its version
};

// Keeps a trace whole in a .skyline file, with the text or the recording that it was read from: reading it
// gives the same trace. The file appears when it is complete, or not at all; so does that below.
Status write_skyline(const Trace& trace, const std::string& path, const ExportOptions& options);

// As the JSON that Kineto writes; gzip if the name ends with .gz. The text that the trace was read from, if
// it was good JSON.
Status write_kineto_json(const Trace& trace, const std::string& path, const ExportOptions& options);

}  // namespace skyline::ingest
