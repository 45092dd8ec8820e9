#include "serve/timeline_methods.h"

#include <fmt/format.h>

#include "analyze/analyze.h"
#include "serve/tile_bytes.h"

namespace skyline {
namespace {

constexpr size_t kMostTracksAtOnce = 256;
constexpr int kNamedBuckets = 16;  // narrower ones have no place for a name

using TimelinePtr = std::shared_ptr<const Timeline>;

TimelinePtr timeline_of(const OpenedTrace& opened) {
  return *opened.kept.get<TimelinePtr>("timeline",
                                       [&] { return std::make_shared<const Timeline>(*opened.trace); });
}

Status check_count(size_t count, std::string_view what) {
  if (count <= kMostTracksAtOnce) return Done{};
  return Error{
      fmt::format("{} {} in one request are too many; ask for at most {}", count, what, kMostTracksAtOnce)};
}

protocol::Timeline to_message(const Timeline& timeline) {
  const Trace& trace = timeline.trace();
  protocol::Timeline message;
  message.end_ns = timeline.since_start(trace.last_ns);
  for (const TimelineTrack& track : timeline.tracks()) {
    message.tracks.push_back({track.label.id.value, track.label.name, track.label.process,
                              static_cast<protocol::TrackKind>(track.label.kind), track.rows, track.slices});
  }
  for (const Step& step : trace.steps) {
    message.steps.push_back(
        {step.number, timeline.since_start(step.start_ns), timeline.since_start(step.end_ns)});
  }
  return message;
}

}  // namespace

Result<protocol::Timeline> answer_timeline(const Desk& desk, const protocol::TraceParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(desk, params.trace));
  return to_message(*timeline_of(*opened));
}

Result<Reply> answer_tiles(const Desk& desk, const protocol::TilesParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(desk, params.trace));
  SKYLINE_TRY(const TimelineTile tile, Timeline::tile(params.level, params.index));
  SKYLINE_TRY([[maybe_unused]] const Done few, check_count(params.tracks.size(), "tracks"));
  const TimelinePtr timeline = timeline_of(*opened);
  SKYLINE_TRY(const auto tracks, timeline->entries(tile, params.tracks));
  TileBytes bytes(*opened->trace, tracks.size());
  for (size_t i = 0; i < tracks.size(); ++i) {
    bytes.add_track(static_cast<uint32_t>(params.tracks[i]), tracks[i],
                    kNamedBuckets * (int64_t{1} << tile.level));
  }
  return Reply{std::move(bytes).finish(), true};
}

}  // namespace skyline
