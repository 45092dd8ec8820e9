// Memory over time: how many bytes live in torch's allocators at every moment, device by device.
//
//   bytes   ┌─┐   ┌───┐
//         ┌─┘ └───┘   └──┐         a stair: each event changes the bytes from its time on
//   ──────┘              └──
//         |  low..high  |          a point of the curve: the least and the most of its stretch
//
// Counted are the blocks that were allocated since the recording began, as in at_peak.h: so the
// curve's highest point is the figure memory.peak_recording.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/memory/blocks.h"
#include "trace/trace.h"

namespace skyline::analyze {

struct MemoryCurve {
  // Where each point's stretch begins; it ends where the next one does. Points of events that share a time
  // share it as well.
  std::vector<int64_t> time_ns;
  std::vector<int64_t> low_bytes, high_bytes;
  std::vector<int64_t> reserved_bytes;  // the most that the allocator held of the device; empty: not recorded
};

class MemoryCurves {
 public:
  explicit MemoryCurves(const AnalyzedTrace& analyzed);

  struct DeviceCurve {
    MemoryDevice device = {};
    int64_t peak_bytes = 0;
    int64_t peak_ns = 0;
    int64_t start_ns = 0, end_ns = 0;  // of the recording: memory may come and go around all slices
    std::vector<int64_t> time_ns = {}, bytes = {};              // per event, after it; increasing times
    std::vector<int64_t> reserved_time_ns = {}, reserved = {};  // where it was recorded
  };

  // The largest peak first.
  const std::vector<DeviceCurve>& devices() const { return devices_; }

  // From `start_ns` to `end_ns`, one nanosecond at least. Every event if there are no more than `points`,
  // which is 1 at least; else that many stretches of equal length.
  MemoryCurve curve(size_t device, int64_t start_ns, int64_t end_ns, size_t points) const;

 private:
  std::vector<DeviceCurve> devices_;
};

}  // namespace skyline::analyze
