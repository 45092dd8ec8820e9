// For tests of breakdowns: a program to write traces of, and trees as text.
#pragma once

#include <fmt/format.h>

#include "analyze/core/test_trace.h"
#include "analyze/places/breakdown.h"

namespace skyline::analyze {

// One place per line with its own time by phase, in the order of Phase:
//
//   (iteration) python=30
//     Net forward=7 python=3
inline std::string own_times(const BreakdownTree& nodes) {
  std::string text;
  for (const BreakdownNode& node : nodes) {
    std::string name = node.name.empty() ? node.class_name : node.name;
    if (node.parent == kNoRow) name = "(iteration)";
    if (node.line > 0) name += fmt::format(":{}", node.line);
    text += std::string(2 * node.depth, ' ') + name;
    for (const PhaseDef& phase : kPhases) {
      if (node.own.host[phase.phase] > 0)
        text += fmt::format(" {}={}", phase.name, node.own.host[phase.phase]);
      if (node.own.device[phase.phase] > 0)
        text += fmt::format(" {}-device={}", phase.name, node.own.device[phase.phase]);
    }
    text += '\n';
  }
  return text;
}

// A program train.py that calls a Net of model.py:
//
//   train.py:10            loss = net(x)          StackId net_call
//   model.py:5 Net.forward     …                  StackId net
//   train.py:11            loss.backward()        StackId engine
class TestProgram {
 public:
  // The stack of a part of the net that runs at this line of model.py.
  StackId part(std::string_view name, int32_t line, std::string_view class_name = "Block") {
    return part(name, line, net, class_name);
  }
  StackId part(std::string_view name, int32_t line, StackId around, std::string_view class_name = "Block") {
    return t.stack(around, "model.py", "forward", line, t.module(name, class_name));
  }

  // The engine's range around a backward operator, which starts and ends 1 ns inside.
  void backward(std::string_view name, TrackId track, int64_t start, int64_t dur, int64_t sequence,
                StackId from, std::string_view dims = {}) {
    t.op("autograd::engine::evaluate_function: " + std::string(name), track, start, dur)
        .gradient(sequence, 1)
        .called_from(from);
    t.op(name, track, start + 1, dur - 2, dims).gradient(sequence, 1).called_from(from);
  }

  std::string modules() { return own_times(breakdown().modules); }
  std::string lines() { return own_times(breakdown().lines); }
  const Breakdown& breakdown() {
    if (trace_ == nullptr) {
      trace_ = t.freeze();
      breakdown_ = break_down(AnalyzedTrace(*trace_));
    }
    return breakdown_;
  }
  const Trace& trace() { return *trace_; }

  static constexpr std::string_view kAccumulate = "torch::autograd::AccumulateGrad";
  static constexpr std::string_view kTorch = "/lib/python3.11/site-packages/torch/";

  std::string torch_file(std::string_view name) { return std::string(kTorch) + std::string(name); }

  TestTrace t;
  TrackId main = t.thread("1"), device_thread = t.thread("2");
  StackId script = t.stack(StackId(), "train.py", "<module>", 20);
  StackId net_call = t.stack(script, "train.py", "step", 10);
  StackId net = t.stack(net_call, "model.py", "forward", 5, t.module("", "Net"));
  StackId backward_call = t.stack(script, "train.py", "step", 11);
  StackId engine = t.stack(backward_call, torch_file("autograd/graph.py"), "_engine_run_backward", 900);

 private:
  std::unique_ptr<const Trace> trace_;
  Breakdown breakdown_;
};

}  // namespace skyline::analyze
