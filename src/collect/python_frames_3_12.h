// Frames of CPython 3.12 and 3.13. Included by python_frames.h.
#pragma once

#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE

namespace skyline::collect {

inline constexpr bool kHasFrames = true;
using FrameHandle = _PyInterpreterFrame*;

inline PyCodeObject* code_of(FrameHandle frame) {
#if PY_VERSION_HEX >= 0x030d0000
  return reinterpret_cast<PyCodeObject*>(frame->f_executable);
#else
  return frame->f_code;
#endif
}

template <typename Visit>
void walk_frames(PyThreadState* thread, Visit visit) {
  if (thread == nullptr) return;
#if PY_VERSION_HEX >= 0x030d0000
  _PyInterpreterFrame* frame = thread->current_frame;
#else
  _PyInterpreterFrame* frame = thread->cframe == nullptr ? nullptr : thread->cframe->current_frame;
#endif
  for (; frame != nullptr; frame = frame->previous) {
    if (frame->owner == FRAME_OWNED_BY_CSTACK) continue;  // the interpreter's own entry frame
#if PY_VERSION_HEX >= 0x030d0000
    if (!visit(code_of(frame), static_cast<const void*>(frame->instr_ptr), frame)) return;
#else
    if (!visit(code_of(frame), static_cast<const void*>(frame->prev_instr), frame)) return;
#endif
  }
}

inline PyObject* first_local(FrameHandle frame) { return frame->localsplus[0]; }

inline int offset_of(PyCodeObject* code, const void* place) {
  const auto* first = reinterpret_cast<const char*>(_PyCode_CODE(code));
  return static_cast<int>(static_cast<const char*>(place) - first);
}

}  // namespace skyline::collect
