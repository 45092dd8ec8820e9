#include "ingest/join/join.h"

#include <algorithm>
#include <map>
#include <utility>

#include "trace/distinct_rows.h"

namespace skyline::ingest {
namespace {

// What the host's recorder has seen itself.
bool is_of_host(Category category) { return is_op_or_range(category) || category == Category::kPython; }

class Join {
 public:
  Join(TraceBuilder& host, TraceBuilder& device, int64_t offset_ns)
      : host_(host),
        to_(host.draft),
        from_(device.draft),
        flows_(device.forward_backward),
        offset_ns_(offset_ns) {}

  void run() {
    translate_tracks();
    append_slices();
    append_collectives();
    append_details(to_.launches, from_.launches);
    append_details(to_.activities, from_.activities);
    append_rows(to_.syncs, from_.syncs);
    append_rows(to_.compiled_calls, from_.compiled_calls);
    append_timed(to_.memory, from_.memory);
    append_timed(to_.counters, from_.counters);
    append_flows();
    append_counts();
    complete_info();
    to_.losses.merge(from_.losses);
  }

 private:
  // From ids of the device's draft to ids of the host's; what is no id stays as it is.
  struct Translate {
    Join& join;

    template <typename T>
    void operator()(T&) const {}
    void operator()(StringId& id) const { id = join.string(id); }
    void operator()(TrackId& id) const {
      if (id.exists()) id = join.tracks_[id.value];
    }
    void operator()(SliceId& id) const {
      if (id.exists()) id = join.slices_[id.value];
    }
    void operator()(CollectiveId& id) const {
      if (id.exists()) id = join.collectives_[id.value];
    }
    void operator()(KernelShapeId& id) const {
      if (id.exists())
        id = KernelShapeId(join.shapes_.add(join.to_.kernel_shapes, join.from_.kernel_shapes.row(id.value)));
    }
  };

  StringId string(StringId id) {
    if (!id.exists()) return id;
    const auto [entry, is_new] = strings_.try_emplace(id, StringId());
    if (is_new) entry->second = to_.strings.intern(from_.strings[id]);
    return entry->second;
  }

  void translate_tracks() {
    tracks_ = match_threads(to_, from_, offset_ns_);
    for (uint32_t i = 0; i < from_.tracks.size(); ++i) {
      if (tracks_[i].exists()) continue;
      tracks_[i] = TrackId(static_cast<uint32_t>(to_.tracks.size()));
      const Track& track = from_.tracks[i];
      Track& added = to_.tracks.emplace_back();
      added.process = string(track.process);
      added.thread = string(track.thread);
      added.process_name = string(track.process_name);
      added.process_label = string(track.process_label);
      added.thread_name = string(track.thread_name);
    }
  }

  void append_slices() {
    slices_.resize(from_.slices.size());
    for (uint32_t i = 0; i < from_.slices.size(); ++i) {
      SliceRow row = from_.slices.row(i);
      if (is_of_host(row.category)) {
        ++left_out_;
        continue;
      }
      SliceTable::for_each_value(row, Translate{*this});
      row.start_ns += offset_ns_;
      row.source_place += kDeviceSourcePlace;
      row.detail = kNoRow;  // until its row there is appended
      slices_[i] = SliceId(to_.slices.add(row));
    }
  }

  bool is_kept(SliceId slice) const { return slices_[slice.value].exists(); }

  template <typename Table>
  void append_details(Table& to, const Table& from) {
    for (uint32_t i = 0; i < from.size(); ++i) {
      auto row = from.row(i);
      if (!is_kept(row.slice)) continue;
      Table::for_each_value(row, Translate{*this});
      to_.slices.detail[row.slice.value] = to.add(row);
    }
  }

  template <typename Table>
  void append_rows(Table& to, const Table& from) {
    for (uint32_t i = 0; i < from.size(); ++i) {
      auto row = from.row(i);
      if (!is_kept(row.slice)) continue;
      Table::for_each_value(row, Translate{*this});
      to.add(row);
    }
  }

  template <typename Table>
  void append_timed(Table& to, const Table& from) {
    for (uint32_t i = 0; i < from.size(); ++i) {
      auto row = from.row(i);
      Table::for_each_value(row, Translate{*this});
      row.time_ns += offset_ns_;
      to.add(row);
    }
  }

  // Those of kernels come along; those of operators stand in the host's draft.
  void append_collectives() {
    collectives_.resize(from_.collectives.size());
    for (uint32_t i = 0; i < from_.collectives.size(); ++i) {
      CollectiveRow row = from_.collectives.row(i);
      if (!is_kept(row.slice)) continue;
      CollectiveTable::for_each_value(row, Translate{*this});
      collectives_[i] = CollectiveId(to_.collectives.add(row));
    }
  }

  void append_flows() {
    for (const FlowEnd& end : flows_) {
      host_.forward_backward.push_back(
          {end.id, end.time_ns + offset_ns_, tracks_[end.track.value], end.is_start});
    }
  }

  void append_counts() {
    to_.event_count += from_.event_count - left_out_;
    for (const EventCount& count : from_.event_counts) {
      const StringId category = string(count.category);
      const auto known = std::find_if(
          to_.event_counts.begin(), to_.event_counts.end(),
          [&](const EventCount& other) { return other.category == category && other.phase == count.phase; });
      if (known != to_.event_counts.end()) {
        known->count += count.count;
      } else {
        to_.event_counts.push_back({category, count.phase, count.count});
      }
    }
  }

  // What the host's recorder does not know.
  void complete_info() {
    TraceInfo& to = to_.info;
    const TraceInfo& from = from_.info;
    if (to.devices.empty()) to.devices = from.devices;
    if (to.nccl_version.empty()) to.nccl_version = from.nccl_version;
    if (to.backend.empty()) to.backend = from.backend;
    if (to.rank < 0) to.rank = from.rank;
    if (to.world_size < 0) to.world_size = from.world_size;
    for (const auto& [key, value] : from.metadata) {
      const bool is_known = std::any_of(to.metadata.begin(), to.metadata.end(),
                                        [&key = key](const auto& entry) { return entry.first == key; });
      if (!is_known) to.metadata.emplace_back(key, value);
    }
  }

  TraceBuilder& host_;
  Trace& to_;
  const Trace& from_;
  const Column<FlowEnd>& flows_;
  const int64_t offset_ns_;
  uint64_t left_out_ = 0;
  std::map<StringId, StringId> strings_;
  std::vector<TrackId> tracks_;
  std::vector<SliceId> slices_;
  std::vector<CollectiveId> collectives_;
  DistinctRows<KernelShapeTable> shapes_;
};

class JoinedArgs : public ArgsSource {
 public:
  JoinedArgs(std::unique_ptr<ArgsSource> host, std::unique_ptr<ArgsSource> device)
      : host_(std::move(host)), device_(std::move(device)) {}

  Result<std::string> event_text(uint64_t offset) const override {
    const bool is_device = offset >= kDeviceSourcePlace;
    const ArgsSource* source = is_device ? device_.get() : host_.get();
    if (source == nullptr) return Error{"what this event was made from was not kept"};
    return source->event_text(is_device ? offset - kDeviceSourcePlace : offset);
  }
  Result<std::string> text_at(uint64_t, size_t) const override { return std::string(); }
  size_t held_bytes() const override {
    return (host_ ? host_->held_bytes() : 0) + (device_ ? device_->held_bytes() : 0);
  }

  const ArgsSource* host() const { return host_.get(); }

 private:
  const std::unique_ptr<ArgsSource> host_, device_;
};

}  // namespace

ClockShift join_device(TraceBuilder& host, TraceBuilder device) {
  const int64_t bases_ns = device.draft.info.base_ns - host.draft.info.base_ns;
  const ClockShift clock = find_clock_shift(host.draft, device.draft, bases_ns);
  Join(host, device, bases_ns + clock.shift_ns).run();
  host.draft.info.metadata.emplace_back("device.clock_shift_ns", std::to_string(clock.shift_ns));
  host.draft.args = joined_args(std::move(host.draft.args), std::move(device.draft.args));
  return clock;
}

std::unique_ptr<ArgsSource> joined_args(std::unique_ptr<ArgsSource> host,
                                        std::unique_ptr<ArgsSource> device) {
  return std::make_unique<JoinedArgs>(std::move(host), std::move(device));
}

const ArgsSource& host_part(const ArgsSource& args) {
  const auto* joined = dynamic_cast<const JoinedArgs*>(&args);
  return joined == nullptr || joined->host() == nullptr ? args : *joined->host();
}

}  // namespace skyline::ingest
