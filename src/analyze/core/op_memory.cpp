#include "analyze/core/op_memory.h"

#include <algorithm>
#include <numeric>

namespace skyline::analyze {
namespace {

// Rows of Trace::memory, track by track in the order of time; equal times stay in file order.
std::vector<uint32_t> memory_by_track(const Trace& trace) {
  std::vector<uint32_t> rows(trace.memory.size());
  std::iota(rows.begin(), rows.end(), 0);
  const MemoryTable& memory = trace.memory;
  std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
    if (memory.track[a] != memory.track[b]) return memory.track[a] < memory.track[b];
    return memory.time_ns[a] < memory.time_ns[b];
  });
  return rows;
}

}  // namespace

std::vector<uint32_t> ops_around_memory(const Trace& trace, std::span<const uint32_t> ops) {
  std::vector<uint32_t> around(trace.memory.size(), kNoRow);
  if (around.empty()) return around;

  // Calls of a track stand together, ordered by start: each track has one block.
  struct Block {
    size_t begin = 0, end = 0;
  };
  std::vector<Block> blocks(trace.tracks.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    Block& block = blocks[trace.slices.track[trace.ops.slice[ops[i]].value].value];
    if (block.end == 0) block.begin = i;
    block.end = i + 1;
  }

  std::vector<uint32_t> open;  // the innermost last; those below it may have ended
  TrackId track;
  Block next;
  for (const uint32_t row : memory_by_track(trace)) {
    const TrackId own = trace.memory.track[row];
    if (!own.exists()) continue;
    if (own != track) {
      track = own;
      next = blocks[track.value];
      open.clear();
    }
    const int64_t now = trace.memory.time_ns[row];
    for (; next.begin < next.end; ++next.begin) {
      const uint32_t op = ops[next.begin];
      if (trace.slices.start_ns[trace.ops.slice[op].value] > now) break;
      open.push_back(op);
    }
    while (!open.empty() && trace.slices.end_ns(trace.ops.slice[open.back()]) < now) open.pop_back();
    if (!open.empty()) around[row] = open.back();
  }
  return around;
}

bool is_host_memory(int32_t device_type) {
  constexpr int32_t kCpu = 0, kMkldnn = 2, kIdeep = 5;  // c10/core/DeviceType.h
  return device_type == kCpu || device_type == kMkldnn || device_type == kIdeep || device_type < 0;
}

}  // namespace skyline::analyze
