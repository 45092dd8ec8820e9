#include "collect/tables/thread_caches.h"

#include <algorithm>
#include <string>
#include <utility>

#include "collect/recorder.h"

namespace skyline::collect {

uint32_t NameCache::find_by_text(const char* name, Slot& slot) {
  const TextSlot& known = find_by_text(name);
  if (known.hash != 0) slot = {name, known.text.data(), known.id};  // interned texts end in 0 and never move
  return known.id;
}

uint32_t NameCache::find_by_text(const void* place, uint32_t epoch, const std::string& name, size_t slot) {
  const TextSlot& known = find_by_text(name);
  if (known.hash != 0) {
    by_place_[slot ^ 1] = by_place_[slot];
    by_place_[slot] = {place, epoch, known.id};
  }
  return known.id;
}

const NameCache::TextSlot& NameCache::find_by_text(std::string_view name) {
  const uint64_t hash = hash_bytes(name) | 1;
  const size_t slot = hash >> 20 & (kSlots - 1);
  for (const size_t i : {slot, slot ^ 1}) {
    if (by_text_[i].hash == hash && by_text_[i].text == name) return by_text_[i];
  }
  const InternTable::Entry entry = Recorder::instance().names().intern(name);
  by_text_[slot ^ 1] = by_text_[slot];
  return by_text_[slot] = {entry.is_refused ? 0 : hash, *entry.text, entry.id};
}

void IdCache::insert(uint64_t hash, uint32_t id) {
  if (count_ == kMost) clear();
  if (count_ * 2 >= slots_.size()) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
    count_ = 0;
    for (const Slot& slot : old) {
      if (slot.hash != 0) insert(slot.hash, slot.id);
    }
  }
  size_t slot = slot_of(hash);
  while (slots_[slot].hash != 0) slot = next_slot(slot);
  slots_[slot] = {hash, id};
  ++count_;
}

void IdCache::clear() {
  if (slots_.size() > kFirstSlots) {
    slots_.resize(kFirstSlots);
    slots_.shrink_to_fit();
  }
  std::fill(slots_.begin(), slots_.end(), Slot());
  count_ = 0;
}

}  // namespace skyline::collect
