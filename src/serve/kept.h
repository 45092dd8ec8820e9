// Kept: what was costly to make and may be asked for again, by name.
//
//   std::shared_ptr<const Table> table = kept.get<Table>("ops|name|-host_self", [&] { return make(); });
//
// Each is made once, however many ask for it at the same time; others wait for the first. The longest unused
// goes when there are too many.
#pragma once

#include <any>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace skyline {

class Kept {
 public:
  explicit Kept(size_t most) : most_(most) {}

  template <typename T>
  std::shared_ptr<const T> get(const std::string& name, const std::function<T()>& make) {
    const std::shared_ptr<Entry> entry = find(name);
    const std::lock_guard<std::mutex> lock(entry->making);
    if (!entry->value.has_value()) entry->value = std::make_shared<const T>(make());
    return std::any_cast<std::shared_ptr<const T>>(entry->value);
  }

 private:
  struct Entry {
    std::mutex making;
    std::any value;
    std::list<std::string>::iterator used;
  };

  std::shared_ptr<Entry> find(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = entries_.find(name); known != entries_.end()) {
      used_.splice(used_.begin(), used_, known->second->used);
      return known->second;
    }
    // Both lists or none has it, even if there is no memory for the second.
    std::list<std::string> first = {name};
    const auto entry = std::make_shared<Entry>();
    entry->used = first.begin();
    entries_.emplace(name, entry);
    used_.splice(used_.begin(), first);
    if (entries_.size() > most_) {
      entries_.erase(used_.back());
      used_.pop_back();
    }
    return entry;
  }

  const size_t most_;
  std::mutex mutex_;
  std::list<std::string> used_;  // the latest first
  std::unordered_map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace skyline
