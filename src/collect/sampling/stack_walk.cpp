#include "collect/sampling/stack_walk.h"

#include <algorithm>
#include <cstring>

namespace skyline::collect {

#if !defined(Py_GIL_DISABLED) && PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x030f0000

namespace {

constexpr int kTries = 4;
constexpr size_t kMostFrames = 4096;
constexpr uintptr_t kPage = 4096;
constexpr uintptr_t kLargestChunk = 1 << 20;
constexpr uintptr_t kNewFrames = 1024;  // bytes above the stack's top that may be used by the time we read

// The first frame of a chunk of the thread's stack. Chunks begin with a page.
bool begins_chunk(uintptr_t frame) {
  const uintptr_t behind = (frame & (kPage - 1)) - offsetof(_PyStackChunk, data);
  return behind == 0 || behind == sizeof(PyObject*);
}

}  // namespace

uintptr_t StackWalk::first_thread() {
  return address_of(PyInterpreterState_ThreadHead(PyInterpreterState_Main()));
}

bool StackWalk::read_thread(uintptr_t at, PyThreadState& to) const {
  return memory_.read(at, to) && to.interp == PyInterpreterState_Main();
}

StackWalk::Outcome StackWalk::walk(uintptr_t at, PyThreadState& thread, uint32_t& stack) {
  const unsigned long id = thread.native_thread_id;
  for (int tried = 0; tried < kTries; ++tried) {
    if (tried > 0 && (!read_thread(at, thread) || thread.native_thread_id != id)) break;
    const Outcome outcome = walk_once(at, thread, stack);
    if (outcome != Outcome::kTorn) return outcome;
  }
  return Outcome::kTorn;
}

StackWalk::Outcome StackWalk::walk_once(uintptr_t at, const PyThreadState& thread, uint32_t& stack) {
  uintptr_t innermost = 0;
  if (!read_innermost(memory_, thread, innermost)) return Outcome::kTorn;
  if (innermost == 0) return Outcome::kNoPython;
  if (!read_frames(thread, innermost)) return Outcome::kTorn;
  if (walked_.empty()) return Outcome::kNoPython;
  // All code objects at once, and whether the thread is still the same.
  unsigned long id = 0;
  code_copies_.resize(walked_.size());
  pieces_.clear();
  for (size_t i = 0; i < walked_.size(); ++i)
    pieces_.push_back({walked_[i].code, code_copies_[i].bytes, kCodeBytes});
  pieces_.push_back({at + offsetof(PyThreadState, native_thread_id), &id, sizeof id});
  if (!memory_.read(pieces_) || id != thread.native_thread_id || !lie_end_to_end()) return Outcome::kTorn;
  uint32_t number = SampleTree::kNone;
  for (size_t i = walked_.size(); i-- > 0;) {
    const uint32_t frame = codes_.frame_at(walked_[i].code, code_copies_[i], walked_[i].instruction);
    if (frame == SampleTree::kNone) return Outcome::kTorn;
    number = tree_.stack(number, frame);
  }
  stack = number;
  return Outcome::kWhole;
}

// Most of a thread's frames lie together at the end of its stack: they are read at once.
bool StackWalk::read_frames(const PyThreadState& thread, uintptr_t innermost) {
  walked_.clear();
  block_.clear();
  const uintptr_t chunk = address_of(thread.datastack_chunk), top = address_of(thread.datastack_top),
                  limit = address_of(thread.datastack_limit);
  const uintptr_t end = std::min(limit, top + kNewFrames);
  if (chunk != 0 && end > chunk && end - chunk < kLargestChunk && !read_block(chunk, end)) return false;
  FrameCopy copy;
  for (uintptr_t at = innermost; at != 0; at = address_of(copy.get().previous)) {
    if (walked_.size() >= kMostFrames || at % alignof(_PyInterpreterFrame) != 0 || !read_frame(at, copy))
      return false;
    const _PyInterpreterFrame& frame = copy.get();
    if (address_of(frame.previous) == at) return false;
    if (is_interpreters(frame)) continue;
    const uintptr_t code = address_of(code_of(const_cast<_PyInterpreterFrame*>(&frame)));
    if (code == 0 || code % alignof(PyCodeObject) != 0) return false;
    walked_.push_back({at, code, address_of(place_of(const_cast<_PyInterpreterFrame*>(&frame))),
                       is_on_thread_stack(frame)});
  }
  return true;
}

bool StackWalk::read_frame(uintptr_t address, FrameCopy& to) {
  const bool is_here = address >= block_from_ && address + kFrameBytes <= block_from_ + block_.size();
  // Elsewhere: of a generator, or of an older part of the stack, whose neighbours are wanted next.
  if (!is_here && !read_block(address & ~(kPage - 1), address + kFrameBytes)) return false;
  std::memcpy(to.bytes, block_.data() + (address - block_from_), kFrameBytes);
  return true;
}

bool StackWalk::read_block(uintptr_t from, uintptr_t to) {
  block_.resize(to - from);
  block_from_ = from;
  if (memory_.read(from, block_.data(), block_.size())) return true;
  block_.clear();
  return false;
}

// Each frame begins where the one that it was called from ends.
bool StackWalk::lie_end_to_end() const {
  uintptr_t inner = 0;
  for (size_t i = 0; i < walked_.size(); ++i) {
    if (!walked_[i].on_stack) continue;
    const uintptr_t end = walked_[i].frame + frame_bytes(code_copies_[i].get());
    if (inner != 0 && inner != end && !begins_chunk(inner)) return false;
    inner = walked_[i].frame;
  }
  return true;
}

#else

uintptr_t StackWalk::first_thread() { return 0; }
bool StackWalk::read_thread(uintptr_t, PyThreadState&) const { return false; }
StackWalk::Outcome StackWalk::walk(uintptr_t, PyThreadState&, uint32_t&) { return Outcome::kNoPython; }

#endif

}  // namespace skyline::collect
