// Finds the child of a place by a number, fast: traces ask it for every one of millions of frames.
//
// A table with open addressing; the keys are few beside the questions, and nothing is ever taken out.
#pragma once

#include <cstdint>
#include <vector>

namespace skyline::analyze {

class PlaceChildren {
 public:
  // The child that was put there, or a place for a new one that holds kNone.
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t& at(uint32_t parent, uint32_t label) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = find(parent, label);
    if (!slot.is_used) {
      slot = {parent, label, kNone, true};
      ++count_;
    }
    return slot.child;
  }

 private:
  struct Slot {
    uint32_t parent = 0, label = 0, child = kNone;
    bool is_used = false;
  };

  Slot& find(uint32_t parent, uint32_t label) {
    const size_t mask = slots_.size() - 1;
    uint64_t hash = (uint64_t{parent} << 32 | label) * 0x9e3779b97f4a7c15;
    size_t at = (hash >> 32) & mask;
    while (slots_[at].is_used && (slots_[at].parent != parent || slots_[at].label != label))
      at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.is_used) find(slot.parent, slot.label) = slot;
  }

  std::vector<Slot> slots_;  // as many as a power of two
  size_t count_ = 0;
};

}  // namespace skyline::analyze
