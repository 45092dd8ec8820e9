// A page of memory that a training process shares with the processes it forks: whether and how they sample.
//
// DataLoader workers are forked long before a recording begins, and live on after it. Each has a thread that
// waits here, without any cost, until the trainer opens a recording, and follows until it closes.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

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
  std::atomic<uint32_t> word_ = 0;  // odd: a recording is open; another word is another recording
  std::atomic<uint32_t> hz_ = 0;
  char folder_[kLongestFolder] = {};
  char recording_[64] = {};
};

}  // namespace skyline::collect
