// How large the blocks are that torch holds: address -> bytes, for any thread.
//
// Divided by address into parts with a lock each, held for a few instructions; a block's release
// contends with another thread only by chance.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "base/hash.h"

namespace skyline::collect {

class AddressSizes {
 public:
  void insert(const void* address, size_t bytes) {
    Part& part = part_of(address);
    const Locked lock(part);
    part.insert(reinterpret_cast<uintptr_t>(address), bytes);
  }

  // Takes the entry out; false when there is none.
  bool remove(const void* address, size_t& bytes) {
    if (address == nullptr) return false;  // torch frees empty blocks too; in the table 0 means free
    Part& part = part_of(address);
    const Locked lock(part);
    return part.remove(reinterpret_cast<uintptr_t>(address), bytes);
  }

 private:
  static constexpr size_t kParts = 64;

  struct Slot {
    uintptr_t address = 0;  // 0: free
    size_t bytes = 0;
  };

  // Open addressing; a removed entry is closed up, so there are no graves.
  struct alignas(64) Part {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    std::vector<Slot> slots = std::vector<Slot>(64);
    size_t count = 0;

    size_t home(uintptr_t address) const { return mix_u64(address, 0x9e3779b97f4a7c15) & (slots.size() - 1); }
    size_t next(size_t slot) const { return (slot + 1) & (slots.size() - 1); }

    void insert(uintptr_t address, size_t bytes) {
      if (count * 2 >= slots.size() && !grow()) return;
      size_t slot = home(address);
      while (slots[slot].address != 0 && slots[slot].address != address) slot = next(slot);
      if (slots[slot].address == 0) ++count;
      slots[slot] = {address, bytes};
    }

    bool remove(uintptr_t address, size_t& bytes) {
      size_t slot = home(address);
      while (slots[slot].address != address) {
        if (slots[slot].address == 0) return false;
        slot = next(slot);
      }
      bytes = slots[slot].bytes;
      --count;
      // Move later entries of the same run into the gap, unless they stand at or behind their home.
      for (size_t probe = next(slot); slots[probe].address != 0; probe = next(probe)) {
        const size_t wanted = home(slots[probe].address);
        const bool stays =
            slot < probe ? (wanted > slot && wanted <= probe) : (wanted > slot || wanted <= probe);
        if (stays) continue;
        slots[slot] = slots[probe];
        slot = probe;
      }
      slots[slot] = {};
      return true;
    }

    // False without memory for it: then blocks are not remembered, and seen to come but not to go.
    bool grow() noexcept {
      std::vector<Slot> old;
      try {
        old.resize(slots.size() * 2);
      } catch (const std::bad_alloc&) {
        return count < slots.size() - 1;
      }
      old.swap(slots);
      count = 0;
      for (const Slot& entry : old) {
        if (entry.address != 0) insert(entry.address, entry.bytes);
      }
      return true;
    }
  };

  class Locked {
   public:
    explicit Locked(Part& part) : part_(part) {
      while (part_.busy.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Locked() { part_.busy.clear(std::memory_order_release); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

   private:
    Part& part_;
  };

  Part& part_of(const void* address) {
    return parts_[mix_u64(reinterpret_cast<uintptr_t>(address), 0xd6e8feb86659fd93) >> 32 & (kParts - 1)];
  }

  Part parts_[kParts];
};

}  // namespace skyline::collect
