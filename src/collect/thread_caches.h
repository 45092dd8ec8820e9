// What a thread has met before, found without a lock: operator names, input signatures, stacks.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace skyline::collect {

inline constexpr uint32_t kNoId = UINT32_MAX;

// Operator names by where their text stands; the text is compared, as addresses are used again. Names
// that are made anew for each call (of backward functions) are found by their text.
class NameCache {
 public:
  uint32_t find(const char* name) {
    const auto address = reinterpret_cast<uintptr_t>(name);
    Slot& slot = by_address_[mix_u64(address, 0x9e3779b97f4a7c15) >> 20 & (kSlots - 1)];
    if (slot.address == name && std::strcmp(slot.text, name) == 0) [[likely]] {
      return slot.id;
    }
    return find_by_text(name, slot);
  }

 private:
  static constexpr size_t kSlots = 1024;
  struct alignas(32) Slot {  // none across two lines of the processor's cache
    const char* address = nullptr;
    const char* text = nullptr;
    uint32_t id = kNoId;
  };
  struct TextSlot {
    uint64_t hash = 0;
    std::string_view text;
    uint32_t id = kNoId;
  };

  uint32_t find_by_text(const char* name, Slot& slot);

  std::unique_ptr<Slot[]> by_address_ = std::make_unique<Slot[]>(kSlots);
  std::unique_ptr<TextSlot[]> by_text_ =
      std::make_unique<TextSlot[]>(kSlots);  // the last name of a slot stays
};

// Numbers by the hash of what they stand for, which is never 0.
class IdCache {
 public:
  // kNoId when it is new to this thread.
  uint32_t find(uint64_t hash) const {
    for (size_t slot = slot_of(hash); slots_[slot].hash != 0; slot = next_slot(slot)) {
      if (slots_[slot].hash == hash) return slots_[slot].id;
    }
    return kNoId;
  }
  void insert(uint64_t hash, uint32_t id);
  void clear();

 private:
  struct Slot {
    uint64_t hash = 0;  // 0: free
    uint32_t id = kNoId;
  };
  size_t slot_of(uint64_t hash) const { return hash >> 20 & (slots_.size() - 1); }
  size_t next_slot(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  size_t count_ = 0;
};

}  // namespace skyline::collect
