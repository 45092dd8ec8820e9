// Texts that get a number once per process: operator names, input signatures.
//
// Threads look a text up in a cache of their own (no lock); only a text that a thread sees for the
// first time goes through the shared table.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace skyline::collect {

class InternTable {
 public:
  struct Entry {
    uint32_t id;
    const std::string* text;  // never moves, never changes
  };

  Entry intern(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const auto found = ids_.find(text);
    if (found != ids_.end()) return {found->second, &texts_[found->second]};
    const std::string& kept = texts_.emplace_back(text);
    const auto id = static_cast<uint32_t>(texts_.size() - 1);
    ids_.emplace(kept, id);
    return {id, &kept};
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
  mutable std::mutex mutex_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, uint32_t> ids_;
};

}  // namespace skyline::collect
