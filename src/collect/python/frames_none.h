// For Python versions whose frames we do not know: operators are recorded without stacks.
#pragma once

namespace skyline::collect {

inline constexpr bool kHasFrames = false;
using FrameHandle = void*;

inline FrameHandle innermost_frame(PyThreadState*) { return nullptr; }
inline FrameHandle caller_of(FrameHandle) { return nullptr; }
inline PyCodeObject* code_of(FrameHandle) { return nullptr; }
inline const void* place_of(FrameHandle) { return nullptr; }
inline PyObject* first_local(FrameHandle) { return nullptr; }
inline int offset_of(PyCodeObject*, const void*) { return 0; }

}  // namespace skyline::collect
