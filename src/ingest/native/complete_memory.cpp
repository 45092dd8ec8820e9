#include "ingest/native/complete_memory.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace skyline::ingest::native {
namespace {

constexpr int32_t kCpu = 0;

bool is_complete(const MemoryTable& memory) {
  return std::none_of(memory.bytes.begin(), memory.bytes.end(), [](int64_t bytes) { return bytes == 0; }) &&
         std::none_of(memory.total_allocated.begin(), memory.total_allocated.end(),
                      [](int64_t total) { return total == kUnknownBytes; });
}

std::vector<uint32_t> order_of_time(const MemoryTable& memory) {
  std::vector<uint32_t> rows(memory.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](uint32_t a, uint32_t b) { return memory.time_ns[a] < memory.time_ns[b]; });
  return rows;
}

class Completion {
 public:
  Completion(BlockSizes alive, MemoryTable& memory) : alive_(std::move(alive)), memory_(memory) {
    alive_.for_each([this](uint64_t, int64_t bytes) { add(bytes); });
  }

  void run() {
    std::vector<uint8_t> is_unknown(memory_.size(), 0);
    for (const uint32_t row : order_of_time(memory_)) {
      if (memory_.device_type[row] != kCpu) continue;  // its allocator says all of it
      is_unknown[row] = !complete(row);
      if (memory_.total_allocated[row] == kUnknownBytes) memory_.total_allocated[row] = total_;
    }
    take_out(is_unknown);
  }

 private:
  // False: the release of a block that nobody knows.
  bool complete(uint32_t row) {
    const uint64_t address = memory_.address[row];
    int64_t& bytes = memory_.bytes[row];
    const int64_t* const before = alive_.find(address);
    if (bytes == 0) {
      if (before == nullptr) return false;
      bytes = -*before;
    } else if (before != nullptr && bytes > 0) {
      add(-*before);  // it went unseen
    }
    add(bytes);
    if (address == 0) return true;
    if (bytes > 0) {
      alive_[address] = bytes;
    } else {
      alive_.remove(address);
    }
    return true;
  }

  // A damaged file may say anything; sums then wrap.
  void add(int64_t bytes) {
    total_ = static_cast<int64_t>(static_cast<uint64_t>(total_) + static_cast<uint64_t>(bytes));
  }

  void take_out(const std::vector<uint8_t>& is_unknown) {
    size_t kept = 0;
    for (size_t row = 0; row < is_unknown.size(); ++row) {
      if (is_unknown[row] != 0) continue;
      const auto move = [&](auto&... columns) { ((columns[kept] = columns[row]), ...); };
      move(memory_.time_ns, memory_.track, memory_.address, memory_.bytes, memory_.total_allocated,
           memory_.total_reserved, memory_.device_type, memory_.device_id);
      ++kept;
    }
    const auto cut = [&](auto&... columns) { (columns.resize_uninitialized(kept), ...); };
    cut(memory_.time_ns, memory_.track, memory_.address, memory_.bytes, memory_.total_allocated,
        memory_.total_reserved, memory_.device_type, memory_.device_id);
  }

  BlockSizes alive_;
  MemoryTable& memory_;
  int64_t total_ = 0;
};

}  // namespace

void complete_memory(BlockSizes alive, MemoryTable& memory) {
  if (!is_complete(memory)) Completion(std::move(alive), memory).run();
}

}  // namespace skyline::ingest::native
