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
    tables();
    rest();
    return out_.str();
  }

 private:
  template <typename Tag>
  void cell(Id<Tag> id) {
    out_ << ' ' << static_cast<int64_t>(id.exists() ? id.value : -1);
  }
  void cell(StringId id) { out_ << ' ' << (id.exists() ? trace_.strings[id] : std::string_view("-")) << '|'; }
  void cell(Category category) { out_ << ' ' << name_of(category); }
  void cell(TensorRole role) { out_ << ' ' << static_cast<int>(role); }
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

  void tables() {
    for_each_table(
        [&]<typename Table>(const TableDecl& of, const Table& table) {
          Table::for_each_column(
              [&](const auto& spec, const auto& values) {
                out_ << of.name << '.' << spec.name << ':';
                for (const auto& value : values) cell(value);
                out_ << '\n';
              },
              table);
        },
        trace_);
  }

  void rest() {
    for (const Step& step : trace_.steps) {
      out_ << "step " << step.number << ' ' << step.start_ns << ' ' << step.end_ns;
      cell(step.track);
      cell(step.slice);
      out_ << '\n';
    }
    out_ << static_cast<int>(trace_.step_source) << '\n';
    for (const Summary& summary : trace_.summaries) out_ << summary.name << '=' << summary.bytes << '\n';
  }

  const Trace& trace_;
  std::ostringstream out_;
};

inline std::string text_of(const Trace& trace) { return TraceText(trace).all(); }

}  // namespace skyline
