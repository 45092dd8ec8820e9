#include "collect/thread_caches.h"

#include <algorithm>
#include <string>
#include <utility>

#include "collect/recorder.h"

namespace skyline::collect {

uint32_t NameCache::find_by_text(const char* name, Slot& slot) {
  const std::string_view text(name);
  const uint64_t hash = hash_bytes(text);
  TextSlot& known = by_text_[hash & (kSlots - 1)];
  if (known.hash != hash || known.text != text) {
    const InternTable::Entry entry = Recorder::instance().names().intern(text);
    known = {hash, *entry.text, entry.id};
  }
  slot = {name, known.text.data(), known.id};  // interned texts end in 0 and never move
  return known.id;
}

void IdCache::insert(uint64_t hash, uint32_t id) {
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
  std::fill(slots_.begin(), slots_.end(), Slot());
  count_ = 0;
}

}  // namespace skyline::collect
