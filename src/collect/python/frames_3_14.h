// Frames of CPython 3.14. Included by frames.h.
#pragma once

#define Py_BUILD_CORE
#include <internal/pycore_interpframe_structs.h>
#undef Py_BUILD_CORE

namespace skyline::collect {

inline constexpr bool kHasFrames = true;
using FrameHandle = _PyInterpreterFrame*;

// References in frames carry marks in their lowest bits.
inline PyObject* object_of(_PyStackRef reference) {
  return reinterpret_cast<PyObject*>(reference.bits & ~uintptr_t{3});
}

// The interpreter puts frames of its own where C has called it.
inline FrameHandle function_from(FrameHandle frame) {
  while (frame != nullptr && frame->owner >= FRAME_OWNED_BY_INTERPRETER) frame = frame->previous;
  return frame;
}

inline FrameHandle innermost_frame(PyThreadState* thread) {
  return thread == nullptr ? nullptr : function_from(thread->current_frame);
}

inline FrameHandle caller_of(FrameHandle frame) { return function_from(frame->previous); }
inline PyCodeObject* code_of(FrameHandle frame) {
  return reinterpret_cast<PyCodeObject*>(object_of(frame->f_executable));
}
inline const void* place_of(FrameHandle frame) { return frame->instr_ptr; }
inline PyObject* first_local(FrameHandle frame) { return object_of(frame->localsplus[0]); }

inline int offset_of(PyCodeObject* code, const void* place) {
  return static_cast<int>(static_cast<const char*>(place) - code->co_code_adaptive);
}

}  // namespace skyline::collect
