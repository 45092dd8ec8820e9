// For Python versions whose frames we do not know: operators are recorded without stacks.
#pragma once

namespace skyline::collect {

inline constexpr bool kHasFrames = false;
using FrameHandle = void*;

template <typename Visit>
void walk_frames(PyThreadState*, Visit) {}

inline PyObject* first_local(FrameHandle) { return nullptr; }
inline int offset_of(PyCodeObject*, const void*) { return 0; }

}  // namespace skyline::collect
