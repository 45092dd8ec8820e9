// TraceBuilder: tables in file order go in, a linked, immutable Trace comes out.
//
// A reader appends rows to `draft` in file order; of the slices it leaves parent, depth and lane
// empty, and of the other tables the `slice`, `op`, `launch`, `forward` and `activities` columns are
// row numbers or empty as said below. freeze() does the rest.
#pragma once

#include <memory>

#include "trace/trace.h"

namespace skyline {

// One end of a forward-to-backward arrow.
struct FlowEnd {
  uint64_t id;
  int64_t time_ns;
  TrackId track;
  bool is_start;
};

class TraceBuilder {
 public:
  // ops, pythons, launches and activities: `slice` holds the slice's row in file order, in
  // increasing order; link columns are empty. collectives, syncs and compiled_calls: the same.
  Trace draft;
  Column<FlowEnd> forward_backward;
  uint64_t signature_text_bytes = 0;  // of all rows of signatures, for whoever predicts what freezing takes

  std::unique_ptr<const Trace> freeze(unsigned threads) &&;
};

}  // namespace skyline
