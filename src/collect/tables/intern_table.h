// Texts that get a number once per process: operator names, input signatures.
//
// Threads look a text up in a cache of their own (no lock); only a text that a thread sees for the
// first time goes through the shared table. A program may make ever new ones, so there is a limit; what comes
// beyond it is counted.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace skyline::collect {

class InternTable {
 public:
  static constexpr uint32_t kNoRoom = UINT32_MAX;
  struct Entry {
    uint32_t id;              // kNoRoom: beyond the limit
    const std::string* text;  // never moves, never changes; nullptr: beyond the limit
    bool is_refused = false;  // it is another text's
  };

  // `instead` is what texts beyond the limit count as; empty: they have no entry.
  explicit InternTable(std::string_view instead = {}) {
    if (!instead.empty()) instead_ = add(instead);
    instead_.is_refused = true;
  }

  Entry intern(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const auto found = ids_.find(text);
    if (found != ids_.end()) return {found->second, &texts_[found->second]};
    if (bytes_ + bytes_of(text) <= limit_) return add(text);
    ++refused_;
    return instead_;
  }

  void set_limit(size_t bytes) {
    const std::lock_guard lock(mutex_);
    limit_ = bytes;
  }
  bool is_instead(uint32_t id) const { return id == instead_.id; }
  // How often a text was beyond it.
  uint64_t refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
  }

  std::string text(uint32_t id) const {
    const std::lock_guard lock(mutex_);
    return texts_[id];
  }
  // Around fork(), so that the child does not inherit a mutex that nobody will unlock.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

  size_t size() const {
    const std::lock_guard lock(mutex_);
    return texts_.size();
  }

 private:
  // About what it takes with its entry in both tables.
  static size_t bytes_of(std::string_view text) { return 128 + text.size(); }

  Entry add(std::string_view text) {
    const std::string& kept = texts_.emplace_back(text);
    const auto id = static_cast<uint32_t>(texts_.size() - 1);
    ids_.emplace(kept, id);
    bytes_ += bytes_of(text);
    return {id, &kept};
  }

  mutable std::mutex mutex_;
  size_t limit_ = SIZE_MAX, bytes_ = 0;
  uint64_t refused_ = 0;
  Entry instead_ = {kNoRoom, nullptr, true};
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, uint32_t> ids_;
};

}  // namespace skyline::collect
