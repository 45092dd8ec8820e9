// Any bytes as a .skyline file become a trace that keeps the laws, so that every analysis can work on it, or
// one sentence. The texts of its events can be had, or not, but asking does no harm.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "analyze/analyze.h"
#include "ingest/ingest.h"
#include "sign_tracefile.h"
#include "trace/laws.h"

namespace {

using namespace skyline;

// Few bytes can stand for many rows. That is allowed, but nothing to spend the fuzzer's time on.
bool is_modest(const std::string& bytes) {
  constexpr uint64_t kMuch = 8 << 20;
  const Result<tracefile::Reader> reader = tracefile::Reader::over(bytes, "fuzz");
  if (!reader.ok()) return true;
  uint64_t sum = 0;
  for (const tracefile::Chunk& chunk : reader.value().chunks()) {
    sum += chunk.rows() * 64;
    for (const tracefile::ColumnEntry& entry : chunk.entries()) sum += std::min(entry.raw_bytes, kMuch);
  }
  return sum < kMuch;
}

void use(const Trace& trace) {
  CHECK(!broken_law(trace, 1).has_value());
  static_cast<void>(analyze::compute_figures(analyze::AnalyzedTrace(trace)));
  static_cast<void>(analyze::judge(analyze::AnalyzedTrace(trace)));
  static_cast<void>(analyze::find_findings(analyze::AnalyzedTrace(trace), analyze::RuleTopic::kRecording));
  const size_t slices = std::min<size_t>(trace.slices.size(), 20);
  for (size_t i = 0; trace.args != nullptr && i < slices; ++i) {
    static_cast<void>(trace.args->event_text(trace.slices.source_place[i]).ok());
  }
}

void read_bytes(std::string bytes) {
  if (!is_modest(bytes)) return;
  const Result<std::unique_ptr<const Trace>> trace =
      ingest::read_trace_bytes(std::move(bytes), "fuzz", {.threads = 1});
  if (trace.ok()) use(*trace.value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (!tracefile::is_tracefile(bytes)) return 0;  // the other readers have targets of their own
  read_bytes(bytes);
  read_bytes(tracefile::signed_again(bytes));
  return 0;
}
