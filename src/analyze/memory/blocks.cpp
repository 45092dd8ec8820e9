#include "analyze/memory/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_map>

#include "analyze/core/op_memory.h"
#include "analyze/core/saturate.h"

namespace skyline::analyze {
namespace {

MemoryDevice device_of(const Trace& trace, uint32_t row) {
  const int32_t type = trace.memory.device_type[row];
  if (is_host_memory(type)) return {};
  return {type, trace.memory.device_id[row]};
}

// Rows of Trace::memory in the order of time; equal times stay in file order.
std::vector<uint32_t> rows_by_time(const Trace& trace) {
  std::vector<uint32_t> rows(trace.memory.size());
  std::iota(rows.begin(), rows.end(), 0);
  const Column<int64_t>& time = trace.memory.time_ns;
  std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) { return time[a] < time[b]; });
  return rows;
}

// Takes the events of one device in the order of time.
class BlockMatcher {
 public:
  BlockMatcher(const Trace& trace, DeviceMemory& memory) : trace_(trace), memory_(memory) {}

  void take(uint32_t row) {
    const int64_t bytes = trace_.memory.bytes[row];
    if (bytes == 0 || bytes == INT64_MIN) return;  // nothing changes; or damage
    event_ = static_cast<uint32_t>(memory_.events.size());
    if (event_ == 0) take_total_before(row, bytes);
    memory_.events.push_back(row);
    if (bytes > 0) {
      allocate(row, trace_.memory.address[row], bytes);
    } else {
      release(trace_.memory.address[row], -bytes);
    }
    memory_.live_bytes.push_back(live_);
  }

 private:
  void take_total_before(uint32_t row, int64_t bytes) {
    const int64_t total = trace_.memory.total_allocated[row];
    if (total != kUnknownBytes) memory_.older_at_start = std::max<int64_t>(0, minus(total, bytes));
  }

  void allocate(uint32_t row, uint64_t address, int64_t bytes) {
    const auto block = static_cast<uint32_t>(memory_.blocks.size());
    if (address == 0) {
      nameless_[bytes].push_back(block);
    } else {
      const auto [entry, is_new] = living_.try_emplace(address, block);
      if (!is_new) end(entry->second);
      entry->second = block;
    }
    memory_.blocks.push_back({row, address, bytes, event_, kNoRow});
    live_ = plus(live_, bytes);
  }

  void release(uint64_t address, int64_t bytes) {
    if (address == 0) {
      const auto same_size = nameless_.find(bytes);
      if (same_size == nameless_.end() || same_size->second.empty()) return release_older(bytes);
      end(same_size->second.back());
      same_size->second.pop_back();
      return;
    }
    const auto entry = living_.find(address);
    if (entry == living_.end()) return release_older(bytes);
    end(entry->second);
    living_.erase(entry);
  }

  void end(uint32_t block) {
    memory_.blocks[block].died = event_;
    live_ = minus(live_, memory_.blocks[block].bytes);
  }

  void release_older(int64_t bytes) { memory_.older_releases.emplace_back(event_, bytes); }

  const Trace& trace_;
  DeviceMemory& memory_;
  uint32_t event_ = 0;
  int64_t live_ = 0;
  std::unordered_map<uint64_t, uint32_t> living_;                // by address
  std::unordered_map<int64_t, std::vector<uint32_t>> nameless_;  // by size, the youngest last
};

}  // namespace

std::string name_of(MemoryDevice device) {
  // c10/core/DeviceType.h
  static constexpr std::array<std::string_view, 21> kNames = {
      "cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
      "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
      "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone"};
  if (device == MemoryDevice{}) return "cpu";
  const auto type = static_cast<size_t>(device.type);
  const std::string name = type < kNames.size() ? std::string(kNames[type]) : fmt::format("type {}", type);
  return device.id < 0 ? name : fmt::format("{}:{}", name, device.id);
}

int64_t DeviceMemory::older_after(uint32_t event) const {
  SumNs before, behind;
  for (const auto& [release, bytes] : older_releases) {
    (event != kNoRow && release <= event ? before : behind) += bytes;
  }
  // What is released later has lived, whatever the total says.
  return std::max<int64_t>({0, minus(older_at_start, before), behind});
}

std::vector<DeviceMemory> memory_blocks(const Trace& trace) {
  const std::vector<uint32_t> rows = rows_by_time(trace);
  std::vector<DeviceMemory> devices;
  std::map<MemoryDevice, size_t> numbers;
  for (const uint32_t row : rows) {
    const auto [entry, is_new] = numbers.try_emplace(device_of(trace, row), devices.size());
    if (is_new) devices.push_back({.device = entry->first});
  }
  std::vector<BlockMatcher> matchers;
  for (DeviceMemory& device : devices) matchers.emplace_back(trace, device);
  for (const uint32_t row : rows) matchers[numbers.at(device_of(trace, row))].take(row);
  return devices;
}

}  // namespace skyline::analyze
