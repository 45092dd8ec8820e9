#include "analyze/places/backward_stacks.h"

namespace skyline::analyze {
namespace {

constexpr std::string_view kCheckpointFile = "torch/utils/checkpoint.py";

struct Frame {
  std::string_view file, function;
};

Frame frame_of(const Trace& trace, StackId stack) {
  const FrameId frame = trace.stacks.frame[stack.value];
  if (!frame.exists()) return {};
  return {trace.strings[trace.frames.file[frame.value]], trace.strings[trace.frames.function[frame.value]]};
}

bool is_checkpoint(Frame frame) { return frame.file.ends_with(kCheckpointFile); }

// Where the autograd engine is called, and where it calls a custom Function back.
bool is_engine(Frame frame) {
  if (frame.file.ends_with("torch/autograd/graph.py")) return frame.function == "_engine_run_backward";
  if (frame.file.ends_with("torch/autograd/function.py"))
    return frame.function.ends_with("BackwardCFunction.apply");
  return frame.file.ends_with("torch/autograd/__init__.py");
}

}  // namespace

InsideBackward BackwardStacks::look_into(StackId stack) {
  const auto [entry, is_new] = known_.try_emplace(stack);
  InsideBackward& inside = entry->second;
  if (!is_new || !stack.exists()) return inside;
  const auto module_at = [&](StackId at) {
    return at.exists() ? trace_.stacks.module[at.value] : ModuleId();
  };
  for (StackId at = stack; at.exists(); at = trace_.stacks.parent[at.value]) {
    const Frame frame = frame_of(trace_, at);
    inside.recomputes = is_checkpoint(frame);
    if (!inside.recomputes && !is_engine(frame)) continue;
    inside.outside = at;
    break;
  }
  if (module_at(stack) != module_at(inside.outside)) inside.module = module_at(stack);
  // Other implementations of checkpointing have other files, but call modules as well.
  inside.recomputes |= inside.module.exists();
  return inside;
}

StackId BackwardStacks::checkpoint_around(StackId stack) const {
  while (stack.exists() && !is_checkpoint(frame_of(trace_, stack))) stack = trace_.stacks.parent[stack.value];
  return stack;
}

bool names_checkpoint_frame(std::string_view python_frame) {
  const size_t at = python_frame.find(kCheckpointFile);
  return at != std::string_view::npos && python_frame.substr(at + kCheckpointFile.size()).starts_with('(');
}

}  // namespace skyline::analyze
