// Numbers that stand for texts and stacks, and sets of them.
#pragma once

#include <cstdint>
#include <vector>

namespace skyline::collect {

inline constexpr uint32_t kNoId = UINT32_MAX;
inline constexpr uint32_t kNoStack = UINT32_MAX;

// Numbers are given from 0 on, so a set of them is a row of flags.
class IdSet {
 public:
  // True: it was not there yet.
  bool insert(uint32_t id) {
    if (id < flags_.size() && flags_[id] != 0) [[likely]] {
      return false;
    }
    if (id >= flags_.size()) flags_.resize(size_t{id} + 1 + id / 2);
    flags_[id] = 1;
    return true;
  }

 private:
  std::vector<uint8_t> flags_;
};

}  // namespace skyline::collect
