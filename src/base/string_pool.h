// StringPool: every distinct text once, named by a StringId in order of first appearance.
//
// Views stay valid as long as the pool: texts live in blocks that never move.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/column.h"
#include "base/hash.h"
#include "base/ids.h"

namespace skyline {

class StringPool {
 public:
  StringId intern(std::string_view text) { return intern(text, hash_bytes(text)); }

  // `hash` must be hash_bytes(text); for callers that have it already.
  StringId intern(std::string_view text, uint64_t hash);

  // The id of a text that is already here, or none.
  StringId find(std::string_view text) const;

  std::string_view operator[](StringId id) const {
    return id.exists() ? views_[id.value] : std::string_view();
  }

  size_t size() const { return views_.size(); }
  size_t bytes() const;

 private:
  struct Slot {
    uint32_t hash_tag;
    uint32_t id;
  };

  void grow_table();
  std::string_view store(std::string_view text);

  std::vector<std::string_view> views_;
  std::vector<uint64_t> hashes_;
  Column<Slot> table_;
  size_t mask_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_used_ = 0;
  size_t block_size_ = 0;
  size_t stored_bytes_ = 0;
};

}  // namespace skyline
