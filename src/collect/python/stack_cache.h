// The number of the Python stack that a thread stands in, found without a lock.
//
// From one operator to the next most of a stack stays as it is. So a thread remembers the frames that it met
// last, with the number of the stack up to each. All of them are looked at again, as any may have moved on,
// but only those that have are looked up.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

#include "collect/python/frames.h"
#include "collect/python/stacks.h"
#include "collect/tables/thread_caches.h"

namespace skyline::collect {

// One per ThreadLog.
class StackCache {
 public:
  // Where a thread stands in Python; equal places of nested calls have equal stacks.
  struct Place {
    FrameHandle frame;  // nullptr: not in Python
    const void* instruction;
    bool operator==(const Place&) const = default;
  };
  // Of the calling thread.
  static Place here();

  // The number of the stack whose innermost frame is this one, of the calling thread.
  uint32_t stack_of(FrameHandle innermost, bool with_modules);

  // For another recording, which may have other options.
  void restart() { levels_.clear(); }
  void clear() { stacks_.clear(); }

 private:
  struct Level {
    FrameHandle frame;
    const void* instruction;
    PyObject* module;  // whose call it is, as a key; or nullptr
    uint32_t stack;    // up to here
  };

  void forget_what_changed_its_meaning();
  size_t read_frames(FrameHandle innermost, PyCodeObject* call);
  size_t level_of(FrameHandle frame) const;
  size_t look_again(size_t innermost, PyCodeObject* call);
  uint32_t find_stack(uint32_t around, const Level& level);

  std::vector<Level> levels_;  // outermost first
  IdCache stacks_;             // by the stack around, the place and the module
  uint64_t epoch_ = 0;
};

}  // namespace skyline::collect
