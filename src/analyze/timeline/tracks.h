// The tracks of a timeline as people see them: what they are, what they are called and in which order they
// stand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "trace/trace.h"

namespace skyline::analyze {

enum class TrackKind : uint8_t { kThread, kStream, kOther };

struct TrackLabel {
  TrackId id;
  std::string name;     // "main thread 1234", "pt_autograd_0 1235", "stream 7 · GPU 0"
  std::string process;  // "python 1234", "GPU 0 · NVIDIA A100"
  TrackKind kind;
};

// "GPU 0", or "GPU" where the file does not say which.
std::string gpu_name(int64_t device);

// Those with slices: threads that train, others with operators, other threads, streams by device and number,
// then the rest; within these in the file's order.
std::vector<TrackLabel> label_tracks(const AnalyzedTrace& analyzed, unsigned threads);

}  // namespace skyline::analyze
