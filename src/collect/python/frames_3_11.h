// Frames of CPython 3.11. Included by frames.h.
#pragma once

#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE

namespace skyline::collect {

inline constexpr bool kHasFrames = true;
using FrameHandle = _PyInterpreterFrame*;

inline FrameHandle innermost_frame(PyThreadState* thread) {
  return thread == nullptr || thread->cframe == nullptr ? nullptr : thread->cframe->current_frame;
}

inline FrameHandle caller_of(FrameHandle frame) { return frame->previous; }
inline PyCodeObject* code_of(FrameHandle frame) { return frame->f_code; }
inline const void* place_of(FrameHandle frame) { return frame->prev_instr; }
inline PyObject* first_local(FrameHandle frame) { return frame->localsplus[0]; }

inline int offset_of(PyCodeObject* code, const void* place) {
  const auto* first = reinterpret_cast<const char*>(_PyCode_CODE(code));
  return static_cast<int>(static_cast<const char*>(place) - first);
}

}  // namespace skyline::collect
