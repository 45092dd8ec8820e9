#include "ingest/native/native_reader.h"

#include <algorithm>
#include <thread>

#include "ingest/native/recorded_reader.h"

namespace skyline::native {
namespace {

Result<std::string> read_all(TraceInput& input) {
  std::string bytes = std::move(input.head);
  constexpr size_t kPiece = 1 << 20;
  for (;;) {
    const size_t size = bytes.size();
    bytes.resize(size + kPiece);
    SKYLINE_TRY(const size_t n, input.bytes->read(bytes.data() + size, kPiece));
    bytes.resize(size + n);
    if (n == 0) return bytes;
  }
}

// A file is mapped; what comes through a pipe is kept in memory.
Result<tracefile::Reader> open(TraceInput& input) {
  if (!input.path.empty()) return tracefile::Reader::open(input.path);
  SKYLINE_TRY(std::string bytes, read_all(input));
  return tracefile::Reader::over(std::move(bytes), input.name);
}

}  // namespace

Result<std::unique_ptr<const Trace>> read(TraceInput input, const IngestOptions& options) {
  SKYLINE_TRY(tracefile::Reader opened, open(input));
  const auto file = std::make_shared<const tracefile::Reader>(std::move(opened));
  const unsigned threads =
      options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  return read_recorded(file, input.name, threads);
}

}  // namespace skyline::native
