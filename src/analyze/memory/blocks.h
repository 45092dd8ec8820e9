// Blocks of torch's allocators: each allocation with its release, device by device.
//
// A block is known by its address while it lives; the next one at the address is another block. A release
// may come on any thread. Where a file does not tell addresses, a release ends the youngest block of its
// size. A block whose address is given away again without a release has ended there: its release was lost.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

// All memory of the host is one device.
struct MemoryDevice {
  int32_t type = 0;  // c10's code: 0 CPU, 1 CUDA, …
  int32_t id = -1;   // -1 on the host

  auto operator<=>(const MemoryDevice&) const = default;
};

std::string name_of(MemoryDevice device);  // "cpu", "cuda:0", …

struct MemoryBlock {
  uint32_t allocation;  // row of Trace::memory
  uint64_t address;     // 0: not said
  int64_t bytes;
  uint32_t born;  // it lives from this event of DeviceMemory on …
  uint32_t died;  // … until before this one; kNoRow: to the end

  bool lives_after(uint32_t event) const { return born <= event && event < died; }
};

struct DeviceMemory {
  MemoryDevice device = {};
  std::vector<uint32_t> events = {};     // rows of Trace::memory in the order of time
  std::vector<int64_t> live_bytes = {};  // per event: of all blocks, after it
  std::vector<MemoryBlock> blocks = {};  // by birth

  // What is known of blocks that are older than the recording, and of no other figure a part: how many of
  // their bytes lived when it began, and their releases, as (event, bytes).
  int64_t older_at_start = 0;
  std::vector<std::pair<uint32_t, int64_t>> older_releases = {};

  int64_t older_after(uint32_t event) const;  // kNoRow: before the first
};

// In the order of their first event.
std::vector<DeviceMemory> memory_blocks(const Trace& trace);

}  // namespace skyline::analyze
