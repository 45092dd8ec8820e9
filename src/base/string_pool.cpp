#include "base/string_pool.h"

#include <algorithm>

namespace skyline {
namespace {

constexpr size_t kBlockBytes = 64 * 1024;
constexpr uint32_t kEmpty = UINT32_MAX;

}  // namespace

StringId StringPool::intern(std::string_view text, uint64_t hash) {
  // Open addressing, at most half full, so that a probe sequence stays short.
  if (views_.size() * 2 >= table_.size()) grow_table();
  const auto tag = static_cast<uint32_t>(hash >> 32);
  size_t slot = hash & mask_;
  while (table_[slot].id != kEmpty) {
    if (table_[slot].hash_tag == tag && views_[table_[slot].id] == text) return StringId(table_[slot].id);
    slot = (slot + 1) & mask_;
  }
  const auto id = static_cast<uint32_t>(views_.size());
  table_[slot] = {tag, id};
  views_.push_back(store(text));
  hashes_.push_back(hash);
  return StringId(id);
}

StringId StringPool::find(std::string_view text) const {
  if (table_.empty()) return StringId();
  const uint64_t hash = hash_bytes(text);
  const auto tag = static_cast<uint32_t>(hash >> 32);
  for (size_t slot = hash & mask_; table_[slot].id != kEmpty; slot = (slot + 1) & mask_) {
    if (table_[slot].hash_tag == tag && views_[table_[slot].id] == text) return StringId(table_[slot].id);
  }
  return StringId();
}

size_t StringPool::bytes() const {
  return stored_bytes_ + table_.bytes() + views_.capacity() * sizeof(std::string_view) +
         hashes_.capacity() * 8;
}

void StringPool::grow_table() {
  const size_t size = std::max<size_t>(256, table_.size() * 2);
  table_.assign(size, Slot{0, kEmpty});
  mask_ = size - 1;
  for (uint32_t id = 0; id < views_.size(); ++id) {
    size_t slot = hashes_[id] & mask_;
    while (table_[slot].id != kEmpty) slot = (slot + 1) & mask_;
    table_[slot] = {static_cast<uint32_t>(hashes_[id] >> 32), id};
  }
}

std::string_view StringPool::store(std::string_view text) {
  if (text.empty()) return {};
  if (block_used_ + text.size() > block_size_) {
    block_size_ = std::max(kBlockBytes, text.size());
    blocks_.push_back(std::make_unique<char[]>(block_size_));
    block_used_ = 0;
    stored_bytes_ += block_size_;
  }
  char* target = blocks_.back().get() + block_used_;
  std::copy(text.begin(), text.end(), target);
  block_used_ += text.size();
  return {target, text.size()};
}

}  // namespace skyline
