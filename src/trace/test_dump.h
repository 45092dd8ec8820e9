// Everything a trace holds as text, column by column, for tests that want two traces to be the same.
#pragma once

#include <sstream>
#include <string>

#include "trace/trace.h"

namespace skyline {

class TraceText {
 public:
  explicit TraceText(const Trace& trace) : trace_(trace) {}

  std::string all() {
    info();
    tracks();
    slices();
    details();
    instants();
    rest();
    return out_.str();
  }

 private:
  template <typename T>
  void column(const char* name, const Column<T>& values) {
    out_ << name << ':';
    for (const T& value : values) cell(value);
    out_ << '\n';
  }
  template <typename Tag>
  void cell(Id<Tag> id) {
    out_ << ' ' << static_cast<int64_t>(id.exists() ? id.value : -1);
  }
  void cell(StringId id) { out_ << ' ' << (id.exists() ? trace_.strings[id] : std::string_view("-")) << '|'; }
  void cell(Category category) { out_ << ' ' << name_of(category); }
  template <typename T>
  void cell(T value) {
    out_ << ' ' << value;
  }

  void info() {
    const TraceInfo& info = trace_.info;
    out_ << info.path << '|' << info.format << '|' << info.producer << '|' << info.trace_name << '|'
         << info.host_name << '|' << info.backend << '|' << info.nccl_version << '|' << info.rank << '|'
         << info.world_size << '|' << info.base_ns << '|' << info.schema_version << '|' << info.text_bytes
         << '|' << info.whole_microseconds << '|' << info.record_shapes << info.profile_memory
         << info.with_stack << info.with_modules << info.with_flops << '\n';
    for (const Device& device : info.devices)
      out_ << "device " << device.id << ' ' << device.name << ' ' << device.memory_bytes << '\n';
    for (const auto& [key, value] : info.metadata) out_ << key << '=' << value << '\n';
    for (const LossKind& kind : kLosses) {
      const LossCounts::Entry& loss = trace_.losses[kind.loss];
      if (loss.count > 0)
        out_ << "loss " << kind.name << ' ' << loss.count << " at " << loss.first_offset << ' ' << loss.detail
             << '\n';
    }
    for (const EventCount& count : trace_.event_counts) {
      cell(count.category);
      out_ << ' ' << static_cast<int>(count.phase) << ' ' << count.count << '\n';
    }
    out_ << trace_.event_count << ' ' << trace_.first_ns << ' ' << trace_.last_ns << '\n';
    for (uint32_t i = 0; i < trace_.strings.size(); ++i) cell(StringId(i));
  }

  void tracks() {
    for (const Track& track : trace_.tracks) {
      for (const StringId id :
           {track.process, track.thread, track.process_name, track.process_label, track.thread_name})
        cell(id);
      cell(track.first_slice);
      out_ << ' ' << track.slice_count << ' ' << track.activity_count << ' ' << track.lanes << '\n';
    }
  }

  void slices() {
    const SliceTable& s = trace_.slices;
    column("start", s.start_ns);
    column("dur", s.dur_ns);
    column("name", s.name);
    column("track", s.track);
    column("category", s.category);
    column("detail", s.detail);
    column("offset", s.offset);
    column("parent", s.parent);
    column("depth", s.depth);
    column("lane", s.lane);
  }

  void details() {
    column("op", trace_.ops.slice);
    column("external", trace_.ops.external_id);
    column("sequence", trace_.ops.sequence);
    column("fwd", trace_.ops.fwd_thread);
    column("dims", trace_.ops.input_dims);
    column("types", trace_.ops.input_types);
    column("forward", trace_.ops.forward);
    column("python", trace_.pythons.slice);
    column("id", trace_.pythons.python_id);
    column("parent", trace_.pythons.parent_id);
    column("module", trace_.pythons.module_id);
    column("launch", trace_.launches.slice);
    column("correlation", trace_.launches.correlation);
    column("external", trace_.launches.external_id);
    column("op", trace_.launches.op);
    column("activities", trace_.launches.activities);
    column("activity", trace_.activities.slice);
    column("correlation", trace_.activities.correlation);
    column("device", trace_.activities.device);
    column("stream", trace_.activities.stream);
    column("bytes", trace_.activities.bytes);
    column("launch", trace_.activities.launch);
    column("collective", trace_.activities.collective);
    column("collective", trace_.collectives.slice);
    column("name", trace_.collectives.name);
    column("dtype", trace_.collectives.dtype);
    column("group", trace_.collectives.group_name);
    column("ranks", trace_.collectives.group_ranks);
    column("in", trace_.collectives.in_elements);
    column("out", trace_.collectives.out_elements);
    column("size", trace_.collectives.group_size);
  }

  void instants() {
    column("time", trace_.memory.time_ns);
    column("track", trace_.memory.track);
    column("address", trace_.memory.address);
    column("bytes", trace_.memory.bytes);
    column("allocated", trace_.memory.total_allocated);
    column("reserved", trace_.memory.total_reserved);
    column("type", trace_.memory.device_type);
    column("id", trace_.memory.device_id);
    column("name", trace_.tensors.name);
    column("module", trace_.tensors.module);
    column("dims", trace_.tensors.dims);
    column("address", trace_.tensors.address);
    column("bytes", trace_.tensors.bytes);
    column("time", trace_.tensors.time_ns);
    column("time", trace_.counters.time_ns);
    column("track", trace_.counters.track);
    column("name", trace_.counters.name);
    column("key", trace_.counters.key);
    column("value", trace_.counters.value);
  }

  void rest() {
    for (const Step& step : trace_.steps) {
      out_ << "step " << step.number << ' ' << step.start_ns << ' ' << step.end_ns;
      cell(step.track);
      cell(step.slice);
      out_ << '\n';
    }
    out_ << static_cast<int>(trace_.step_source) << '\n';
  }

  const Trace& trace_;
  std::ostringstream out_;
};

inline std::string text_of(const Trace& trace) { return TraceText(trace).all(); }

}  // namespace skyline
