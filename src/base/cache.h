// Cache: results that were costly to make and may be asked for again, within a budget of bytes.
//
//   struct OrderKey {                                    // one struct per kind of result
//     using Value = std::vector<uint32_t>;
//     std::string table, sort;
//     auto operator<=>(const OrderKey&) const = default;
//     static size_t bytes_of(const OrderKey& key, const Value& order);  // about what both hold
//   };
//   std::shared_ptr<const OrderKey::Value> order = cache.get(OrderKey{"ops", "calls"}, [&] { return sort();
//   });
//
// May be asked from any thread. A result is made once, however many ask for it at the same time: others wait
// for the first. If making it throws, nothing is stored and the next one tries again. When the budget is
// exceeded, the least recently used results go; who holds one keeps it.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>

namespace skyline {

class Cache {
 public:
  // The latest results stay whatever they weigh: a page that scrolls asks for a table and the order of its
  // rows in turn, and neither may push the other out.
  static constexpr size_t kAlwaysHeld = 4;

  explicit Cache(size_t budget_bytes) : budget_bytes_(budget_bytes) {}
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  template <typename Key, typename Make>
  std::shared_ptr<const typename Key::Value> get(const Key& key, const Make& make) {
    const std::shared_ptr<EntryOf<Key>> entry = find(key);
    const std::lock_guard<std::mutex> making(entry->making);
    if (entry->value == nullptr) {
      entry->value = std::make_shared<const typename Key::Value>(make());
      charge(*entry, Key::bytes_of(key, *entry->value));
    }
    return entry->value;
  }

  size_t held_bytes() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return held_bytes_;
  }

 private:
  // What is the same for every kind of result.
  struct Entry {
    virtual ~Entry() = default;
    virtual void leave_shelf() = 0;

    std::mutex making;
    bool is_held = true;
    size_t bytes = 0;
    std::list<std::shared_ptr<Entry>>::iterator used;
  };
  using Entries = std::list<std::shared_ptr<Entry>>;

  template <typename Key>
  struct EntryOf;
  template <typename Key>
  using Shelf = std::map<Key, std::shared_ptr<EntryOf<Key>>>;

  template <typename Key>
  struct EntryOf : Entry {
    void leave_shelf() override { shelf->erase(place); }

    std::shared_ptr<const typename Key::Value> value;  // null: not made yet
    Shelf<Key>* shelf = nullptr;
    typename Shelf<Key>::iterator place;
  };

  template <typename Key>
  Shelf<Key>& shelf_of() {
    std::shared_ptr<void>& shelf = shelves_[typeid(Key)];
    if (shelf == nullptr) shelf = std::make_shared<Shelf<Key>>();
    return *static_cast<Shelf<Key>*>(shelf.get());
  }

  template <typename Key>
  std::shared_ptr<EntryOf<Key>> find(const Key& key) {
    Entries gone;  // is let go of without the lock
    const std::lock_guard<std::mutex> lock(mutex_);
    Shelf<Key>& shelf = shelf_of<Key>();
    if (const auto known = shelf.find(key); known != shelf.end()) {
      used_.splice(used_.begin(), used_, known->second->used);
      return known->second;
    }
    // Both the shelf and the list have it or none does, even if there is no memory for the second.
    const auto entry = std::make_shared<EntryOf<Key>>();
    Entries first = {entry};
    entry->shelf = &shelf;
    entry->place = shelf.emplace(key, entry).first;
    entry->used = first.begin();
    entry->bytes = sizeof(EntryOf<Key>) + sizeof(Key);
    used_.splice(used_.begin(), first);
    held_bytes_ += entry->bytes;
    shrink(gone);
    return entry;
  }

  void charge(Entry& entry, size_t bytes) {
    Entries gone;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!entry.is_held) return;
    entry.bytes += bytes;
    held_bytes_ += bytes;
    shrink(gone);
  }

  void shrink(Entries& gone) {
    while (held_bytes_ > budget_bytes_ && used_.size() > kAlwaysHeld) {
      Entry& last = *used_.back();
      last.is_held = false;
      held_bytes_ -= last.bytes;
      gone.splice(gone.begin(), used_, last.used);
      last.leave_shelf();
    }
  }

  const size_t budget_bytes_;
  mutable std::mutex mutex_;
  size_t held_bytes_ = 0;
  std::map<std::type_index, std::shared_ptr<void>> shelves_;  // by kind: a Shelf of its keys
  Entries used_;                                              // the latest first
};

}  // namespace skyline
