// Training by dice, for laws: modules, lines, backward passes on two threads, checkpointing, optimizers,
// collectives.
#pragma once

#include <random>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {

inline std::unique_ptr<const Trace> random_training(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t bound) { return static_cast<int64_t>(random() % bound); };
  const auto one_of = [&](std::initializer_list<std::string_view> names) {
    return names.begin()[below(static_cast<uint32_t>(names.size()))];
  };
  TestTrace t;
  const TrackId threads[] = {t.thread("1"), t.thread("2"), t.thread("3")};
  std::vector<ModuleId> modules = {ModuleId(), t.module("", "Net")};
  for (const std::string_view name : {"a", "a.b", "a.b.c", "", "d.e"})
    modules.push_back(t.module(name, "Part"));
  std::vector<StackId> stacks = {StackId()};
  for (int i = 0; i < 30; ++i) {
    const StackId around = stacks[static_cast<size_t>(below(static_cast<uint32_t>(stacks.size())))];
    stacks.push_back(t.stack(around,
                             one_of({"train.py", "model.py", "/lib/python3.11/site-packages/torch/x.py",
                                     "torch/utils/checkpoint.py", "torch/autograd/graph.py"}),
                             one_of({"f", "g", "_engine_run_backward"}), static_cast<int32_t>(below(4)),
                             modules[static_cast<size_t>(below(7))]));
  }
  t.step(1, threads[0], 20, 700 + below(100)).step(2, threads[0], 850, 100);
  for (int i = 0; i < 80; ++i) {
    const TrackId thread = threads[below(3) == 0 ? below(3) : 0];
    const int64_t at = below(1000), dur = below(4) == 0 ? below(300) : below(40);
    const int64_t sequence = below(8) - 1;
    if (below(6) == 0) {
      t.annotation(one_of({"note", "gloo:all_reduce", "Optimizer.step#SGD.step",
                           "Optimizer.zero_grad#SGD.zero_grad", "enumerate(DataLoader)#x.__next__"}),
                   thread, at, dur);
    } else if (below(2) == 0) {
      t.op(one_of({"aten::mm", "aten::linear", "c10d::allreduce_"}), thread, at, dur, one_of({"", "[[4]]"}))
          .gradient(sequence, 0);
    } else {
      t.op(one_of({"autograd::engine::evaluate_function: MmBackward0", "MmBackward0",
                   "CheckpointFunctionBackward",
                   "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad"}),
           thread, at, dur)
          .gradient(sequence, 1);
    }
    if (below(3) != 0) t.called_from(stacks[static_cast<size_t>(below(31))]);
  }
  for (uint64_t correlation = 1; correlation <= 20; ++correlation) {
    const int64_t at = below(1000);
    if (below(5) != 0) t.launch(threads[below(3)], at, below(6), correlation);
    t.kernel(one_of({"gemm", "ncclDevKernel_AllReduce"}), t.stream(7), at + below(60), below(50),
             correlation);
  }
  t.weight("a.weight", "a", "[4]", 7).weight("a.b.weight", "a.b", "[4]", 7);
  return t.freeze();
}

}  // namespace skyline::analyze
