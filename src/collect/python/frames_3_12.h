// Frames of CPython 3.12 and 3.13. Included by frames.h.
#pragma once

#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE

namespace skyline::collect {

inline constexpr bool kHasFrames = true;
using FrameHandle = _PyInterpreterFrame*;

// The interpreter puts a frame of its own where C has called it.
inline FrameHandle function_from(FrameHandle frame) {
  while (frame != nullptr && frame->owner == FRAME_OWNED_BY_CSTACK) frame = frame->previous;
  return frame;
}

inline FrameHandle caller_of(FrameHandle frame) { return function_from(frame->previous); }

#if PY_VERSION_HEX >= 0x030d0000
inline FrameHandle innermost_frame(PyThreadState* thread) {
  return thread == nullptr ? nullptr : function_from(thread->current_frame);
}
inline PyCodeObject* code_of(FrameHandle frame) {
  return reinterpret_cast<PyCodeObject*>(frame->f_executable);
}
inline const void* place_of(FrameHandle frame) { return frame->instr_ptr; }
#else
inline FrameHandle innermost_frame(PyThreadState* thread) {
  return thread == nullptr || thread->cframe == nullptr ? nullptr
                                                        : function_from(thread->cframe->current_frame);
}
inline PyCodeObject* code_of(FrameHandle frame) { return frame->f_code; }
inline const void* place_of(FrameHandle frame) { return frame->prev_instr; }
#endif

inline PyObject* first_local(FrameHandle frame) { return frame->localsplus[0]; }

inline int offset_of(PyCodeObject* code, const void* place) {
  const auto* first = reinterpret_cast<const char*>(_PyCode_CODE(code));
  return static_cast<int>(static_cast<const char*>(place) - first);
}

}  // namespace skyline::collect
