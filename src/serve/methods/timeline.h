// What the timeline asks: its tracks and counters, tiles of them, and what is known of single slices.
#pragma once

#include "serve/methods/context.h"

namespace skyline::serve {

Result<protocol::Timeline> answer_timeline(const Context& context, const protocol::TraceParams& params);
Result<Reply> answer_tiles(const Context& context, const protocol::TilesParams& params);
Result<Reply> answer_counter_tiles(const Context& context, const protocol::CounterTilesParams& params);
Result<protocol::SliceDetails> answer_slice(const Context& context, const protocol::SliceParams& params);
Result<protocol::Search> answer_search(const Context& context, const protocol::SearchParams& params);
Result<protocol::Range> answer_range(const Context& context, const protocol::RangeParams& params);

}  // namespace skyline::serve
