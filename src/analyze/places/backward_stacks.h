// What Python does inside the backward pass, told from stacks: a hook, a custom Function, or a forward pass
// that checkpointing runs once more.
//
//   linear.py Linear.forward            ┐ recomputed
//   model.py  Block.forward             ┘
//   torch/utils/checkpoint.py …           the inside begins here
//   torch/autograd/graph.py _engine_run_backward
//   train.py  train_step
#pragma once

#include <unordered_map>

#include "trace/trace.h"

namespace skyline::analyze {

struct InsideBackward {
  bool recomputes = false;
  StackId outside;  // the innermost stack that is not inside the backward operator; none: all is inside
  ModuleId module;  // the innermost module that was called inside; none: no module was
};

class BackwardStacks {
 public:
  explicit BackwardStacks(const Trace& trace) : trace_(trace) {}

  // Of an operator inside a backward operator that was called from Python of its own.
  InsideBackward look_into(StackId stack);

  // The innermost stack in which checkpointing calls what it will recompute; none if there is none.
  StackId checkpoint_around(StackId stack) const;

 private:
  const Trace& trace_;
  std::unordered_map<StackId, InsideBackward, IdHash> known_;
};

bool names_checkpoint_frame(std::string_view python_frame);  // as Python frames of a trace are named

}  // namespace skyline::analyze
