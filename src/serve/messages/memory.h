// Memory at the peak as a message.
#pragma once

#include "analyze/analyze.h"
#include "serve/messages/protocol.h"

namespace skyline {

// `modules` and `lines` are those of this peak. Of very many blocks, lines, nodes or links the largest.
protocol::MemoryPeak to_message(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak,
                                const MemoryTree& modules, const std::vector<MemoryLine>& lines);

}  // namespace skyline
