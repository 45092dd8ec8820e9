// The Python frames of the calling thread, read without the GIL.
//
// A thread that runs an operator has released the GIL, but its own frames stay as they are until the
// call returns, so it may look at them. How frames are laid out belongs to one Python minor version:
// one small file per version, chosen here. Versions without a file record no stacks and say so; so do builds
// without a GIL, where code objects may go while they are asked.
#pragma once

#include <Python.h>

#include <cstdint>

namespace skyline::collect {

// The thread's innermost frame, and the frame that a frame was called from; nullptr: none. Only frames of
// functions, not those that the interpreter makes for itself.
// FrameHandle innermost_frame(PyThreadState* thread);
// FrameHandle caller_of(FrameHandle frame);
//
// PyCodeObject* code_of(FrameHandle frame);
//
// Where it stands: points into its code's instructions, so it names both the code and the line.
// const void* place_of(FrameHandle frame);
//
// The first local variable of a frame, borrowed; nullptr when it is not set.
// PyObject* first_local(FrameHandle frame);
//
// The offset of `place` in the code's instructions, in bytes.
// int offset_of(PyCodeObject* code, const void* place);

}  // namespace skyline::collect

#if defined(Py_GIL_DISABLED)
#include "collect/python/frames_none.h"
#elif PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x030c0000
#include "collect/python/frames_3_11.h"
#elif PY_VERSION_HEX >= 0x030c0000 && PY_VERSION_HEX < 0x030e0000
#include "collect/python/frames_3_12.h"
#elif PY_VERSION_HEX >= 0x030e0000 && PY_VERSION_HEX < 0x030f0000
#include "collect/python/frames_3_14.h"
#else
#include "collect/python/frames_none.h"
#endif
