// Values by the ids of a file. Recorders count ids up from 0, so an array holds them; ids that leave
// large gaps, as only damaged or hostile files have, go to a hash table instead of making it grow.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace skyline::ingest::native {

template <typename T>
class IdMap {
 public:
  void set(uint32_t id, T value) {
    ++count_;
    if (id < dense_.size()) {
      dense_[id] = {true, std::move(value)};
    } else if (id < 4 * count_ + 1024) {
      dense_.resize(id + 1);
      dense_[id] = {true, std::move(value)};
    } else {
      sparse_[id] = std::move(value);
    }
  }

  // nullptr when the file does not define the id.
  const T* find(uint32_t id) const {
    if (id < dense_.size() && dense_[id].defined) return &dense_[id].value;
    if (sparse_.empty()) return nullptr;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? nullptr : &found->second;
  }

 private:
  struct Entry {
    bool defined = false;
    T value = {};
  };

  std::vector<Entry> dense_;
  std::unordered_map<uint32_t, T> sparse_;
  size_t count_ = 0;
};

}  // namespace skyline::ingest::native
