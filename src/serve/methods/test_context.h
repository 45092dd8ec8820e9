// A context with one small trace, for tests of methods: a model `Net` with a part `fc`, one step, one kernel,
// some memory.
//
//   train.py:10        loss = net(x)                 step 1   0 … 100 µs
//   model.py:5  Net      x = self.fc(x)              aten::linear 10 … 50 in fc, launches gemm of 30 µs
//                        return x.relu()             aten::relu 50 … 70 in Net
#pragma once

#include <string>

#include "serve/methods/registry.h"
#include "trace/builder.h"

namespace skyline::serve {

class TestContext {
 public:
  TestContext() { traces_.put("1", "test", make()); }
  explicit TestContext(std::shared_ptr<const Trace> trace) { traces_.put("1", "test", std::move(trace)); }

  // The frame that answers `method` with these params besides the trace.
  std::string ask(const std::string& method, const std::string& params = "") {
    const Context context = {.program = "skyline test", .traces = traces_};
    const std::string more = params.empty() ? "" : "," + params;
    return answer_request(context,
                          R"({"id":1,"method":")" + method + R"(","params":{"trace":"1")" + more + "}}")
        .body;
  }

  static std::shared_ptr<const Trace> make(int64_t rank = -1) {
    TraceBuilder builder;
    Trace& draft = builder.draft;
    draft.info.rank = rank;
    const auto text = [&](std::string_view view) { return draft.strings.intern(view); };
    draft.info.format = "skyline";
    for (const std::string_view name : {"1", "stream 7"}) {
      Track track;
      track.process = text("1");
      track.thread = text(name);
      draft.tracks.push_back(track);
    }
    draft.modules.add({.name = text(""), .class_name = text("Net")});
    draft.modules.add({.name = text("fc"), .class_name = text("Linear")});
    const auto stack = [&](StackId around, std::string_view file, int32_t line, ModuleId module) {
      const FrameId frame(draft.frames.add({.file = text(file), .function = text("f"), .line = line}));
      return StackId(draft.stacks.add({.parent = around, .frame = frame, .module = module}));
    };
    const StackId train = stack(StackId(), "train.py", 10, ModuleId());
    const StackId net = stack(train, "model.py", 5, ModuleId(0));
    const StackId fc = stack(net, "/usr/lib/python3/site-packages/torch/linear.py", 100, ModuleId(1));

    const auto slice = [&](Category category, std::string_view name, uint32_t track, int64_t start,
                           int64_t dur, size_t detail) {
      return SliceId(draft.slices.add({.start_ns = start,
                                       .dur_ns = dur,
                                       .name = text(name),
                                       .track = TrackId(track),
                                       .category = category,
                                       .detail = static_cast<uint32_t>(detail),
                                       .source_place = draft.slices.size()}));
    };
    const auto op = [&](Category category, std::string_view name, int64_t start, int64_t dur, StackId from) {
      draft.ops.add({.slice = slice(category, name, 0, start, dur, draft.ops.size()),
                     .stack = from,
                     .module = from.exists() ? draft.stacks.module[from.value] : ModuleId()});
    };
    const int64_t us = 1000;
    op(Category::kUserAnnotation, "ProfilerStep#1", 0, 100 * us, StackId());
    op(Category::kCpuOp, "aten::linear", 10 * us, 40 * us, fc);
    op(Category::kCpuOp, "aten::relu", 50 * us, 20 * us, net);
    draft.launches.add(
        {.slice = slice(Category::kRuntime, "cudaLaunchKernel", 0, 20 * us, 5 * us, 0), .correlation = 3});
    draft.activities.add({.slice = slice(Category::kKernel, "gemm", 1, 60 * us, 30 * us, 0),
                          .correlation = 3,
                          .device = 0,
                          .stream = 7});

    const auto memory = [&](int64_t time, uint64_t address, int64_t bytes) {
      draft.memory.add(
          {.time_ns = time, .track = TrackId(0), .address = address, .bytes = bytes, .device_type = 0});
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

}  // namespace skyline::serve
