// LiveBlocks: which of torch's blocks are alive and how large they are, as far as the recordings of this
// process have seen.
//
// Training does not come here: a record of a release says where, and whoever reads the file knows how much
// that was. But a later recording has to know what an earlier one saw. The writer tells of blocks as it takes
// their records, thread by thread and so out of order; the latest word on an address counts. While nothing is
// recorded, releases are told at once.
#pragma once

#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "base/address_map.h"

namespace skyline::collect {

class LiveBlocks {
 public:
  struct Block {
    uint64_t address;
    int64_t bytes;
  };

  // Until the guard goes nobody else tells anything.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  // Under lock(). `bytes` 0: released.
  void note(uint64_t address, uint64_t ticks, int64_t bytes) noexcept {
    if (address == 0 || is_lost_) return;
    try {
      Word& word = words_[address];
      if (ticks >= word.ticks) word = {ticks, bytes};
    } catch (const std::bad_alloc&) {
      is_lost_ = true;  // later recordings count from their own beginning
      words_.clear();
    }
  }

  // Under lock().
  void clear() noexcept { words_.clear(); }

  // Under lock(). Forgets releases before `ticks`, of which all records must have been told.
  void forget_released(uint64_t ticks) noexcept {
    std::vector<uint64_t> released;
    try {
      words_.for_each([&](uint64_t address, const Word& word) {
        if (word.bytes == 0 && word.ticks < ticks) released.push_back(address);
      });
    } catch (const std::bad_alloc&) {
      return;
    }
    for (const uint64_t address : released) words_.remove(address);
  }

  // Under lock().
  size_t known() const { return words_.size(); }
  std::vector<Block> alive() const {
    std::vector<Block> blocks;
    words_.for_each([&](uint64_t address, const Word& word) {
      if (word.bytes > 0) blocks.push_back({address, word.bytes});
    });
    return blocks;
  }

 private:
  struct Word {
    uint64_t ticks = 0;
    int64_t bytes = 0;
  };

  std::mutex mutex_;
  AddressMap<Word> words_;
  bool is_lost_ = false;
};

}  // namespace skyline::collect
