// Memory at the peak as a message.
#pragma once

#include "analyze/analyze.h"
#include "serve/messages/protocol.h"

namespace skyline::serve {

// `modules` and `lines` are those of this peak. Of very many blocks, lines, nodes or links the largest.
protocol::MemoryPeak to_message(const analyze::AnalyzedTrace& analyzed, const analyze::MemoryAtPeak& peak,
                                const analyze::MemoryTree& modules,
                                const std::vector<analyze::MemoryLine>& lines);

}  // namespace skyline::serve
