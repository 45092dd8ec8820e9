#include "trace/laws.h"

#include <gtest/gtest.h>

#include "trace/test_draft.h"

namespace skyline {
namespace {

// A frozen trace that may be changed, one of everything in it.
Trace good_trace() {
  TestDraft t;
  const TrackId thread = t.track("1", "1"), stream = t.track("0", "7");
  t.annotation("ProfilerStep#1", thread, 0, 1000);
  t.python("f", thread, 1, 500);
  t.forward("aten::mm", thread, 10, 100, 5);
  t.launch(thread, 20, 5, 9);
  t.backward("MmBackward0", thread, 200, 50, 5);
  t.kernel(stream, 30, 10, 9);
  t.kernel(stream, 35, 10, 10);
  t.sync(stream, 50, 10, 11);
  t.sync(stream, 60, 10, 12);
  Trace& draft = t.draft();
  const auto text = [&](std::string_view of) { return draft.strings.intern(of); };
  draft.compiled_calls.add({.slice = draft.ops.slice[1]});
  draft.ops.signature[0] = SignatureId(draft.signatures.add({.dims = text("[[2,3]]")}));
  draft.kernel_shapes.add({.grid_x = 1});
  draft.activities.shape.assign(2, KernelShapeId(0));
  draft.memory.add({.time_ns = 5, .track = thread, .address = 1, .bytes = 2, .device_type = 0});
  draft.tensors.add({.role = TensorRole::kGradient,
                     .name = text("fc.weight.grad"),
                     .module = text("fc"),
                     .dims = text("[2,3]"),
                     .address = 1,
                     .bytes = 24,
                     .time_ns = 7});
  draft.frames.add({.file = text("a.py"), .function = text("f"), .line = 1});
  draft.modules.add({.name = text("fc"), .class_name = text("Linear")});
  draft.stacks.add({.frame = FrameId(0), .module = ModuleId(0)});
  draft.stacks.add({.parent = StackId(0), .frame = FrameId(0), .module = ModuleId(0)});
  draft.ops.stack.assign(draft.ops.size(), StackId(1));
  draft.ops.module.assign(draft.ops.size(), ModuleId(0));
  draft.samples.add({.time_ns = 5, .track = thread, .stack = StackId(1)});
  draft.gc_pauses.add({.start_ns = 5, .dur_ns = 2, .track = thread, .generation = 2, .collected = 10});
  draft.processes.add({.pid = 1, .name = text("python"), .role = text("trainer")});
  draft.settings.add({.key = text("torch.threads"), .value = text("4")});
  draft.process_counters.add({.time_ns = 5, .process = ProcessId(0), .name = text("rss"), .value = 1.5});
  draft.event_counts = {{draft.strings.intern("cpu_op"), 'X', 10}, {StringId(), 'i', 1}};
  draft.event_count = 11;
  return t.freeze_for_changes();
}

struct Breach {
  const char* name;
  void (*commit)(Trace& trace);
};

const Breach kBreaches[] = {
    {"inputs that do not exist", [](Trace& t) { t.signatures.input_count[0] = 99; }},
    {"inputs behind the last", [](Trace& t) { t.signatures.first_input[0] = UINT32_MAX; }},
    {"sizes that do not exist", [](Trace& t) { t.inputs.rank[0] = 99; }},
    {"sizes behind the last", [](Trace& t) { t.inputs.first_size[0] = UINT32_MAX; }},
    {"no such stack of a sample", [](Trace& t) { t.samples.stack[0] = StackId(9); }},
    {"no such thread of a sample", [](Trace& t) { t.samples.track[0] = TrackId(); }},
    {"a negative pause", [](Trace& t) { t.gc_pauses.dur_ns[0] = -1; }},
    {"no such process", [](Trace& t) { t.process_counters.process[0] = ProcessId(1); }},
    {"no such key", [](Trace& t) { t.settings.key[0] = StringId(9999); }},
    {"no such kernel shape", [](Trace& t) { t.activities.shape[1] = KernelShapeId(1); }},
    {"syncs are out of order", [](Trace& t) { std::swap(t.syncs.slice[0], t.syncs.slice[1]); }},
    {"two rows about a sync", [](Trace& t) { t.syncs.slice[0] = t.syncs.slice[1]; }},
    {"a sync that is none", [](Trace& t) { t.syncs.slice[0] = t.activities.slice[0]; }},
    {"a compiled call that is no op", [](Trace& t) { t.compiled_calls.slice[0] = t.launches.slice[0]; }},
    {"a column is shorter", [](Trace& t) { t.slices.dur_ns.pop_back(); }},
    {"a column is longer", [](Trace& t) { t.ops.sequence.push_back(1); }},
    {"optional column of wrong length", [](Trace& t) { t.ops.stack.pop_back(); }},
    {"a track begins elsewhere", [](Trace& t) { t.tracks[1].first_slice = SliceId(0); }},
    {"a track is longer", [](Trace& t) { t.tracks[0].slice_count += 1; }},
    {"a track has no such name", [](Trace& t) { t.tracks[0].thread_name = StringId(9999); }},
    {"no such track", [](Trace& t) { t.slices.track[0] = TrackId(77); }},
    {"another track's slice", [](Trace& t) { t.slices.track[0] = TrackId(1); }},
    {"no such text", [](Trace& t) { t.slices.name[1] = StringId(9999); }},
    {"no such category", [](Trace& t) { t.slices.category[0] = static_cast<Category>(99); }},
    {"not in order", [](Trace& t) { t.slices.start_ns[1] = -5; }},
    {"negative duration", [](Trace& t) { t.slices.dur_ns[1] = -1; }},
    {"absurd duration", [](Trace& t) { t.slices.dur_ns[1] = INT64_MAX; }},
    {"absurd start", [](Trace& t) { t.slices.start_ns[5] = INT64_MAX; }},
    {"a slice around itself", [](Trace& t) { t.slices.parent[1] = SliceId(1); }},
    {"a parent behind its child", [](Trace& t) { t.slices.parent[1] = SliceId(4); }},
    {"no such parent", [](Trace& t) { t.slices.parent[1] = SliceId(4000); }},
    {"depth without parent", [](Trace& t) { t.slices.depth[0] = 3; }},
    {"wrong depth", [](Trace& t) { t.slices.depth[2] = 9; }},
    {"no such lane", [](Trace& t) { t.slices.lane[6] = 40; }},
    {"no such detail", [](Trace& t) { t.slices.detail[0] = 4000; }},
    {"no detail", [](Trace& t) { t.slices.detail[0] = kNoRow; }},
    {"somebody else's detail", [](Trace& t) { std::swap(t.slices.detail[0], t.slices.detail[2]); }},
    {"row of no slice", [](Trace& t) { t.ops.slice[0] = SliceId(4000); }},
    {"no such forward", [](Trace& t) { t.ops.forward[2] = SliceId(4000); }},
    {"forward is a kernel", [](Trace& t) { t.ops.forward[2] = SliceId(5); }},
    {"no such shape", [](Trace& t) { t.ops.signature[0] = SignatureId(9999); }},
    {"no such stack", [](Trace& t) { t.ops.stack[0] = StackId(99); }},
    {"no such module", [](Trace& t) { t.ops.module[0] = ModuleId(99); }},
    {"launch without op", [](Trace& t) { t.launches.op[0] = SliceId(5); }},
    {"activity without launch", [](Trace& t) { t.activities.launch[0] = SliceId(0); }},
    {"no such collective", [](Trace& t) { t.activities.collective[0] = CollectiveId(0); }},
    {"memory of no track", [](Trace& t) { t.memory.track[0] = TrackId(9); }},
    {"tensor without bytes", [](Trace& t) { t.tensors.bytes.pop_back(); }},
    {"tensor of no role", [](Trace& t) { t.tensors.role[0] = static_cast<TensorRole>(5); }},
    {"tensor of no name", [](Trace& t) { t.tensors.name[0] = StringId(9999); }},
    {"tensor of no module", [](Trace& t) { t.tensors.module[0] = StringId(9999); }},
    {"tensor of no shape", [](Trace& t) { t.tensors.dims[0] = StringId(9999); }},
    {"step of no track", [](Trace& t) { t.steps[0].track = TrackId(9); }},
    {"step of no slice", [](Trace& t) { t.steps[0].slice = SliceId(4000); }},
    {"step ends early", [](Trace& t) { t.steps[0].end_ns = t.steps[0].start_ns - 1; }},
    {"more events than were counted", [](Trace& t) { t.event_count += 1; }},
    {"fewer events than were counted", [](Trace& t) { t.event_counts[1].count = 2; }},
    {"counts that turn over",
     [](Trace& t) {
       t.event_counts = {{{}, 'X', UINT64_MAX - 1}, {{}, 'i', 11}};
     }},
    {"fewer events than slices",
     [](Trace& t) {
       t.event_counts = {{{}, 'X', 6}, {{}, 'i', 3}};
     }},
    {"a stack around itself", [](Trace& t) { t.stacks.parent[0] = StackId(0); }},
    {"no such frame", [](Trace& t) { t.stacks.frame[0] = FrameId(5); }},
    {"frame without file", [](Trace& t) { t.frames.file[0] = StringId(9999); }},
};

TEST(Laws, AFrozenTraceKeepsThem) {
  const Trace trace = good_trace();
  EXPECT_EQ(broken_law(trace, 2).value_or(""), "");
}

TEST(Laws, EveryBreachIsNoticed) {
  for (const Breach& breach : kBreaches) {
    Trace trace = good_trace();
    breach.commit(trace);
    EXPECT_TRUE(broken_law(trace, 1).has_value()) << breach.name;
  }
}

}  // namespace
}  // namespace skyline
