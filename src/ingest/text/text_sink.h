// Text to a file, plain or as gzip.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace skyline::ingest {

class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual Status write(std::string_view text) = 0;
  virtual Status start_over() = 0;  // forgets what was written
  virtual Status finish() = 0;      // the file is complete afterwards
};

// Creates the file, which must not exist.
Result<std::unique_ptr<TextSink>> plain_sink(const std::string& path);
Result<std::unique_ptr<TextSink>> gzip_sink(const std::string& path);

}  // namespace skyline::ingest
