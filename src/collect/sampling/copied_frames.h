// Copies of CPython's thread states, frames and code objects: what a version keeps where.
//
// All that the sampler knows of CPython's private layouts is here and in python/frames_*.h; a Python without
// one of those has kHasFrames false, and is not sampled.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>

#include "collect/python/frames.h"
#include "collect/sampling/own_memory.h"

namespace skyline::collect {

inline uintptr_t address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

#if !defined(Py_GIL_DISABLED) && PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x030f0000

// A frame without its local variables.
inline constexpr size_t kFrameBytes = offsetof(_PyInterpreterFrame, localsplus);
struct FrameCopy {
  alignas(_PyInterpreterFrame) char bytes[kFrameBytes];
  const _PyInterpreterFrame& get() const { return *reinterpret_cast<const _PyInterpreterFrame*>(bytes); }
};

// A code object without its instructions.
inline constexpr size_t kCodeBytes = offsetof(PyCodeObject, co_code_adaptive);
struct CodeCopy {
  alignas(PyCodeObject) char bytes[kCodeBytes];
  const PyCodeObject& get() const { return *reinterpret_cast<const PyCodeObject*>(bytes); }
};

// The address of the innermost frame; 0: the thread runs no Python. False: that cannot be read.
inline bool read_innermost(const OwnMemory& memory, const PyThreadState& thread, uintptr_t& frame) {
#if PY_VERSION_HEX >= 0x030d0000
  static_cast<void>(memory);
  frame = address_of(thread.current_frame);
  return true;
#else
  frame = 0;
  if (thread.cframe == nullptr) return true;
  const uintptr_t at = address_of(thread.cframe) + offsetof(_PyCFrame, current_frame);
  return memory.read(at, frame);
#endif
}

// Whether the interpreter has put it there for itself, where C has called it.
inline bool is_interpreters(const _PyInterpreterFrame& frame) {
#if PY_VERSION_HEX >= 0x030e0000
  return frame.owner >= FRAME_OWNED_BY_INTERPRETER;
#elif PY_VERSION_HEX >= 0x030c0000
  return frame.owner == FRAME_OWNED_BY_CSTACK;
#else
  static_cast<void>(frame);
  return false;
#endif
}

inline bool is_on_thread_stack(const _PyInterpreterFrame& frame) {
  return frame.owner == FRAME_OWNED_BY_THREAD;
}

// What a frame of this code takes of the thread's stack.
inline size_t frame_bytes(const PyCodeObject& code) {
#if PY_VERSION_HEX >= 0x030c0000
  return static_cast<size_t>(code.co_framesize) * sizeof(PyObject*);
#else
  return static_cast<size_t>(code.co_nlocalsplus + code.co_stacksize + FRAME_SPECIALS_SIZE) *
         sizeof(PyObject*);
#endif
}

// A freed object has a link to another free place where its count was.
inline bool has_living_count(const PyObject& object) {
  int64_t count = 0;
  static_assert(sizeof object.ob_refcnt <= sizeof count);
  __builtin_memcpy(&count, &object, sizeof count);
#if PY_VERSION_HEX >= 0x030e0000
  return (count & 0xffffffff) != 0 && (count >> 32 & 0xffff) == 0;
#else
  return count > 0 && count <= int64_t{UINT32_MAX};
#endif
}

#else

struct FrameCopy {};
struct CodeCopy {};

#endif

}  // namespace skyline::collect
