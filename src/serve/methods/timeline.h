// What the timeline asks: its tracks and counters, tiles of them, and what is known of single slices.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Timeline> answer_timeline(const Desk& desk, const protocol::TraceParams& params);
Result<Reply> answer_tiles(const Desk& desk, const protocol::TilesParams& params);
Result<Reply> answer_counter_tiles(const Desk& desk, const protocol::CounterTilesParams& params);
Result<protocol::SliceDetails> answer_slice(const Desk& desk, const protocol::SliceParams& params);
Result<protocol::Search> answer_search(const Desk& desk, const protocol::SearchParams& params);
Result<protocol::Range> answer_range(const Desk& desk, const protocol::RangeParams& params);

}  // namespace skyline::serve
