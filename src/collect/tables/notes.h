// What Python tells of a recording under way, from any thread, until the writer takes it.
#pragma once

#include <cstdint>
#include <iterator>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace skyline::collect {

// A source file as it was when it was recorded.
struct SourceFile {
  std::string path, hash, text;
};

// A tensor that the program keeps; the columns of `tensors` (tracefile/schema.h) have the same names.
struct TensorNote {
  uint8_t role = 0;
  std::string name, module, dims;
  uint64_t address = 0;
  int64_t bytes = 0;
  uint64_t ticks = 0;
};

// What the sampler or another process wrote of the same recording (sampling/process_part.h).
struct RecordedPart {
  std::string name, bytes;
};

template <typename Note>
class Notes {
 public:
  void add(Note note) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(std::move(note));
  }
  void add(std::vector<Note> notes) {
    const std::lock_guard lock(mutex_);
    notes_.insert(notes_.end(), std::move_iterator(notes.begin()), std::move_iterator(notes.end()));
  }

  // All that were added since the last time.
  std::vector<Note> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(notes_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Note> notes_;
};

}  // namespace skyline::collect
