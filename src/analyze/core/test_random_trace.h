// Traces by dice, for the laws that must hold in any trace: ops and launches on two threads, nested,
// partly overlapping or not, kernels of all classes and some shapes on three streams, linked or not, a few
// steps, memory that comes and goes, and waits for the device.
#pragma once

#include <random>

#include "analyze/core/test_trace.h"

namespace skyline::analyze {

inline std::unique_ptr<const Trace> random_trace(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t bound) { return static_cast<int64_t>(random() % bound); };
  const auto one_of = [&](std::initializer_list<std::string_view> names) {
    return names.begin()[below(static_cast<uint32_t>(names.size()))];
  };
  TestTrace t;
  const TrackId threads[] = {t.thread("1"), t.thread("2")};
  const TrackId streams[] = {t.stream(7), t.stream(20), t.stream(0, 1)};

  int64_t start = below(50);
  for (int step = 0; step < 4; ++step) {
    const int64_t dur = 200 + below(100);
    t.step(step, threads[0], start, dur);
    start += dur + below(30);
  }
  for (int i = 0; i < 60; ++i) {
    const TrackId thread = threads[below(2)];
    const int64_t at = below(1100), dur = below(4) == 0 ? below(300) : below(40);
    switch (below(6)) {
      case 0:
        t.python(one_of({"f.py(1): f", "torch/utils/data/dataloader.py(630): __next__"}), thread, at, dur);
        break;
      case 1:
        t.annotation(one_of({"note", "gloo:all_reduce", "enumerate(DataLoader)#x.__next__"}), thread, at,
                     dur);
        break;
      default:
        t.op(one_of({"aten::mm", "aten::add", "aten::linear", "c10d::allreduce_"}), thread, at, dur,
             one_of({"", "[[2,3]]", "[[4]]"}));
    }
  }
  for (uint64_t correlation = 1; correlation <= 40; ++correlation) {
    const int64_t at = below(1100);
    const bool has_launch = below(5) != 0;
    if (has_launch) t.launch(threads[below(2)], at, below(6), correlation);
    const Category category =
        below(4) == 0 ? (below(2) ? Category::kMemcpy : Category::kMemset) : Category::kKernel;
    for (int64_t count = 1 + below(2); count > 0; --count) {
      t.activity(category, one_of({"gemm", "relu", "ncclDevKernel_AllReduce"}), streams[below(3)],
                 at + below(60), below(50), correlation);
    }
  }
  for (int i = 0; i < 40; ++i) {
    t.memory(threads[below(2)], below(1100), (below(3) == 0 ? -1 : 1) * (1 + below(8)), 0);
    t.draft().memory.address.back() = static_cast<uint64_t>(1 + below(12));
  }
  for (int i = 0; i < 6; ++i) {
    t.sync(one_of({"Stream Sync", "Event Sync"}), streams[below(3)], below(1100), below(30),
           static_cast<uint64_t>(1 + below(50)));
  }
  Trace& draft = t.draft();
  draft.processes.add({.pid = 1, .role = draft.strings.intern("trainer")});
  draft.settings.add({.key = draft.strings.intern("torch.threads"), .value = draft.strings.intern("4")});
  draft.gc_pauses.add({.start_ns = below(1100), .dur_ns = below(30), .track = threads[0]});
  const KernelShapeId shapes[] = {KernelShapeId(),
                                  KernelShapeId(t.draft().kernel_shapes.add({.grid_x = 1, .limited_by = 2})),
                                  KernelShapeId(t.draft().kernel_shapes.add({.grid_x = 2}))};
  ActivityTable& activities = t.draft().activities;
  while (activities.shape.size() < activities.size()) activities.shape.push_back(shapes[below(3)]);
  return t.freeze();
}

}  // namespace skyline::analyze
