// A text in memory that processes share, which one writes while others may read it.
//
// Whoever reads while it is written gets something of both texts, and has to find that out by other means
// (the word of a ControlPage). It is no data race: what is written is seen after what was stored before it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace skyline::collect {

template <size_t kBytes>
class SharedText {
 public:
  // What is too long is cut.
  void store(const std::string& text) {
    for (size_t i = 0; i < kWords; ++i) {
      const size_t begin = std::min(i * kPerWord, text.size());
      uint64_t word = 0;
      std::memcpy(&word, text.data() + begin, std::min(text.size() - begin, kPerWord));
      words_[i].store(word, std::memory_order_release);
    }
    size_.store(std::min(text.size(), kBytes), std::memory_order_release);
  }
  std::string load() const {
    const size_t size = std::min(size_.load(std::memory_order_acquire), kBytes);
    std::string text(size, '\0');
    for (size_t begin = 0; begin < size; begin += kPerWord) {
      const uint64_t word = words_[begin / kPerWord].load(std::memory_order_acquire);
      std::memcpy(text.data() + begin, &word, std::min(size - begin, kPerWord));
    }
    return text;
  }

 private:
  static constexpr size_t kPerWord = sizeof(uint64_t), kWords = kBytes / kPerWord;
  static_assert(kBytes % kPerWord == 0 && std::atomic<uint64_t>::is_always_lock_free);
  std::array<std::atomic<uint64_t>, kWords> words_ = {};
  std::atomic<size_t> size_ = 0;
};

}  // namespace skyline::collect
