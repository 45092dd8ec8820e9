// Where the threads of this process stand in Python, read by a thread that has neither the GIL nor stopped
// anybody.
//
// A thread goes on while it is looked at, so that a walk may be torn: frames of two moments. In one the
// frames of the thread's stack do not lie end to end, an instruction is not its code's, or what should be a
// code object is none. Such a walk is done again, and given up after a few tries.
#pragma once

#include <vector>

#include "collect/sampling/code_cache.h"

namespace skyline::collect {

class StackWalk {
 public:
  enum class Outcome : uint8_t { kWhole, kNoPython, kTorn };

  StackWalk(const OwnMemory& memory, SampleTree& tree) : memory_(memory), tree_(tree), codes_(memory, tree) {}

  // Calls take(native thread id, outcome, stack) for every thread that Python knows. The stack is one of the
  // tree's if the walk is whole.
  template <typename Take>
  void walk_all(Take take) {
    PyThreadState thread;
    for (uintptr_t at = first_thread(); at != 0 && read_thread(at, thread); at = address_of(thread.next)) {
      uint32_t stack = SampleTree::kNone;
      const Outcome outcome = walk(at, thread, stack);
      take(static_cast<int64_t>(thread.native_thread_id), outcome, stack);
      if (++threads_ > kMostThreads) break;  // a list that was changed under us may go in circles
    }
    threads_ = 0;
  }

 private:
  static constexpr size_t kMostThreads = 4096;

  static uintptr_t first_thread();
  bool read_thread(uintptr_t at, PyThreadState& to) const;
  // The stack of a thread whose state was read into `thread`, which is read again where it must be.
  Outcome walk(uintptr_t at, PyThreadState& thread, uint32_t& stack);
  Outcome walk_once(uintptr_t at, const PyThreadState& thread, uint32_t& stack);

  struct Walked {
    uintptr_t frame, code, instruction;
    bool on_stack;
  };
  bool read_frames(const PyThreadState& thread, uintptr_t innermost);
  bool read_frame(uintptr_t address, FrameCopy& to);
  bool read_block(uintptr_t from, uintptr_t to);
  bool lie_end_to_end() const;

  const OwnMemory& memory_;
  SampleTree& tree_;
  CodeCache codes_;
  size_t threads_ = 0;
  // Of the walk under way.
  std::vector<Walked> walked_;  // the innermost first
  std::vector<CodeCopy> code_copies_;
  std::vector<MemoryPiece> pieces_;
  std::vector<char> block_;  // a copy of memory from here on
  uintptr_t block_from_ = 0;
};

}  // namespace skyline::collect
