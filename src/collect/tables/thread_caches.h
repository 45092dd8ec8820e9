// What a thread has met before, found without a lock: operator names, input signatures, stacks.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "collect/tables/ids.h"

namespace skyline::collect {

// Operator names by where their text or their schema stands; texts are compared, as addresses are used again.
// Names that are made anew for each call (of backward functions) are found by their text.
class NameCache {
 public:
  uint32_t find(const char* name) {
    Slot& slot = by_address_[slot_of(name)];
    if (slot.address == name && std::strcmp(slot.text, name) == 0) [[likely]] {
      return slot.id;
    }
    return find_by_text(name, slot);
  }
  uint32_t find(std::string_view name) { return find_by_text(name).id; }

  // The name of what stands at `place` in this epoch (schema_epoch.h).
  uint32_t find(const void* place, uint32_t epoch, const std::string& name) {
    const size_t slot = slot_of(place);
    for (const size_t i : {slot, slot ^ 1}) {
      if (by_place_[i].place == place && by_place_[i].epoch == epoch) return by_place_[i].id;
    }
    return find_by_text(place, epoch, name, slot);
  }

 private:
  static constexpr size_t kSlots = 1024;
  struct alignas(32) Slot {  // none across two lines of the processor's cache
    const char* address = nullptr;
    const char* text = nullptr;
    uint32_t id = kNoId;
  };
  struct PlaceSlot {
    const void* place = nullptr;
    uint32_t epoch = 0;
    uint32_t id = kNoId;
  };
  struct TextSlot {
    uint64_t hash = 0;  // 0: free, or a name that found no room and may find it in another recording
    std::string_view text;
    uint32_t id = kNoId;
  };

  static size_t slot_of(const void* address) {
    return mix_u64(reinterpret_cast<uintptr_t>(address), 0x9e3779b97f4a7c15) >> 20 & (kSlots - 1);
  }
  uint32_t find_by_text(const char* name, Slot& slot);
  uint32_t find_by_text(const void* place, uint32_t epoch, const std::string& name, size_t slot);
  const TextSlot& find_by_text(std::string_view name);

  std::unique_ptr<Slot[]> by_address_ = std::make_unique<Slot[]>(kSlots);
  // Of these two, each name has two slots; what was found last is in the first one.
  std::unique_ptr<PlaceSlot[]> by_place_ = std::make_unique<PlaceSlot[]>(kSlots);
  std::unique_ptr<TextSlot[]> by_text_ = std::make_unique<TextSlot[]>(kSlots);
};

// Numbers by the hash of what they stand for, which is never 0. One that is full begins anew.
class IdCache {
 public:
  static constexpr size_t kMost = 64 * 1024;

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
  static constexpr size_t kFirstSlots = 1024;
  struct Slot {
    uint64_t hash = 0;  // 0: free
    uint32_t id = kNoId;
  };
  size_t slot_of(uint64_t hash) const { return hash >> 20 & (slots_.size() - 1); }
  size_t next_slot(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  std::vector<Slot> slots_ = std::vector<Slot>(kFirstSlots);
  size_t count_ = 0;
};

}  // namespace skyline::collect
