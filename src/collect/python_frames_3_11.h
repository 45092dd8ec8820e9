// Frames of CPython 3.11. Included by python_frames.h.
#pragma once

#define Py_BUILD_CORE
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE

namespace skyline::collect {

inline constexpr bool kHasFrames = true;
using FrameHandle = _PyInterpreterFrame*;

template <typename Visit>
void walk_frames(PyThreadState* thread, Visit visit) {
  if (thread == nullptr || thread->cframe == nullptr) return;
  for (_PyInterpreterFrame* frame = thread->cframe->current_frame; frame != nullptr;
       frame = frame->previous) {
    if (!visit(frame->f_code, static_cast<const void*>(frame->prev_instr), frame)) return;
  }
}

inline PyObject* first_local(FrameHandle frame) { return frame->localsplus[0]; }

inline int offset_of(PyCodeObject* code, const void* place) {
  const auto* first = reinterpret_cast<const char*>(_PyCode_CODE(code));
  return static_cast<int>(static_cast<const char*>(place) - first);
}

}  // namespace skyline::collect
