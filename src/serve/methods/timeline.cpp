#include "serve/methods/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/analyze.h"
#include "serve/messages/enums.h"
#include "serve/messages/event_args.h"
#include "serve/messages/tile_bytes.h"

namespace skyline::serve {
namespace {

using serve::to_message;  // beside those of this file

constexpr size_t kMostTracksAtOnce = 256;
constexpr int64_t kMostFound = 1000;
constexpr int64_t kUsuallyFound = 100;
constexpr size_t kNamesOfARange = 50;
constexpr int kNamedBuckets = 16;  // narrower ones have no place for a name

const analyze::Timeline& timeline_of(const OpenedTrace& opened) {
  return opened.analyzed->get<analyze::Timeline>();
}

Status check_count(size_t count, std::string_view what) {
  if (count <= kMostTracksAtOnce) return Done{};
  return Error{
      fmt::format("{} {} in one request are too many; ask for at most {}", count, what, kMostTracksAtOnce)};
}

protocol::SliceRef refer(const analyze::Timeline& timeline, SliceId id) {
  const Trace& trace = timeline.trace();
  protocol::SliceRef ref;
  ref.slice = id.value;
  ref.name = trace.slice_name(id);
  ref.category = name_of(trace.category(id));
  ref.kind = analyze::TimelineKinds::name(timeline.kinds().of(id));
  ref.track = trace.slices.track[id.value].value;
  ref.row = timeline.rows().row_of(id);
  ref.start_ns = timeline.since_start(trace.slices.start_ns[id.value]);
  ref.dur_ns = trace.slices.dur_ns[id.value];
  return ref;
}

std::vector<protocol::TimelineCounter> to_messages(std::span<const analyze::TimelineCounter> counters) {
  std::vector<protocol::TimelineCounter> messages;
  for (size_t i = 0; i < counters.size(); ++i) {
    const analyze::TimelineCounter& counter = counters[i];
    messages.push_back({static_cast<int64_t>(i), counter.name, to_message(counter.unit), counter.low,
                        counter.high, counter.definition});
  }
  return messages;
}

protocol::Timeline to_message(const analyze::Timeline& timeline) {
  const Trace& trace = timeline.trace();
  protocol::Timeline message;
  message.end_ns = timeline.since_start(trace.last_ns);
  for (const analyze::TimelineTrack& track : timeline.tracks()) {
    message.tracks.push_back({track.label.id.value, track.label.name, track.label.process,
                              to_message(track.label.kind), track.rows, track.slices});
  }
  message.counters = to_messages(timeline.counters());
  for (const Step& step : trace.steps) {
    message.steps.push_back(
        {step.number, timeline.since_start(step.start_ns), timeline.since_start(step.end_ns)});
  }
  return message;
}

}  // namespace

Result<protocol::Timeline> answer_timeline(const Context& context, const protocol::TraceParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  return to_message(timeline_of(*opened));
}

Result<Reply> answer_tiles(const Context& context, const protocol::TilesParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  SKYLINE_TRY(const analyze::TimelineTile tile, analyze::Timeline::tile(params.level, params.index));
  SKYLINE_RETURN_IF_ERROR(check_count(params.tracks.size(), "tracks"));
  const analyze::Timeline& timeline = timeline_of(*opened);
  SKYLINE_TRY(const auto tracks, timeline.entries(tile, params.tracks));
  TileBytes bytes(opened->trace(), tracks.size());
  for (size_t i = 0; i < tracks.size(); ++i) {
    bytes.add_track(static_cast<uint32_t>(params.tracks[i]), tracks[i], timeline.kinds(),
                    kNamedBuckets * (int64_t{1} << tile.level));
  }
  return Reply{std::move(bytes).finish(), true};
}

Result<Reply> answer_counter_tiles(const Context& context, const protocol::CounterTilesParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  SKYLINE_TRY(const analyze::TimelineTile tile, analyze::Timeline::tile(params.level, params.index));
  SKYLINE_RETURN_IF_ERROR(check_count(params.counters.size(), "counters"));
  const analyze::Timeline& timeline = timeline_of(*opened);
  TileBytes bytes(opened->trace(), params.counters.size());
  for (const int64_t counter : params.counters) {
    SKYLINE_TRY(const std::vector<analyze::CounterPoint> points, timeline.points(tile, counter));
    bytes.add_counter(static_cast<uint32_t>(counter), points);
  }
  return Reply{std::move(bytes).finish(), true};
}

Result<protocol::SliceDetails> answer_slice(const Context& context, const protocol::SliceParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  const analyze::Timeline& timeline = timeline_of(*opened);
  SKYLINE_TRY(const SliceId slice, timeline.find_slice(params.slice));
  SKYLINE_TRY(const analyze::SliceAbout about, timeline.about(params.slice));
  protocol::SliceDetails details;
  details.slice = refer(timeline, slice);
  details.self_ns = about.self_ns;
  details.step = about.step;
  details.module = about.module;
  for (const SliceId parent : about.parents) details.parents.push_back(refer(timeline, parent));
  for (const analyze::TimelineFlow& flow : about.flows) {
    details.flows.push_back({to_message(flow.kind), refer(timeline, flow.slice)});
  }
  for (const analyze::ProgramLine& line : about.stack) {
    details.stack.push_back({std::string(line.file), line.line, std::string(line.function)});
  }
  details.args = event_args(opened->trace(), slice);
  if (details.args.empty()) {
    for (const auto& [name, value] : about.facts) details.args.push_back({name, value});
  }
  return details;
}

Result<protocol::Search> answer_search(const Context& context, const protocol::SearchParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  const analyze::Timeline& timeline = timeline_of(*opened);
  const int64_t limit = std::clamp<int64_t>(params.limit.value_or(kUsuallyFound), 0, kMostFound);
  const analyze::SearchResult found = timeline.search(params.text, static_cast<size_t>(limit));
  protocol::Search answer;
  answer.total = static_cast<int64_t>(found.total);
  for (const SliceId slice : found.slices) answer.slices.push_back(refer(timeline, slice));
  return answer;
}

Result<protocol::Range> answer_range(const Context& context, const protocol::RangeParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  const analyze::Timeline& timeline = timeline_of(*opened);
  SKYLINE_TRY(const analyze::RangeSummary range,
              timeline.range(params.start_ns, params.end_ns, params.tracks, kNamesOfARange));
  protocol::Range answer;
  answer.dur_ns = range.dur_ns;
  for (const analyze::RangeCategory& each : range.categories) {
    answer.categories.push_back(
        {std::string(name_of(each.category)), static_cast<int64_t>(each.count), each.busy_ns});
  }
  for (const analyze::RangeName& each : range.names) {
    const uint8_t kind = timeline.kinds().of(each.category, each.name);
    answer.names.push_back(
        {std::string(opened->trace().strings[each.name]), std::string(name_of(each.category)),
         std::string(analyze::TimelineKinds::name(kind)), static_cast<int64_t>(each.count), each.total_ns});
  }
  return answer;
}

}  // namespace skyline::serve
