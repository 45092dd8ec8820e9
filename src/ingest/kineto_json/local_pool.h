// LocalPool: the distinct texts of one chunk, found by how they are written in it.
//
// A text is decoded once, when it is first seen in the chunk. Ids count from 0 in order of first
// appearance, so that merging chunk after chunk gives the same global ids for any chunk size.
// Views of written text must outlive the pool's use: they point into the chunk.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/column.h"
#include "base/hash.h"
#include "base/ids.h"

namespace skyline::ingest::kineto_json {

class LocalPool {
 public:
  // How a text is written. The same bytes can mean different texts ("[ ]" as a string and as JSON). kRaw:
  // bytes that are only told apart; kCopied: the same, and they need not outlive the call.
  enum class Form : uint32_t { kString, kJson, kRaw, kCopied };

  struct Entry {
    std::string_view written;
    std::string_view text;  // decoded
    uint64_t hash;          // of `written`
    Form form;
    bool repaired;
  };

  void clear();

  StringId intern(std::string_view written, Form form = Form::kString) {
    const uint64_t hash = hash_bytes(written) + static_cast<uint64_t>(form);
    const auto tag = static_cast<uint32_t>(hash >> 32);
    size_t slot = hash & mask_;
    while (table_[slot].id != kEmpty) {
      if (table_[slot].tag == tag) {
        const Entry& entry = entries_[table_[slot].id];
        if (entry.written == written && entry.form == form) return StringId(table_[slot].id);
      }
      slot = (slot + 1) & mask_;
    }
    return insert(written, form, hash, slot);
  }

  const std::vector<Entry>& entries() const { return entries_; }
  bool repaired(StringId id) const { return entries_[id.value].repaired; }

 private:
  static constexpr uint32_t kEmpty = UINT32_MAX;
  struct Slot {
    uint32_t tag;
    uint32_t id;
  };

  StringId insert(std::string_view written, Form form, uint64_t hash, size_t slot);
  void rebuild(size_t size);

  std::vector<Entry> entries_;
  Column<Slot> table_;
  size_t mask_ = 0;
  std::deque<std::string> decoded_;  // texts that differ from how they are written; never move
};

}  // namespace skyline::ingest::kineto_json
