// AddressMap: something about each of many addresses. 0 is no address. Growing may throw std::bad_alloc,
// which leaves the map as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace skyline {

// Open addressing; what is removed is closed up, so there are no graves.
template <typename Value>
class AddressMap {
 public:
  size_t size() const { return count_; }

  // The value of an address, a new one if it had none. Good until the next call.
  Value& operator[](uint64_t address) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[slot_of(address)];
    if (slot.address == 0) {
      slot = {address, {}};
      ++count_;
    }
    return slot.value;
  }

  // nullptr when it has none.
  const Value* find(uint64_t address) const {
    if (address == 0) return nullptr;
    const Slot& slot = slots_[slot_of(address)];
    return slot.address == 0 ? nullptr : &slot.value;
  }

  // Keeps its room.
  void clear() noexcept {
    slots_.assign(slots_.size(), Slot());
    count_ = 0;
  }

  void remove(uint64_t address) {
    size_t gap = slot_of(address);
    if (address == 0 || slots_[gap].address == 0) return;
    --count_;
    // Later entries of the same run move into the gap, unless they stand at or behind their home.
    for (size_t probe = next(gap); slots_[probe].address != 0; probe = next(probe)) {
      const size_t wanted = home(slots_[probe].address);
      const bool stays = gap < probe ? (wanted > gap && wanted <= probe) : (wanted > gap || wanted <= probe);
      if (stays) continue;
      slots_[gap] = slots_[probe];
      gap = probe;
    }
    slots_[gap] = {};
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (slot.address != 0) visit(slot.address, slot.value);
    }
  }

 private:
  struct Slot {
    uint64_t address = 0;  // 0: free
    Value value = {};
  };

  size_t home(uint64_t address) const { return mix_u64(address, 0x9e3779b97f4a7c15) & (slots_.size() - 1); }
  size_t next(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  // Where it is, or would be.
  size_t slot_of(uint64_t address) const {
    size_t slot = home(address);
    while (slots_[slot].address != 0 && slots_[slot].address != address) slot = next(slot);
    return slot;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& entry : old) {
      if (entry.address != 0) slots_[slot_of(entry.address)] = entry;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);
  size_t count_ = 0;
};

}  // namespace skyline
