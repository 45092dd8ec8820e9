#include "ingest/kineto_json/local_pool.h"

#include "ingest/kineto_json/text_decode.h"

namespace skyline::ingest::kineto_json {

void LocalPool::clear() {
  entries_.clear();
  decoded_.clear();
  if (table_.empty()) {
    rebuild(4096);
  } else {
    table_.assign(table_.size(), Slot{0, kEmpty});
  }
}

StringId LocalPool::insert(std::string_view written, Form form, uint64_t hash, size_t slot) {
  Entry entry{written, written, hash, form, false};
  if (form == Form::kJson) {
    compact_json(written, decoded_.emplace_back());
    entry.text = decoded_.back();
  } else if (form == Form::kCopied) {
    entry.written = entry.text = decoded_.emplace_back(written);
  } else if (form == Form::kString && !is_plain(written)) {
    entry.repaired = !decode_string(written, decoded_.emplace_back());
    entry.text = decoded_.back();
  }
  const auto id = static_cast<uint32_t>(entries_.size());
  entries_.push_back(entry);
  table_[slot] = {static_cast<uint32_t>(hash >> 32), id};
  if (entries_.size() * 2 > table_.size()) rebuild(table_.size() * 2);
  return StringId(id);
}

void LocalPool::rebuild(size_t size) {
  table_.assign(size, Slot{0, kEmpty});
  mask_ = size - 1;
  for (uint32_t id = 0; id < entries_.size(); ++id) {
    size_t slot = entries_[id].hash & mask_;
    while (table_[slot].id != kEmpty) slot = (slot + 1) & mask_;
    table_[slot] = {static_cast<uint32_t>(entries_[id].hash >> 32), id};
  }
}

}  // namespace skyline::ingest::kineto_json
