// What the timeline asks: its tracks and counters, tiles of them, and what is known of single slices.
#pragma once

#include "serve/methods.h"

namespace skyline {

Result<protocol::Timeline> answer_timeline(const Desk& desk, const protocol::TraceParams& params);
Result<Reply> answer_tiles(const Desk& desk, const protocol::TilesParams& params);

}  // namespace skyline
