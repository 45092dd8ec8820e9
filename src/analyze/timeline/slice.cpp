#include "analyze/timeline/slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analyze/core/saturate.h"

namespace skyline::analyze {
namespace {

constexpr size_t kMostParents = 256;
constexpr size_t kMostStackLines = 512;

int64_t self_ns(const Trace& trace, SliceId id) {
  const SliceTable& slices = trace.slices;
  const Track& track = trace.tracks[slices.track[id.value].value];
  const uint32_t behind_track = track.first_slice.value + track.slice_count;
  const int64_t end = slices.end_ns(id);
  SumNs inside;
  for (uint32_t s = id.value + 1; s < behind_track && slices.start_ns[s] < end; ++s) {
    // Clocks let children stick out by a tick.
    if (slices.parent[s] == id) inside += minus(std::min(end, slices.end_ns(SliceId(s))), slices.start_ns[s]);
  }
  return std::max<int64_t>(0, minus(slices.dur_ns[id.value], inside));
}

std::vector<SliceId> parents_of(const Trace& trace, SliceId slice) {
  std::vector<SliceId> parents;
  for (SliceId at = trace.slices.parent[slice.value]; at.exists() && parents.size() < kMostParents;
       at = trace.slices.parent[at.value]) {
    parents.push_back(at);
  }
  std::reverse(parents.begin(), parents.end());
  return parents;
}

// The slice on the host that is to blame: the call of an activity; none if it is not known.
SliceId host_slice(const Trace& trace, SliceId slice) {
  if (!is_activity(trace.category(slice))) return slice;
  return trace.activities.launch[trace.slices.detail[slice.value]];
}

// The slice itself or the nearest around it that is an operator or range; none if there is none.
SliceId operator_at(const Trace& trace, SliceId host) {
  if (!host.exists()) return host;
  const Category category = trace.category(host);
  if (is_op_or_range(category)) return host;
  if (is_launch(category)) return trace.launches.op[trace.slices.detail[host.value]];
  return SliceId();
}

int64_t step_of(const Trace& trace, SliceId host) {
  if (!host.exists()) return -1;
  const int64_t start = trace.slices.start_ns[host.value];
  for (const Step& step : trace.steps) {
    if (step.start_ns <= start && start < step.end_ns) return step.number;
  }
  return -1;
}

ProgramLine line_of(std::string_view frame) {
  // "train.py(12): main"
  const size_t open = frame.rfind('('), close = frame.find("): ", open);
  ProgramLine line;
  if (open != frame.npos && close != frame.npos) {
    const auto read = std::from_chars(frame.data() + open + 1, frame.data() + close, line.line);
    if (read.ptr == frame.data() + close) return {frame.substr(0, open), line.line, frame.substr(close + 3)};
  }
  return {{}, 0, frame};
}

std::vector<ProgramLine> recorded_stack(const Trace& trace, StackId stack) {
  std::vector<ProgramLine> lines;
  for (StackId at = stack; at.exists() && lines.size() < kMostStackLines;
       at = trace.stacks.parent[at.value]) {
    const FrameId frame = trace.stacks.frame[at.value];
    if (!frame.exists()) continue;
    lines.push_back({trace.strings[trace.frames.file[frame.value]], trace.frames.line[frame.value],
                     trace.strings[trace.frames.function[frame.value]]});
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

constexpr std::string_view kModuleCall = "nn.Module: ";

void describe_place(const Trace& trace, SliceId host, SliceAbout& about) {
  const SliceId op = operator_at(trace, host);
  if (op.exists()) {
    const uint32_t row = trace.slices.detail[op.value];
    about.stack = recorded_stack(trace, trace.ops.stack_of(row));
    if (const ModuleId module = trace.ops.module_of(row); module.exists()) {
      const std::string_view name = trace.strings[trace.modules.name[module.value]];
      const std::string_view class_name = trace.strings[trace.modules.class_name[module.value]];
      about.module = name.empty() ? std::string(class_name) : fmt::format("{} ({})", name, class_name);
    }
  }
  if (!about.stack.empty()) return;
  for (SliceId at = host; at.exists() && about.stack.size() < kMostStackLines;
       at = trace.slices.parent[at.value]) {
    if (trace.category(at) != Category::kPython) continue;
    const std::string_view name = trace.slice_name(at);
    if (!name.starts_with(kModuleCall)) {
      about.stack.push_back(line_of(name));
    } else if (about.module.empty()) {
      about.module = name.substr(kModuleCall.size());
    }
  }
  std::reverse(about.stack.begin(), about.stack.end());
}

void add_facts(const Trace& trace, SliceId slice, SliceAbout& about) {
  const Category category = trace.category(slice);
  const uint32_t row = trace.slices.detail[slice.value];
  const auto number = [&](std::string_view name, auto value) {
    about.facts.emplace_back(name, std::to_string(value));
  };
  if (is_op_or_range(category)) {
    const OpTable& ops = trace.ops;
    if (trace.input_dims(row).exists())
      about.facts.emplace_back("Input Dims", trace.strings[trace.input_dims(row)]);
    if (trace.input_types(row).exists())
      about.facts.emplace_back("Input type", trace.strings[trace.input_types(row)]);
    if (ops.sequence[row] >= 0) number("Sequence number", ops.sequence[row]);
    if (ops.external_id[row] != 0) number("External id", ops.external_id[row]);
  } else if (is_launch(category)) {
    if (trace.launches.correlation[row] != kNoCorrelation)
      number("correlation", trace.launches.correlation[row]);
  } else if (is_activity(category)) {
    const ActivityTable& activities = trace.activities;
    if (activities.device[row] >= 0) number("device", activities.device[row]);
    if (activities.stream[row] >= 0) number("stream", activities.stream[row]);
    if (activities.correlation[row] != kNoCorrelation) number("correlation", activities.correlation[row]);
    if (activities.bytes[row] >= 0) number("bytes", activities.bytes[row]);
  }
}

}  // namespace

SliceAbout about_slice(const Trace& trace, const TimelineLinks& links, SliceId slice) {
  SliceAbout about;
  const SliceId host = host_slice(trace, slice);
  about.self_ns = self_ns(trace, slice);
  about.step = step_of(trace, host);
  about.parents = parents_of(trace, slice);
  about.flows = links.flows(slice);
  describe_place(trace, host, about);
  add_facts(trace, slice, about);
  return about;
}

}  // namespace skyline::analyze
