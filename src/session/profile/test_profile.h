// A profile by hand, for unit tests: a model with one layer `fc` in /project/model.py, called by
// /project/entry_point.py.
//
//   step 1   [linear fc][backward of it][   ]
//   memory   weight fc.weight 400 bytes, its gradient 400, an activation of linear 1000
#pragma once

#include <memory>
#include <string_view>

#include "session/profile/profile_result.h"
#include "session/project/project_paths.h"
#include "trace/builder.h"

namespace skyline::session {

class TestProfile {
 public:
  static ProfiledProject project() { return {"/project/entry_point.py", "/project", "skyline 9.9"}; }

  static ProfileResult make() {
    TestProfile maker;
    const auto trace =
        std::make_shared<const analyze::AnalyzedTrace>(std::shared_ptr<const Trace>(maker.freeze()));
    ProfileResult result;
    result.loaded.batch_size = 32;
    result.loaded.device = "cpu";
    result.loaded.files = {{"/project/entry_point.py", "aa"}, {"/project/model.py", "bb"}};
    result.loaded.literal = BatchLiteral{"/project/entry_point.py", 32, 100, 102, 7, 20, 22, "aa"};
    result.source_hash = "cc";
    result.batch_size = 32;
    result.capacity = {1 << 20, "available RAM"};
    result.measured = sample(32, 1000, 1800);
    result.is_timed = true;
    result.warm_up_ns = {3000, 1000};
    result.time = std::make_shared<const TimeBreakdown>(TimeBreakdown{trace, analyze::break_down(*trace)});
    analyze::MemoryAtPeak peak = analyze::memory_at_peak(*trace).front();
    analyze::MemoryTree modules = analyze::memory_by_module(*trace, peak);
    std::vector<analyze::MemoryLine> lines = analyze::memory_by_line(trace->trace(), peak);
    result.memory = std::make_shared<const MemoryBreakdown>(
        MemoryBreakdown{trace, std::move(peak), std::move(modules), std::move(lines)});
    result.samples = {*result.measured, sample(16, 600, 1300), sample(64, 1800, 2800)};
    result.failures = {{1, "BatchNorm needs more than one"}};
    std::vector<BatchSample> time, bytes;
    for (const BatchMeasurement& one : result.samples) {
      time.push_back({one.batch_size, one.time.median_ns, 0.01});
      bytes.push_back({one.batch_size, one.peak_bytes, 0});
    }
    result.models = BatchModels{BatchModel(time), BatchModel(bytes), BatchModel(bytes), {}, {}, false};
    result.models->largest = {100, true, true};
    result.models->peak = throughput_peak(result.models->time_ns, 100);
    result.is_complete = true;
    return result;
  }

  static BatchMeasurement sample(int64_t batch_size, int64_t median_ns, int64_t peak_bytes) {
    BatchMeasurement one;
    one.batch_size = batch_size;
    one.durations_ns = {median_ns - 1, median_ns, median_ns + 2};
    one.time = summarize(one.durations_ns);
    one.peak_bytes = peak_bytes;
    one.resident_bytes = 2 * peak_bytes;
    return one;
  }

 private:
  std::unique_ptr<const Trace> freeze() {
    add_track("1");
    const StackId provider = line({}, "/project/entry_point.py", "skyline_model_provider", 3, {});
    const StackId built = line(provider, "/project/model.py", "__init__", 5, {});
    const StackId iteration = line({}, "/project/entry_point.py", "iteration", 12, {});
    const ModuleId net = module("", "Net"), fc = module("fc", "Linear");
    const StackId forward = line(iteration, "/project/model.py", "forward", 9, net);
    const StackId inside =
        line(forward, "/venv/lib/python3.11/site-packages/torch/nn/linear.py", "forward", 1, fc);
    op("aten::empty", 0, 10, built);
    memory(5, 0x10, 400);
    range("ProfilerStep#1", 100, 1000);
    op("aten::linear", 110, 100, inside);
    op("aten::addmm", 115, 50, inside);
    gradient(5, 0);
    memory(120, 0x20, 1000);
    op("autograd::engine::evaluate_function: AddmmBackward0", 300, 200, iteration);
    gradient(5, 1);
    op("AddmmBackward0", 301, 198, iteration);
    gradient(5, 1);
    memory(310, 0x30, 400);
    tensor(TensorRole::kWeight, "fc.weight", 0x10, 60);
    tensor(TensorRole::kGradient, "fc.weight.grad", 0x30, 600);
    tensor(TensorRole::kWeight, "fc.weight", 0x10, 600);
    tensor(TensorRole::kWeight, "tied.weight", 0x10, 600);
    draft().info.metadata = {{"torch.version", "2.13.0"}, {"host.cpu", "a fast one"}};
    return std::move(builder_).freeze(1);
  }

  Trace& draft() { return builder_.draft; }
  StringId text(std::string_view text) { return draft().strings.intern(text); }

  void add_track(std::string_view thread) {
    Track track;
    track.process = track.thread = text(thread);
    draft().tracks.push_back(track);
  }
  ModuleId module(std::string_view name, std::string_view class_name) {
    return ModuleId(draft().modules.add({.name = text(name), .class_name = text(class_name)}));
  }
  StackId line(StackId around, std::string_view file, std::string_view function, int32_t number,
               ModuleId module) {
    const FrameId frame(draft().frames.add({.file = text(file), .function = text(function), .line = number}));
    return StackId(draft().stacks.add({.parent = around, .frame = frame, .module = module}));
  }
  void slice(Category category, std::string_view name, int64_t start, int64_t dur, StackId stack) {
    SliceTable& slices = draft().slices;
    const uint32_t row = slices.add({.start_ns = start,
                                     .dur_ns = dur,
                                     .name = text(name),
                                     .track = TrackId(0),
                                     .category = category,
                                     .detail = static_cast<uint32_t>(draft().ops.size()),
                                     .source_place = slices.size()});
    draft().ops.add({.slice = SliceId(row),
                     .stack = stack,
                     .module = stack.exists() ? draft().stacks.module[stack.value] : ModuleId(),
                     .signature = SignatureId(draft().signatures.add({.dims = text("[[32,100]]")}))});
  }
  void op(std::string_view name, int64_t start, int64_t dur, StackId stack) {
    slice(Category::kCpuOp, name, start, dur, stack);
  }
  void range(std::string_view name, int64_t start, int64_t dur) {
    slice(Category::kUserAnnotation, name, start, dur, StackId());
  }
  void gradient(int64_t sequence, uint32_t forward_thread) {
    draft().ops.sequence.back() = sequence;
    draft().ops.fwd_thread.back() = forward_thread;
  }
  void memory(int64_t time, uint64_t address, int64_t bytes) {
    draft().memory.add(
        {.time_ns = time, .track = TrackId(0), .address = address, .bytes = bytes, .device_type = 0});
  }
  void tensor(TensorRole role, std::string_view name, uint64_t address, int64_t time) {
    draft().tensors.add({.role = role,
                         .name = text(name),
                         .module = text("fc"),
                         .address = address,
                         .bytes = 400,
                         .time_ns = time});
  }

  TraceBuilder builder_;
};

}  // namespace skyline::session
