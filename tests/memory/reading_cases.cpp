// Reading and freezing: every way into a trace.
#include "base/test_folder.h"
#include "every_allocation.h"
#include "ingest/text/test_pack.h"
#include "small_traces.h"

namespace skyline::faults {
namespace {

std::string outcome(const Result<std::unique_ptr<const Trace>>& trace) {
  return trace.ok() ? fingerprint(*trace.value()) : error_text(trace.error().sentence);
}

std::string read_bytes(Trial& trial, const std::string& bytes, const ingest::IngestOptions& options) {
  std::string own = bytes;
  return outcome(trial([&] { return ingest::read_trace_bytes(std::move(own), "t", options); }));
}

std::string converted(const std::string& bytes) {
  const TestFolder folder;
  const auto trace = ingest::read_trace_bytes(bytes, "t", small_pieces()).value();
  CHECK(ingest::write_skyline(*trace, folder / "t.skyline", {}).ok());
  return read_file(folder / "t.skyline");
}

struct Format {
  const char* name;
  std::string bytes;
};

std::vector<Format> formats(int steps) {
  const std::string text = kineto_text(steps);
  return {{"json", text},
          {"gzip", ingest::gzip(text)},
          {"zstd", ingest::zstd(text)},
          {"recording", recording_bytes(steps)},
          {"converted json", converted(text)},
          {"converted recording", converted(recording_bytes(steps))}};
}

// A file is mapped and read again later; bytes are not.
void add_file_case(const Format& format, Cases& cases) {
  cases.push_back({std::string("read file ") + format.name, [bytes = format.bytes](Trial& trial) {
                     const TestFolder folder;
                     const std::string path = folder.write("t", bytes);
                     const ingest::IngestOptions options = small_pieces();
                     return outcome(trial([&] { return ingest::read_trace(path, options); }));
                   }});
}

}  // namespace

void add_reading_cases(Cases& cases) {
  for (const Format& format : formats(2)) {
    cases.push_back({std::string("read ") + format.name, [bytes = format.bytes](Trial& trial) {
                       return read_bytes(trial, bytes, small_pieces());
                     }});
    cases.push_back(
        {std::string("read by two ") + format.name,
         [bytes = format.bytes](Trial& trial) { return read_bytes(trial, bytes, small_pieces(2)); }, false,
         400});
    add_file_case(format, cases);
  }
  for (const Format& format : formats(400)) {
    ingest::IngestOptions options;
    options.threads = 2;
    options.chunk_bytes = 50'000;
    cases.push_back(
        {std::string("read much ") + format.name,
         [bytes = format.bytes, options](Trial& trial) { return read_bytes(trial, bytes, options); }, false,
         20});
  }
  cases.push_back({"read without threads",
                   [bytes = kineto_text(20)](Trial& trial) {
                     refuse_threads(3);
                     const std::string read = read_bytes(trial, bytes, small_pieces(4));
                     refuse_threads(0);
                     return read;
                   },
                   false, 20});
}

}  // namespace skyline::faults
