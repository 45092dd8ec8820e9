// Numbers for the ranges that torch's autograd engine puts around backward functions.
//
//   autograd::engine::evaluate_function: MulBackward0      has no sequence number
//     MulBackward0                                         has one, and the forward thread
//
// As torch.profiler does, the range gets both from the function, if that is the first thing inside. Records
// of a thread come in the order in which they ended, so what is inside comes before what is around it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collect/block_pool.h"

namespace skyline::collect {

inline bool is_engine_range(std::string_view name) {
  return name.starts_with("autograd::engine::evaluate_function: ");
}

// Of one thread.
class EngineRanges {
 public:
  // The next record of the thread; `is_engine_range` as its name says.
  void pass(Record& record, bool is_engine_range) {
    const Ended* first_inside = nullptr;
    while (!ended_.empty() && ended_.back().start >= record.start) {
      inside_ = ended_.back();
      first_inside = &inside_;
      ended_.pop_back();
    }
    const bool knows_all = !ended_.empty() || forgotten_start_ < record.start;
    if (is_engine_range && knows_all && first_inside != nullptr && first_inside->fwd_thread != 0) {
      record.sequence = first_inside->sequence;
      record.fwd_thread = first_inside->fwd_thread & 0xffffff;
    }
    if (ended_.size() == kMost) {
      forgotten_start_ = ended_[kMost / 2 - 1].start;
      ended_.erase(ended_.begin(), ended_.begin() + kMost / 2);
    }
    ended_.push_back({record.start, record.sequence, record.fwd_thread});
  }

 private:
  static constexpr size_t kMost = 256;  // a range with more things right inside it may stay without a number

  struct Ended {
    uint64_t start;
    int64_t sequence;
    uint32_t fwd_thread;
  };
  std::vector<Ended> ended_;  // what has nothing around it so far
  Ended inside_ = {};
  uint64_t forgotten_start_ = 0;
};

}  // namespace skyline::collect
