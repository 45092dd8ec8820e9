// Reads the events of a piece of traceEvents into a Batch.
#pragma once

#include "ingest/kineto_json/batch.h"

namespace skyline::ingest::kineto_json {

// Longer events are passed over: memory stays bounded.
inline constexpr size_t kMaxEventBytes = 16 << 20;

// What stands before a place in the array. kLost: damage without a visible end; whatever follows is
// passed over up to the next event. kInLongEvent: the first part of an event that is too long.
enum class Separator : uint8_t { kFirst, kAfterComma, kAfterEvent, kLost, kInLongEvent };

// The way through an event that is too long, piece by piece.
struct LongEvent {
  uint64_t depth = 0;
  bool in_string = false, is_escaped = false;
};

struct ChunkResult {
  enum class Stop { kEndOfText, kEndOfArray, kNeedsMore };
  Stop stop;
  const char* position;       // up to where the text is used
  Separator separator;        // what stood before `position`
  LongEvent long_event = {};  // for kInLongEvent: what was seen of it
};

// `p` stands in the array, behind `separator`; `p` is byte `offset` of the source. kNeedsMore: the
// event at `position` is not complete.
ChunkResult parse_events(const char* p, const char* end, uint64_t offset, Separator separator,
                         bool at_end_of_file, Batch& batch, const LongEvent& long_event = {});

// The start of the last event in the text that visibly begins one, so that the text before it can be
// parsed apart from the text behind it: the '{' of `}, {"`. nullptr when there is none behind `from`.
const char* find_last_event_start(const char* begin, const char* from, const char* end);

}  // namespace skyline::ingest::kineto_json
