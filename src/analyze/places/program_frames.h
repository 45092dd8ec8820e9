// Which frames of a tree tell nothing of the user's program: those of Skyline and of runpy that its stacks
// begin with, and torch's wrappers around every call of a module.
//
//   skyline/_start.py(33): <module>            left out
//   skyline/worker.py(198): Worker.iterate     left out
//   train.py(23): iteration                    shown
//   torch/nn/modules/module.py(1778): Module._wrapped_call_impl    left out
//   model.py(81): Net.forward                  shown
#pragma once

#include <vector>

#include "analyze/places/frame_tree.h"
#include "trace/trace.h"

namespace skyline::analyze {

// By node of the tree; never the root. Files that the recording names as the user's are always shown.
std::vector<bool> frames_to_fold(const Trace& trace, const FrameTree& frames);

}  // namespace skyline::analyze
