#include "ingest/footprint.h"

#include "ingest/native/stored_columns.h"

namespace skyline::ingest {
namespace {

constexpr uint64_t kFreezingBytesPerSlice = 40;
// Three characters, `[],`, become a row of inputs at most, and two, `1,`, one of their sizes.
constexpr uint64_t kBytesPerCharacterOfShapes = 8;

template <typename T>
uint64_t bytes_of(const std::vector<T>& rows) {
  return rows.capacity() * sizeof(T);
}

}  // namespace

uint64_t held_bytes(const Trace& trace) {
  uint64_t sum = trace.strings.bytes();
  native::for_each_stored_column(
      trace, [&](const auto&, const auto&, const auto& column) { sum += column.bytes(); });
  sum += bytes_of(trace.tracks) + bytes_of(trace.steps) + bytes_of(trace.event_counts);
  for (const SourceFile& file : trace.sources) sum += file.text.capacity();
  for (const Summary& summary : trace.summaries) sum += summary.bytes.capacity();
  if (trace.args != nullptr) sum += trace.args->held_bytes();
  return sum;
}

uint64_t bytes_until_frozen(const TraceBuilder& builder) {
  return held_bytes(builder.draft) + builder.forward_backward.bytes() +
         builder.draft.slices.size() * kFreezingBytesPerSlice +
         builder.signature_text_bytes * kBytesPerCharacterOfShapes;
}

}  // namespace skyline::ingest
