#include "analyze/timeline/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "analyze/core/analysis.h"
#include "analyze/core/saturate.h"
#include "analyze/memory/blocks.h"
#include "analyze/timeline/tracks.h"
#include "base/hash.h"
#include "base/parallel.h"

namespace skyline::analyze {
namespace {

constexpr size_t kMostCounters = 256;
constexpr size_t kMostQueues = 16;  // streams of one device

using Samples = std::vector<CounterSample>;

struct Draft {
  std::string name;
  Unit unit;
  std::string definition;
  std::function<Samples()> make;
};

// ---- Memory ------------------------------------------------------------------------------------

// What the file says is allocated; where it does not say it, the blocks that are known to live.
Samples allocated(const Trace& trace, const DeviceMemory& memory) {
  SumNs later;  // releases of blocks older than the recording that are still to come
  for (const auto& [event, bytes] : memory.older_releases) later += bytes;
  Samples samples;
  size_t released = 0;
  SumNs released_bytes;
  for (uint32_t event = 0; event < memory.events.size(); ++event) {
    for (; released < memory.older_releases.size() && memory.older_releases[released].first <= event;
         ++released) {
      released_bytes += memory.older_releases[released].second;
    }
    const uint32_t row = memory.events[event];
    int64_t bytes = trace.memory.total_allocated[row];
    if (bytes == kUnknownBytes) {
      const int64_t older =
          std::max<int64_t>({0, minus(memory.older_at_start, released_bytes), minus(later, released_bytes)});
      bytes = plus(memory.live_bytes[event], older);
    }
    samples.push_back({minus(trace.memory.time_ns[row], trace.first_ns), static_cast<double>(bytes)});
  }
  return samples;
}

Samples reserved(const Trace& trace, const DeviceMemory& memory) {
  Samples samples;
  for (const uint32_t row : memory.events) {
    const int64_t bytes = trace.memory.total_reserved[row];
    if (bytes == kUnknownBytes) continue;
    samples.push_back({minus(trace.memory.time_ns[row], trace.first_ns), static_cast<double>(bytes)});
  }
  // On the CPU torch says 0 throughout: nothing is known, so nothing is shown.
  const bool is_known =
      std::any_of(samples.begin(), samples.end(), [](const auto& each) { return each.value != 0; });
  return is_known ? samples : Samples();
}

void add_memory(const Trace& trace, const std::vector<DeviceMemory>& devices, std::vector<Draft>& drafts) {
  for (const DeviceMemory& memory : devices) {
    const std::string device = name_of(memory.device);
    drafts.push_back(
        {"memory allocated · " + device, Unit::kBytes,
         "Bytes of all living blocks of torch's allocator: the allocator's own total where the file has "
         "it, else the sum of allocations minus releases.",
         [&] { return allocated(trace, memory); }});
    drafts.push_back({"memory reserved · " + device, Unit::kBytes,
                      "Bytes that torch's allocator holds from the device, used or not.",
                      [&] { return reserved(trace, memory); }});
  }
}

// ---- Changes: numbers that go up and down by known amounts -------------------------------------

struct Change {
  int64_t time_ns;
  int64_t by;
};

// Changes come in a few sorted runs (a stream's starts, a thread's launches), which are merged on the way.
class ChangesByTime {
 public:
  explicit ChangesByTime(std::vector<Change>& changes) {
    const auto earlier = [](const Change& a, const Change& b) { return a.time_ns < b.time_ns; };
    std::vector<size_t> bounds = {0};
    for (size_t i = 1; i < changes.size(); ++i) {
      if (earlier(changes[i], changes[i - 1])) bounds.push_back(i);
    }
    if (bounds.size() > kMostRuns) {
      std::stable_sort(changes.begin(), changes.end(), earlier);
      bounds = {0};
    }
    bounds.push_back(changes.size());
    for (size_t i = 1; i < bounds.size(); ++i) {
      if (bounds[i - 1] < bounds[i])
        runs_.push_back({changes.data() + bounds[i - 1], changes.data() + bounds[i]});
    }
  }

  bool at_end() const { return runs_.empty(); }

  Change next() {
    size_t first = 0;
    for (size_t i = 1; i < runs_.size(); ++i) {
      if (runs_[i].at->time_ns < runs_[first].at->time_ns) first = i;
    }
    const Change change = *runs_[first].at++;
    if (runs_[first].at == runs_[first].end) runs_.erase(runs_.begin() + static_cast<ptrdiff_t>(first));
    return change;
  }

 private:
  static constexpr size_t kMostRuns = 16;

  struct Run {
    const Change* at;
    const Change* end;
  };
  std::vector<Run> runs_;
};

Samples sum_up(const Trace& trace, std::vector<Change> changes) {
  Samples samples;
  samples.reserve(changes.size());
  SumNs value;
  for (ChangesByTime by_time(changes); !by_time.at_end();) {
    const Change change = by_time.next();
    value += change.by;
    const int64_t time = minus(change.time_ns, trace.first_ns);
    // What goes up and down at the same moment has one value.
    if (samples.empty() || samples.back().time_ns != time) samples.push_back({time, 0});
    samples.back().value = static_cast<double>(int64_t{value});
  }
  return samples;
}

// ---- Queues ------------------------------------------------------------------------------------

struct Stream {
  TrackId track;
  int64_t device;
  int64_t stream;
};

std::vector<Stream> streams_of(const Trace& trace) {
  std::map<std::tuple<int64_t, int64_t, TrackId>, Stream> streams;
  TrackId last;
  for (uint32_t row = 0; row < trace.activities.size(); ++row) {
    const TrackId track = trace.slices.track[trace.activities.slice[row].value];
    if (track == last) continue;
    last = track;
    const int64_t device = trace.activities.device[row], stream = trace.activities.stream[row];
    streams.emplace(std::make_tuple(device, stream, track), Stream{track, device, stream});
  }
  std::vector<Stream> all;
  for (const auto& [key, stream] : streams) all.push_back(stream);
  return all;
}

// One goes up where work is launched, one down where it starts. Launches are taken in the order of their
// table, in which those of a thread are sorted.
Samples queue_depth(const Trace& trace, const std::vector<TrackId>& tracks) {
  const ActivityTable& activities = trace.activities;
  size_t most = 0;
  for (const TrackId id : tracks) most += trace.tracks[id.value].activity_count;
  std::vector<Change> changes;
  changes.reserve(2 * most);
  std::vector<uint32_t> started_by(trace.launches.size());  // per launch, how many
  for (const TrackId id : tracks) {
    const Track& track = trace.tracks[id.value];
    const SliceId end(track.first_slice.value + track.slice_count);
    const SliceId* const first =
        std::lower_bound(activities.slice.begin(), activities.slice.end(), track.first_slice);
    auto row = static_cast<uint32_t>(first - activities.slice.begin());
    for (; row < activities.size() && activities.slice[row] < end; ++row) {
      const SliceId launch = activities.launch[row];
      if (!launch.exists()) continue;
      const int64_t started = trace.slices.start_ns[activities.slice[row].value];
      if (trace.slices.start_ns[launch.value] >= started) continue;
      changes.push_back({started, -1});
      ++started_by[trace.slices.detail[launch.value]];
    }
  }
  for (uint32_t launch = 0; launch < started_by.size(); ++launch) {
    if (started_by[launch] == 0) continue;
    changes.push_back({trace.slices.start_ns[trace.launches.slice[launch].value], started_by[launch]});
  }
  return sum_up(trace, std::move(changes));
}

void add_queues(const Trace& trace, std::vector<Draft>& drafts) {
  std::map<int64_t, std::vector<Stream>> by_device;
  for (const Stream& stream : streams_of(trace)) by_device[stream.device].push_back(stream);
  constexpr std::string_view kDefinition =
      "Kernels, copies and sets whose launch has begun on the host and which have not started yet; only "
      "those whose launch is in the file.";
  for (const auto& [number, streams] : by_device) {
    const std::string device = gpu_name(number);
    std::vector<TrackId> all;
    for (const Stream& stream : streams) all.push_back(stream.track);
    drafts.push_back({"queue depth · " + device, Unit::kCount, std::string(kDefinition),
                      [&trace, all] { return queue_depth(trace, all); }});
    if (streams.size() == 1 || streams.size() > kMostQueues) continue;
    for (const Stream& stream : streams) {
      drafts.push_back({fmt::format("queue of stream {} · {}", stream.stream, device), Unit::kCount,
                        std::string(kDefinition),
                        [&trace, track = stream.track] { return queue_depth(trace, {track}); }});
    }
  }
}

// ---- Copies ------------------------------------------------------------------------------------

struct CopyDirection {
  std::string_view word;  // in the copy's name: "Memcpy HtoD (Pageable -> Device)"
  std::string_view name;
};

constexpr std::array<CopyDirection, 6> kDirections = {{
    {"HtoD", "host to device"},
    {"DtoH", "device to host"},
    {"DtoD", "within a device"},
    {"PtoP", "between devices"},
    {"HtoH", "within the host"},
    {"", "of other kinds"},  // the rest
}};

size_t direction_of(std::string_view name) {
  size_t i = 0;
  while (name.find(kDirections[i].word) == name.npos) ++i;
  return i;
}

void add_copies(const Trace& trace, std::vector<Draft>& drafts) {
  std::array<std::vector<uint32_t>, kDirections.size()> copies;
  for (uint32_t row = 0; row < trace.activities.size(); ++row) {
    const SliceId slice = trace.activities.slice[row];
    if (trace.category(slice) != Category::kMemcpy || trace.activities.bytes[row] <= 0) continue;
    if (trace.slices.dur_ns[slice.value] > 0) copies[direction_of(trace.slice_name(slice))].push_back(row);
  }
  for (size_t i = 0; i < copies.size(); ++i) {
    drafts.push_back(
        {fmt::format("copies {}", kDirections[i].name), Unit::kBytesPerSecond,
         "Bytes per second of the copies that run: each copy's bytes over its duration, summed where "
         "several run at once.",
         [&trace, rows = std::move(copies[i])] {
           std::vector<Change> starts, ends;
           for (const uint32_t row : rows) {
             const SliceId slice = trace.activities.slice[row];
             const Wide bytes = static_cast<Wide>(trace.activities.bytes[row]) * 1'000'000'000;
             const Wide rate = bytes / static_cast<Wide>(trace.slices.dur_ns[slice.value]);
             const auto by = static_cast<int64_t>(std::min<Wide>(rate, INT64_MAX / 1024));
             starts.push_back({trace.slices.start_ns[slice.value], by});
             ends.push_back({trace.slices.end_ns(slice), -by});
           }
           starts.insert(starts.end(), ends.begin(), ends.end());
           return sum_up(trace, std::move(starts));
         }});
  }
}

// ---- The file's own ----------------------------------------------------------------------------

void add_own(const Trace& trace, std::vector<Draft>& drafts) {
  const CounterTable& counters = trace.counters;
  std::map<std::tuple<TrackId, StringId, StringId>, size_t> numbers;
  std::vector<std::vector<uint32_t>> series;  // in the file's order
  for (uint32_t row = 0; row < counters.size(); ++row) {
    if (!std::isfinite(counters.value[row])) continue;
    const auto key = std::make_tuple(counters.track[row], counters.name[row], counters.key[row]);
    auto entry = numbers.find(key);
    if (entry == numbers.end()) {
      if (series.size() == kMostCounters) continue;
      entry = numbers.emplace(key, series.size()).first;
      series.emplace_back();
    }
    series[entry->second].push_back(row);
  }
  for (std::vector<uint32_t>& rows : series) {
    const std::string_view name = trace.strings[counters.name[rows.front()]];
    const std::string_view key = trace.strings[counters.key[rows.front()]];
    drafts.push_back({key.empty() || key == name ? std::string(name) : fmt::format("{} · {}", name, key),
                      Unit::kNumber, "A counter that the file itself has, as it is written there.",
                      [&trace, rows = std::move(rows)] {
                        Samples samples;
                        for (const uint32_t row : rows) {
                          samples.push_back({minus(trace.counters.time_ns[row], trace.first_ns),
                                             trace.counters.value[row]});
                        }
                        std::stable_sort(samples.begin(), samples.end(),
                                         [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
                        return samples;
                      }});
  }
}

TimelineCounter finish(const Draft& draft) {
  Samples samples = draft.make();
  double low = 0, high = 0;
  if (!samples.empty()) low = high = samples.front().value;
  for (const CounterSample& sample : samples) {
    low = std::min(low, sample.value);
    high = std::max(high, sample.value);
  }
  return {draft.name, draft.unit, draft.definition, low, high, CounterLevels(std::move(samples))};
}

}  // namespace

std::vector<TimelineCounter> timeline_counters(const AnalyzedTrace& analyzed, unsigned threads) {
  const Trace& trace = analyzed.trace();
  const std::vector<DeviceMemory>& devices = analyzed.get<memory_blocks>();
  std::vector<Draft> drafts;
  add_memory(trace, devices, drafts);
  add_queues(trace, drafts);
  add_copies(trace, drafts);
  add_own(trace, drafts);
  if (drafts.size() > kMostCounters) drafts.erase(drafts.begin() + kMostCounters, drafts.end());

  std::vector<std::vector<TimelineCounter>> made(drafts.size());
  parallel_for(drafts.size(), threads, [&](size_t i) { made[i].push_back(finish(drafts[i])); });
  std::vector<TimelineCounter> counters;
  for (std::vector<TimelineCounter>& each : made) {
    if (!each.front().levels.empty()) counters.push_back(std::move(each.front()));
  }
  return counters;
}

}  // namespace skyline::analyze
