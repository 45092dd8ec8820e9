// TestTrace: writes small traces by hand, for unit tests. Times are nanoseconds.
//
//   TestTrace t;
//   const TrackId main = t.thread("1");
//   t.op("aten::mm", main, 0, 100).launch(main, 10, 5, 7).kernel("gemm", t.stream(7), 20, 50, 7);
//   const std::unique_ptr<const Trace> trace = t.freeze();
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "trace/builder.h"

namespace skyline::analyze {

class TestTrace {
 public:
  TraceInfo& info() { return draft().info; }
  Trace& draft() { return builder_.draft; }

  TrackId thread(std::string_view tid, std::string_view pid = "1") { return track(pid, tid); }
  TrackId stream(int64_t stream, int64_t device = 0) {
    const TrackId id = track("device " + std::to_string(device), "stream " + std::to_string(stream));
    places_[id] = {device, stream};
    return id;
  }

  TestTrace& op(std::string_view name, TrackId track, int64_t start, int64_t dur,
                std::string_view dims = {}) {
    return range(Category::kCpuOp, name, track, start, dur, dims);
  }
  TestTrace& annotation(std::string_view name, TrackId track, int64_t start, int64_t dur) {
    return range(Category::kUserAnnotation, name, track, start, dur, {});
  }
  TestTrace& step(int number, TrackId track, int64_t start, int64_t dur) {
    return annotation("ProfilerStep#" + std::to_string(number), track, start, dur);
  }
  // Gives the latest op or annotation an External id.
  TestTrace& external_id(uint64_t id) {
    draft().ops.external_id.back() = id;
    return *this;
  }

  // Gives the latest op its place in autograd; `fwd_thread` is 0 in forward operators.
  TestTrace& gradient(int64_t sequence, uint32_t fwd_thread) {
    draft().ops.sequence.back() = sequence;
    draft().ops.fwd_thread.back() = fwd_thread;
    return *this;
  }

  // Where the program stands: lines around come first. `module` runs there.
  StackId stack(StackId around, std::string_view file, std::string_view function, int32_t line,
                ModuleId module = ModuleId()) {
    const uint32_t frame = draft().frames.add({.file = text(file), .function = text(function), .line = line});
    if (!module.exists() && around.exists()) module = draft().stacks.module[around.value];
    return StackId(draft().stacks.add({.parent = around, .frame = FrameId(frame), .module = module}));
  }
  ModuleId module(std::string_view name, std::string_view class_name) {
    return ModuleId(draft().modules.add({.name = text(name), .class_name = text(class_name)}));
  }
  // Says where the latest op or annotation was called.
  TestTrace& called_from(StackId stack) {
    complete_stacks();
    draft().ops.stack.back() = stack;
    draft().ops.module.back() = stack.exists() ? draft().stacks.module[stack.value] : ModuleId();
    return *this;
  }

  // A parameter of the model; names that share an address are one tensor.
  TestTrace& weight(std::string_view name, std::string_view module, std::string_view dims, uint64_t address) {
    draft().tensors.add({.role = TensorRole::kWeight,
                         .name = text(name),
                         .module = text(module),
                         .dims = text(dims),
                         .address = address,
                         .bytes = -1});
    return *this;
  }

  TestTrace& python(std::string_view name, TrackId track, int64_t start, int64_t dur) {
    PythonTable& pythons = draft().pythons;
    pythons.add({.slice = slice(Category::kPython, name, track, start, dur, pythons.size())});
    return *this;
  }

  // Of a category that nobody knows.
  TestTrace& unknown(std::string_view name, TrackId track, int64_t start, int64_t dur) {
    slice(Category::kOther, name, track, start, dur, kNoRow);
    return *this;
  }

  TestTrace& launch(TrackId track, int64_t start, int64_t dur, uint64_t correlation, uint64_t external_id = 0,
                    std::string_view name = "cudaLaunchKernel") {
    LaunchTable& launches = draft().launches;
    launches.add({.slice = slice(Category::kRuntime, name, track, start, dur, launches.size()),
                  .correlation = correlation,
                  .external_id = external_id});
    return *this;
  }

  TestTrace& kernel(std::string_view name, TrackId track, int64_t start, int64_t dur,
                    uint64_t correlation = kNoCorrelation) {
    return activity(Category::kKernel, name, track, start, dur, correlation);
  }
  TestTrace& activity(Category category, std::string_view name, TrackId track, int64_t start, int64_t dur,
                      uint64_t correlation = kNoCorrelation) {
    ActivityTable& activities = draft().activities;
    activities.add({.slice = slice(category, name, track, start, dur, activities.size()),
                    .correlation = correlation,
                    .device = places_[track].device,
                    .stream = places_[track].stream});
    return *this;
  }
  // Says of the latest activity that it belongs to a collective.
  TestTrace& collective(std::string_view name) {
    ActivityTable& activities = draft().activities;
    activities.collective.back() =
        CollectiveId(draft().collectives.add({.slice = activities.slice.back(), .name = text(name)}));
    return *this;
  }

  TestTrace& memory(TrackId track, int64_t time, int64_t bytes, int32_t device_type) {
    draft().memory.add({.time_ns = time, .track = track, .bytes = bytes, .device_type = device_type});
    return *this;
  }

  // Something waits for the device; the call with this correlation asked for it.
  TestTrace& sync(std::string_view kind, TrackId track, int64_t start, int64_t dur, uint64_t correlation) {
    draft().syncs.add({.slice = slice(Category::kSync, kind, track, start, dur, kNoRow),
                       .kind = text(kind),
                       .correlation = correlation});
    return *this;
  }

  // A slice that has no table of its own: sync, gpu_user_annotation, overhead, …
  TestTrace& other(Category category, std::string_view name, TrackId track, int64_t start, int64_t dur) {
    slice(category, name, track, start, dur, kNoRow);
    return *this;
  }

  std::unique_ptr<const Trace> freeze() {
    draft().event_count = draft().slices.size();
    if (!draft().ops.stack.empty()) complete_stacks();
    return std::move(builder_).freeze(1);
  }

 private:
  struct Place {
    int64_t device = -1;
    int64_t stream = -1;
  };

  TrackId track(std::string_view process, std::string_view thread) {
    const auto key = std::make_pair(std::string(process), std::string(thread));
    const auto known = tracks_.find(key);
    if (known != tracks_.end()) return known->second;
    Track track;
    track.process = draft().strings.intern(process);
    track.thread = draft().strings.intern(thread);
    draft().tracks.push_back(track);
    return tracks_[key] = TrackId(static_cast<uint32_t>(draft().tracks.size() - 1));
  }

  TestTrace& range(Category category, std::string_view name, TrackId track, int64_t start, int64_t dur,
                   std::string_view dims) {
    OpTable& ops = draft().ops;
    ops.add({.slice = slice(category, name, track, start, dur, ops.size()),
             .signature =
                 dims.empty() ? SignatureId() : SignatureId(draft().signatures.add({.dims = text(dims)}))});
    return *this;
  }

  void complete_stacks() {
    OpTable& ops = draft().ops;
    while (ops.stack.size() < ops.size()) {
      ops.stack.push_back(StackId());
      ops.module.push_back(ModuleId());
    }
  }

  SliceId slice(Category category, std::string_view name, TrackId track, int64_t start, int64_t dur,
                size_t detail) {
    return SliceId(draft().slices.add({.start_ns = start,
                                       .dur_ns = dur,
                                       .name = text(name),
                                       .track = track,
                                       .category = category,
                                       .detail = static_cast<uint32_t>(detail),
                                       .source_place = draft().slices.size()}));
  }

  StringId text(std::string_view of) { return draft().strings.intern(of); }

  TraceBuilder builder_;
  std::map<std::pair<std::string, std::string>, TrackId> tracks_;
  std::map<TrackId, Place> places_;
};

}  // namespace skyline::analyze
