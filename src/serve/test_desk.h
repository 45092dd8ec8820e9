// A desk with one small trace, for tests of methods: a model `Net` with a part `fc`, one step, one kernel,
// some memory.
//
//   train.py:10        loss = net(x)                 step 1   0 … 100 µs
//   model.py:5  Net      x = self.fc(x)              aten::linear 10 … 50 in fc, launches gemm of 30 µs
//                        return x.relu()             aten::relu 50 … 70 in Net
#pragma once

#include <string>

#include "serve/methods.h"
#include "trace/builder.h"

namespace skyline {

class TestDesk {
 public:
  TestDesk() { traces_.put("1", "test", make()); }
  explicit TestDesk(std::shared_ptr<const Trace> trace) { traces_.put("1", "test", std::move(trace)); }

  // The frame that answers `method` with these params besides the trace.
  std::string ask(const std::string& method, const std::string& params = "") {
    const Desk desk = {.program = "skyline test", .traces = traces_};
    const std::string more = params.empty() ? "" : "," + params;
    return answer_request(desk, R"({"id":1,"method":")" + method + R"(","params":{"trace":"1")" + more + "}}")
        .body;
  }

  static std::shared_ptr<const Trace> make() {
    TraceBuilder builder;
    Trace& draft = builder.draft;
    const auto text = [&](std::string_view view) { return draft.strings.intern(view); };
    draft.info.format = "skyline";
    for (const std::string_view name : {"1", "stream 7"}) {
      Track track;
      track.process = text("1");
      track.thread = text(name);
      draft.tracks.push_back(track);
    }
    draft.modules.name.push_back(text(""));
    draft.modules.class_name.push_back(text("Net"));
    draft.modules.name.push_back(text("fc"));
    draft.modules.class_name.push_back(text("Linear"));
    const auto stack = [&](StackId around, std::string_view file, int32_t line, ModuleId module) {
      draft.frames.file.push_back(text(file));
      draft.frames.function.push_back(text("f"));
      draft.frames.line.push_back(line);
      draft.stacks.parent.push_back(around);
      draft.stacks.frame.push_back(FrameId(static_cast<uint32_t>(draft.frames.size() - 1)));
      draft.stacks.module.push_back(module);
      return StackId(static_cast<uint32_t>(draft.stacks.size() - 1));
    };
    const StackId train = stack(StackId(), "train.py", 10, ModuleId());
    const StackId net = stack(train, "model.py", 5, ModuleId(0));
    const StackId fc = stack(net, "/usr/lib/python3/site-packages/torch/linear.py", 100, ModuleId(1));

    const auto slice = [&](Category category, std::string_view name, uint32_t track, int64_t start,
                           int64_t dur, size_t detail) {
      draft.slices.start_ns.push_back(start);
      draft.slices.dur_ns.push_back(dur);
      draft.slices.name.push_back(text(name));
      draft.slices.track.push_back(TrackId(track));
      draft.slices.category.push_back(category);
      draft.slices.detail.push_back(static_cast<uint32_t>(detail));
      draft.slices.offset.push_back(draft.slices.size());
      return SliceId(static_cast<uint32_t>(draft.slices.size() - 1));
    };
    const auto op = [&](Category category, std::string_view name, int64_t start, int64_t dur, StackId from) {
      OpTable& ops = draft.ops;
      ops.slice.push_back(slice(category, name, 0, start, dur, ops.size()));
      ops.external_id.push_back(0);
      ops.sequence.push_back(-1);
      ops.fwd_thread.push_back(0);
      ops.input_dims.push_back(StringId());
      ops.input_types.push_back(StringId());
      ops.stack.push_back(from);
      ops.module.push_back(from.exists() ? draft.stacks.module[from.value] : ModuleId());
    };
    const int64_t us = 1000;
    op(Category::kUserAnnotation, "ProfilerStep#1", 0, 100 * us, StackId());
    op(Category::kCpuOp, "aten::linear", 10 * us, 40 * us, fc);
    op(Category::kCpuOp, "aten::relu", 50 * us, 20 * us, net);
    draft.launches.slice.push_back(slice(Category::kRuntime, "cudaLaunchKernel", 0, 20 * us, 5 * us, 0));
    draft.launches.correlation.push_back(3);
    draft.launches.external_id.push_back(0);
    ActivityTable& activities = draft.activities;
    activities.slice.push_back(slice(Category::kKernel, "gemm", 1, 60 * us, 30 * us, 0));
    activities.correlation.push_back(3);
    activities.device.push_back(0);
    activities.stream.push_back(7);
    activities.bytes.push_back(-1);
    activities.collective.push_back(kNoRow);

    const auto memory = [&](int64_t time, uint64_t address, int64_t bytes) {
      draft.memory.time_ns.push_back(time);
      draft.memory.track.push_back(TrackId(0));
      draft.memory.address.push_back(address);
      draft.memory.bytes.push_back(bytes);
      draft.memory.total_allocated.push_back(MemoryTable::kMissing);
      draft.memory.total_reserved.push_back(MemoryTable::kMissing);
      draft.memory.device_type.push_back(0);
      draft.memory.device_id.push_back(-1);
    };
    memory(15 * us, 0x10, 400);
    memory(55 * us, 0x20, 100);
    memory(80 * us, 0x10, -400);
    draft.event_count = draft.slices.size();
    return std::move(builder).freeze(1);
  }

 private:
  OpenedTraces traces_;
};

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace skyline
