#include "analyze/timeline/tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "analyze/core/step_window.h"
#include "base/parallel.h"

namespace skyline::analyze {
namespace {

// What decides about a track's place, in this order.
struct Place {
  enum Group : uint8_t { kTraining, kOperators, kThread, kStream, kOther } group = kOther;
  int64_t device = -1;  // of a stream
  int64_t stream = -1;
  TrackId id;

  auto key() const { return std::make_tuple(group, device, stream, id); }
};

Place place_of(const Trace& trace, TrackId id) {
  const Track& track = trace.tracks[id.value];
  Place place;
  place.id = id;
  for (uint32_t i = 0; i < track.slice_count; ++i) {
    const uint32_t slice = track.first_slice.value + i;
    const Category category = trace.slices.category[slice];
    if (is_activity(category)) {
      const uint32_t row = trace.slices.detail[slice];
      place.group = Place::kStream;
      place.device = trace.activities.device[row];
      place.stream = trace.activities.stream[row];
      return place;
    }
    if (category == Category::kCpuOp) {
      place.group = Place::kOperators;
      // A track with activities is a stream, whatever else stands there.
      if (!track.is_stream()) return place;
    } else if (place.group == Place::kOther && (category == Category::kUserAnnotation ||
                                                category == Category::kPython || is_launch(category))) {
      place.group = Place::kThread;
    }
  }
  return place;
}

// What a thread is called besides its number; nothing if it is only called after the program, as most are.
// Kineto writes "thread 1234 (pt_autograd_0)".
std::string_view own_name(std::string_view name, std::string_view thread) {
  const size_t open = name.find(" (");
  if (name.starts_with("thread ") && open != name.npos && name.ends_with(')')) {
    name = name.substr(open + 2, name.size() - open - 3);
  }
  const bool is_program =
      name.starts_with("python") && name.find_first_not_of("0123456789.", 6) == std::string_view::npos;
  return is_program || name == thread || name.starts_with("thread ") ? std::string_view() : name;
}

std::string device_name(const Trace& trace, int64_t device) {
  std::string name = gpu_name(device);
  for (const Device& each : trace.info.devices) {
    if (each.id == device && !each.name.empty()) return fmt::format("{} · {}", name, each.name);
  }
  return name;
}

std::string process_name(const Trace& trace, const Track& track) {
  const std::string_view name = trace.strings[track.process_name], id = trace.strings[track.process];
  if (name.empty()) return id.empty() ? "" : fmt::format("process {}", id);
  return name.find(id) != name.npos ? std::string(name) : fmt::format("{} {}", name, id);
}

TrackLabel label(const Trace& trace, const Place& place) {
  const Track& track = trace.tracks[place.id.value];
  const std::string_view thread = trace.strings[track.thread], name = trace.strings[track.thread_name];
  if (place.group == Place::kStream) {
    const std::string number =
        place.stream < 0 ? std::string(thread) : fmt::format("stream {}", place.stream);
    return {place.id, fmt::format("{} · {}", number, gpu_name(place.device)),
            device_name(trace, place.device), TrackKind::kStream};
  }
  TrackLabel label{place.id, {}, process_name(trace, track), TrackKind::kThread};
  if (place.group == Place::kOther) {
    label.kind = TrackKind::kOther;
    label.name = !name.empty() ? name : thread;
    return label;
  }
  const std::string_view own = own_name(name, thread);
  const bool is_main = !thread.empty() && thread == trace.strings[track.process];
  if (is_main || (place.group == Place::kTraining && own.empty())) {
    label.name = fmt::format("main thread {}", thread);
  } else if (own.empty()) {
    label.name = fmt::format("thread {}", thread);
  } else {
    label.name = own.find(thread) != own.npos ? std::string(own) : fmt::format("{} {}", own, thread);
  }
  return label;
}

}  // namespace

std::string gpu_name(int64_t device) { return device < 0 ? "GPU" : fmt::format("GPU {}", device); }

std::vector<TrackLabel> label_tracks(const AnalyzedTrace& analyzed, unsigned threads) {
  const Trace& trace = analyzed.trace();
  std::vector<Place> places(trace.tracks.size());
  parallel_for(places.size(), threads,
               [&](size_t t) { places[t] = place_of(trace, TrackId(static_cast<uint32_t>(t))); });
  for (const TrackId id : analyzed.get<training_threads>()) {
    if (places[id.value].group < Place::kStream) places[id.value].group = Place::kTraining;
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.key() < b.key(); });
  std::vector<TrackLabel> labels;
  for (const Place& place : places) {
    if (trace.tracks[place.id.value].slice_count > 0) labels.push_back(label(trace, place));
  }
  return labels;
}

}  // namespace skyline::analyze
