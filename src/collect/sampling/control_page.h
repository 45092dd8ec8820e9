// A page of memory that a training process shares with its DataLoader workers: whether and how they sample.
//
// Workers begin long before a recording does, and live on after it. Each has a thread that waits here,
// without any cost, until the trainer opens a recording, and follows until it closes. Forked workers have the
// page from their parent, spawned ones open it by its path.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "collect/sampling/shared_text.h"

namespace skyline::collect {

class ControlPage {
 public:
  struct Order {
    uint32_t number = 0;  // of the recording; 0: none is open
    uint32_t hz = 0;
    std::string folder = {};     // of the parts
    std::string recording = {};  // its id, which every part repeats
  };

  // The page that this process has made or was forked with; nullptr: none.
  static ControlPage* shared();
  // The one that it has made, now if need be: for the processes that it forks from here on. nullptr if there
  // is no memory.
  static ControlPage* own();
  // Where a process of the same user opens the page that this one has made; empty: nowhere.
  static std::string path_of_own();
  // Takes the page at such a path as the one that this process was started with. False: there is none.
  static bool attach(const std::string& path);

  // By the trainer, one at a time.
  void open(uint32_t hz, const std::string& folder, const std::string& recording);
  void close();

  Order order() const;
  bool is_open() const { return (word_.load(std::memory_order_acquire) & 1) != 0; }
  uint32_t word() const { return word_.load(std::memory_order_acquire); }

  // Until the word is another one, somebody calls wake(), or so many nanoseconds have passed.
  void wait(uint32_t word, int64_t at_most_ns) const;
  void wake();

  // Workers that write a part of the open recording. One that is killed stays counted.
  std::atomic<uint32_t> writing = 0;
  // Goes up with every training step.
  std::atomic<uint32_t> step = 0;

  static constexpr size_t kLongestFolder = 2048;

 private:
  // A file of the same size that has got the number of ours, in a program that closes what it did not open,
  // is not written to.
  static constexpr uint64_t kMagic = 0x3167617020796b73;
  const uint64_t magic_ = kMagic;
  std::atomic<uint32_t> word_ = 0;  // odd: a recording is open; another word is another recording
  std::atomic<uint32_t> hz_ = 0;
  SharedText<kLongestFolder> folder_;
  SharedText<64> recording_;
};

}  // namespace skyline::collect
