#include "collect/python/stack_cache.h"

#include <algorithm>
#include <new>

#include "base/hash.h"
#include "collect/tables/hot.h"

namespace skyline::collect {
namespace {

constexpr size_t kMaxDepth = 512;  // deeper stacks lose their outermost frames
constexpr size_t kReach = 16;      // how many calls may have returned for the rest to be found again
constexpr size_t kNone = SIZE_MAX;

// The module whose call a frame is, as a key.
PyObject* module_of(FrameHandle frame, PyCodeObject* call) {
  return call != nullptr && code_of(frame) == call ? first_local(frame) : nullptr;
}

}  // namespace

SKYLINE_HOT StackCache::Place StackCache::here() {
  const FrameHandle frame = innermost_frame(PyGILState_GetThisThreadState());
  return {frame, frame == nullptr ? nullptr : place_of(frame)};
}

SKYLINE_HOT uint32_t StackCache::stack_of(FrameHandle innermost, bool with_modules) {
  forget_what_changed_its_meaning();
  const size_t changed = read_frames(innermost, with_modules ? python_stacks::module_call() : nullptr);
  try {
    for (size_t i = changed; i < levels_.size(); ++i) {
      levels_[i].stack = find_stack(i == 0 ? kNoStack : levels_[i - 1].stack, levels_[i]);
    }
    return levels_.back().stack;
  } catch (const std::bad_alloc&) {
    levels_.clear();  // not all have a number
    return kNoStack;
  }
}

// Numbers mean what they meant until code or a module goes whose address may be used again.
void StackCache::forget_what_changed_its_meaning() {
  const uint64_t now = python_stacks::epoch();
  if (now == epoch_) [[likely]] {
    return;
  }
  epoch_ = now;
  levels_.clear();
  levels_.reserve(kMaxDepth);
  stacks_.clear();
}

// Brings the levels up to date; returns the first one whose stack is not known.
SKYLINE_HOT size_t StackCache::read_frames(FrameHandle innermost, PyCodeObject* call) {
  FrameHandle fresh[kMaxDepth];
  size_t count = 0, known = 0, changed = 0;
  for (FrameHandle frame = innermost; frame != nullptr && count < kMaxDepth; frame = caller_of(frame)) {
    if (const size_t level = level_of(frame); level != kNone) {
      changed = look_again(level, call);
      known = changed == kNone ? 0 : level + 1;
      if (known > 0) break;
      levels_.clear();
    }
    fresh[count++] = frame;
  }
  if (known + count > kMaxDepth) {
    levels_.clear();
    return read_frames(innermost, call);
  }
  levels_.resize(known);
  while (count-- > 0) {
    levels_.push_back({fresh[count], place_of(fresh[count]), module_of(fresh[count], call), kNoStack});
  }
  return std::min(changed, known);
}

// kNone: the frame was not there last time, or further out than is worth a search.
size_t StackCache::level_of(FrameHandle frame) const {
  const size_t end = levels_.size() - std::min(levels_.size(), kReach);
  for (size_t i = levels_.size(); i-- > end;) {
    if (levels_[i].frame == frame) return i;
  }
  return kNone;
}

// From this level outwards; returns the outermost one that has moved, or the level inside this one. kNone:
// other frames stand there now. A frame is only looked into once the one inside has named it as its caller:
// it may have gone since. That comparison is foreseen by the processor, which therefore need not wait for one
// frame to arrive before it asks for the next.
SKYLINE_HOT size_t StackCache::look_again(size_t innermost, PyCodeObject* call) {
  size_t changed = innermost + 1;
  for (size_t i = innermost;; --i) {
    Level& level = levels_[i];
    if (place_of(level.frame) != level.instruction ||
        (level.module != nullptr && first_local(level.frame) != level.module)) {
      level = {level.frame, place_of(level.frame), module_of(level.frame, call), kNoStack};
      changed = i;
    }
    const FrameHandle caller = caller_of(level.frame);
    if (i == 0) return caller == nullptr ? changed : kNone;
    if (caller != levels_[i - 1].frame) return kNone;
  }
}

// The stack of a level, given that of the one around.
SKYLINE_HOT uint32_t StackCache::find_stack(uint32_t around, const Level& level) {
  const uint64_t place = reinterpret_cast<uintptr_t>(level.instruction);
  const uint64_t module = reinterpret_cast<uintptr_t>(level.module);
  const uint64_t hash = mix_u64(place ^ around * 0x9e3779b97f4a7c15, module ^ 0xd6e8feb86659fd93) | 1;
  if (const uint32_t known = stacks_.find(hash); known != kNoId) return known;
  const uint32_t stack = python_stacks::intern(around, code_of(level.frame), level.instruction, level.module);
  stacks_.insert(hash, stack);
  return stack;
}

}  // namespace skyline::collect
