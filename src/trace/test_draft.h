// TestDraft: a draft trace written by hand, for the unit tests of this folder. Times are nanoseconds.
//
//   TestDraft t;
//   const SliceId mm = t.op("aten::mm", t.track("1", "1"), 0, 100);
//   const Trace& trace = t.freeze();
//
// Rows are named by their place in the file; `at` tells where a row stands after freezing.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/builder.h"

namespace skyline {

class TestDraft {
 public:
  TraceBuilder builder;

  Trace& draft() { return builder.draft; }

  TrackId track(std::string_view process, std::string_view thread) {
    const auto key = std::make_pair(std::string(process), std::string(thread));
    const auto [entry, is_new] = tracks_.try_emplace(key, static_cast<uint32_t>(draft().tracks.size()));
    if (is_new) {
      Track track;
      track.process = draft().strings.intern(process);
      track.thread = draft().strings.intern(thread);
      draft().tracks.push_back(track);
    }
    return entry->second;
  }

  SliceId slice(Category category, std::string_view name, TrackId track, int64_t start_ns, int64_t dur_ns) {
    return add(category, name, track, start_ns, dur_ns, kNoRow);
  }

  SliceId op(std::string_view name, TrackId track, int64_t start_ns, int64_t dur_ns,
             uint64_t external_id = 0) {
    return range(Category::kCpuOp, name, track, start_ns, dur_ns, external_id, -1, 0);
  }
  SliceId annotation(std::string_view name, TrackId track, int64_t start_ns, int64_t dur_ns) {
    return range(Category::kUserAnnotation, name, track, start_ns, dur_ns, 0, -1, 0);
  }
  SliceId forward(std::string_view name, TrackId track, int64_t start_ns, int64_t dur_ns, int64_t sequence) {
    return range(Category::kCpuOp, name, track, start_ns, dur_ns, 0, sequence, 0);
  }
  SliceId backward(std::string_view name, TrackId track, int64_t start_ns, int64_t dur_ns, int64_t sequence,
                   uint32_t fwd_thread = 1) {
    return range(Category::kCpuOp, name, track, start_ns, dur_ns, 0, sequence, fwd_thread);
  }

  SliceId python(std::string_view name, TrackId track, int64_t start_ns, int64_t dur_ns) {
    PythonTable& pythons = draft().pythons;
    pythons.add({.slice = add(Category::kPython, name, track, start_ns, dur_ns, pythons.size()),
                 .python_id = static_cast<int64_t>(pythons.size() + 1)});
    return pythons.slice.back();
  }

  SliceId launch(TrackId track, int64_t start_ns, int64_t dur_ns, uint64_t correlation,
                 uint64_t external_id = 0) {
    LaunchTable& launches = draft().launches;
    launches.add(
        {.slice = add(Category::kRuntime, "cudaLaunchKernel", track, start_ns, dur_ns, launches.size()),
         .correlation = correlation,
         .external_id = external_id});
    return launches.slice.back();
  }

  SliceId kernel(TrackId track, int64_t start_ns, int64_t dur_ns, uint64_t correlation,
                 Category category = Category::kKernel) {
    ActivityTable& activities = draft().activities;
    activities.add({.slice = add(category, "kernel", track, start_ns, dur_ns, activities.size()),
                    .correlation = correlation,
                    .device = 0,
                    .stream = 7});
    return activities.slice.back();
  }

  SliceId sync(TrackId track, int64_t start_ns, int64_t dur_ns, uint64_t correlation) {
    SyncTable& syncs = draft().syncs;
    syncs.add({.slice = slice(Category::kSync, "Stream Sync", track, start_ns, dur_ns),
               .correlation = correlation});
    return syncs.slice.back();
  }

  void arrow(uint64_t id, TrackId from, int64_t from_ns, TrackId to, int64_t to_ns) {
    builder.forward_backward.push_back({id, from_ns, from, true});
    builder.forward_backward.push_back({id, to_ns, to, false});
  }

  const Trace& freeze(unsigned threads = 1) {
    trace_ = std::move(builder).freeze(threads);
    place_.resize(trace_->slices.size());
    for (uint32_t s = 0; s < place_.size(); ++s) place_[trace_->slices.source_place[s]] = s;
    return *trace_;
  }

  // A frozen trace that the test may spoil.
  Trace freeze_for_changes() {
    const std::unique_ptr<const Trace> frozen = std::move(builder).freeze(1);
    return std::move(const_cast<Trace&>(*frozen));
  }

  // Where the n-th slice of the file stands now, and back.
  SliceId at(SliceId in_file) const { return in_file.exists() ? SliceId(place_[in_file.value]) : SliceId(); }
  SliceId in_file(SliceId slice) const {
    return slice.exists() ? SliceId(static_cast<uint32_t>(trace_->slices.source_place[slice.value]))
                          : SliceId();
  }

  // Links, in the file's numbers.
  SliceId parent(SliceId in_file_id) const { return in_file(trace_->slices.parent[at(in_file_id).value]); }
  SliceId launch_of(SliceId in_file_id) const {
    return in_file(trace_->activities.launch[detail(in_file_id)]);
  }
  SliceId op_of(SliceId in_file_id) const { return in_file(trace_->launches.op[detail(in_file_id)]); }
  SliceId forward_of(SliceId in_file_id) const { return in_file(trace_->ops.forward[detail(in_file_id)]); }
  uint32_t detail(SliceId in_file_id) const { return trace_->slices.detail[at(in_file_id).value]; }
  int lane(SliceId in_file_id) const { return trace_->slices.lane[at(in_file_id).value]; }
  int depth(SliceId in_file_id) const { return trace_->slices.depth[at(in_file_id).value]; }

 private:
  SliceId range(Category category, std::string_view name, TrackId track, int64_t start_ns, int64_t dur_ns,
                uint64_t external_id, int64_t sequence, uint32_t fwd_thread) {
    OpTable& ops = draft().ops;
    ops.add({.slice = add(category, name, track, start_ns, dur_ns, ops.size()),
             .external_id = external_id,
             .sequence = sequence,
             .fwd_thread = fwd_thread});
    return ops.slice.back();
  }

  // The place doubles as the slice's number in the file.
  SliceId add(Category category, std::string_view name, TrackId track, int64_t start_ns, int64_t dur_ns,
              size_t detail) {
    SliceTable& slices = draft().slices;
    return SliceId(slices.add({.start_ns = start_ns,
                               .dur_ns = dur_ns,
                               .name = draft().strings.intern(name),
                               .track = track,
                               .category = category,
                               .detail = static_cast<uint32_t>(detail),
                               .source_place = slices.size()}));
  }

  std::map<std::pair<std::string, std::string>, TrackId> tracks_;
  std::unique_ptr<const Trace> trace_;
  std::vector<uint32_t> place_;
};

}  // namespace skyline
