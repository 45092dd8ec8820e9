#include "cli/commands/info_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/setup/trace_reading.h"
#include "cli/terminal/ink.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/units.h"
#include "cli/views/figure_view.h"
#include "cli/views/losses_view.h"

namespace skyline::cli {
namespace {

struct TrackInfo {
  std::string process, process_name, thread, thread_name;
  uint32_t slices, activities;
  uint16_t lanes;
};

struct CategoryCount {
  std::string category;
  char phase;
  uint64_t count;
};

// What is kept of one trace.
struct RankInfo {
  analyze::RankLabel label;
  TraceInfo info;
  std::vector<analyze::Figure> figures;  // those of the analyses trace and recording
  StepSource step_source = StepSource::kNone;
  bool has_own_marks = false;
  int64_t first_ns = 0;
  std::vector<TrackInfo> tracks;
  std::vector<CategoryCount> counts;  // most first
  LossCounts losses;
};

RankInfo summarize(const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label) {
  const Trace& trace = analyzed.trace();
  RankInfo rank;
  rank.label = label;
  rank.info = trace.info;
  rank.figures = analyze::compute_figures(analyzed, {"trace", "recording"});
  rank.has_own_marks = analyzed.get<analyze::has_own_marks>();
  rank.step_source = trace.step_source;
  rank.first_ns = trace.first_ns;
  rank.losses = trace.losses;
  const auto text = [&](StringId id) { return std::string(trace.strings[id]); };
  for (const Track& track : trace.tracks) {
    rank.tracks.push_back({text(track.process), text(track.process_name), text(track.thread),
                           text(track.thread_name), track.slice_count, track.activity_count, track.lanes});
  }
  for (const EventCount& count : trace.event_counts) {
    rank.counts.push_back({text(count.category), count.phase, count.count});
  }
  std::stable_sort(rank.counts.begin(), rank.counts.end(),
                   [](const CategoryCount& a, const CategoryCount& b) { return a.count > b.count; });
  return rank;
}

// ---- Text. -----------------------------------------------------------------------------------

std::string_view name_of_phase(char phase) {
  switch (phase) {
    case 'X':
      return "complete";
    case 'M':
      return "metadata";
    case 'C':
      return "counter";
    case 'i':
    case 'I':
      return "instant";
    case 's':
      return "flow start";
    case 't':
      return "flow step";
    case 'f':
      return "flow end";
    case 'B':
      return "begin";
    case 'E':
      return "end";
    default:
      return "";
  }
}

std::string_view name_of_source(StepSource source) {
  switch (source) {
    case StepSource::kProfilerStep:
      return "ProfilerStep";
    case StepSource::kOptimizerStep:
      return "optimizer step";
    case StepSource::kNone:
      return "none";
  }
  return "";
}

std::string describe_steps(const RankInfo& rank) {
  const std::string count = format_count(integer_of(rank.figures, "trace.steps").value_or(0));
  switch (rank.step_source) {
    case StepSource::kProfilerStep:
      return fmt::format("{}, marked by ProfilerStep", count);
    case StepSource::kOptimizerStep:
      return fmt::format("{}, inferred from the optimizer's steps", count);
    case StepSource::kNone:
      break;
  }
  // Where `skyline run` has watched for optimizers, it is known that there was none.
  if (rank.has_own_marks) return "none; no optimizer stepped";
  return "none; call prof.step() after each training step to mark them";
}

std::string describe_device(const Device& device) {
  std::string text = device.name.empty() ? "unnamed device" : printable(device.name);
  if (device.memory_bytes >= 0) text += fmt::format(", {}", format_bytes(device.memory_bytes));
  if (device.multiprocessors >= 0) text += fmt::format(", {} SMs", device.multiprocessors);
  if (device.compute_major >= 0) {
    text += fmt::format(", compute capability {}.{}", device.compute_major,
                        std::max<int64_t>(device.compute_minor, 0));
  }
  return text;
}

// Equal devices are counted, not repeated.
std::string describe_devices(const std::vector<Device>& devices) {
  std::vector<std::pair<std::string, uint64_t>> kinds;
  for (const Device& device : devices) {
    const std::string text = describe_device(device);
    const auto same = [&](const auto& kind) { return kind.first == text; };
    const auto found = std::find_if(kinds.begin(), kinds.end(), same);
    if (found == kinds.end()) {
      kinds.emplace_back(text, 1);
    } else {
      ++found->second;
    }
  }
  std::string line;
  for (const auto& [text, count] : kinds) {
    line += fmt::format("{}{} × {}", line.empty() ? "" : "; ", count, text);
  }
  return line.empty() ? "not described in the file" : line;
}

std::string describe_size(const TraceInfo& info) {
  const std::string source = format_bytes(static_cast<int64_t>(info.source_bytes));
  const std::string text = format_bytes(static_cast<int64_t>(info.text_bytes));
  if (info.text_bytes == 0) return source;
  if (info.compression == "none") return fmt::format("{}, not compressed", source);
  return fmt::format("{} of {}, {} uncompressed", source, info.compression, text);
}

std::string describe_rank(const TraceInfo& info) {
  std::string text = info.rank < 0 ? "not said" : fmt::format("{}", info.rank);
  if (info.world_size >= 0) text += fmt::format(" of {}", info.world_size);
  if (!info.backend.empty()) text += fmt::format(", backend {}", printable(info.backend));
  if (!info.nccl_version.empty()) text += fmt::format(", NCCL {}", printable(info.nccl_version));
  return text;
}

struct RecordingOption {
  std::string_view name;
  int TraceInfo::*value;
};
constexpr std::array<RecordingOption, 5> kRecordingOptions = {{
    {"record_shapes", &TraceInfo::record_shapes},
    {"profile_memory", &TraceInfo::profile_memory},
    {"with_stack", &TraceInfo::with_stack},
    {"with_modules", &TraceInfo::with_modules},
    {"with_flops", &TraceInfo::with_flops},
}};

std::string describe_recording(const TraceInfo& info) {
  std::string on, off;
  for (const RecordingOption& option : kRecordingOptions) {
    const int value = info.*option.value;
    if (value < 0) continue;
    std::string& list = value > 0 ? on : off;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", option.name);
  }
  if (on.empty() && off.empty()) return "not said";
  if (on.empty()) return "off: " + off;
  return off.empty() ? "on: " + on : fmt::format("on: {}; off: {}", on, off);
}

constexpr int64_t kFirstPlausibleUnixTime = 1'000'000'000'000'000'000;  // September 2001, in ns

std::optional<int64_t> start_as_unix_ns(const RankInfo& rank) {
  const int64_t start = rank.info.base_ns + rank.first_ns;
  return start >= kFirstPlausibleUnixTime ? std::optional(start) : std::nullopt;
}

std::string describe_start(const RankInfo& rank) {
  const std::optional<int64_t> start = start_as_unix_ns(rank);
  return start ? format_utc(*start) : "not said";
}

std::string describe_cost(const RankInfo& rank) {
  return fmt::format("{} in {} calls, {} each, {} of the span; sampled",
                     text_of(rank.figures, "recording.cost"), text_of(rank.figures, "recording.calls"),
                     text_of(rank.figures, "recording.cost_per_call"),
                     text_of(rank.figures, "recording.cost_share"));
}

// What the recorder says about machine and software; `skyline doctor` prints the same.
std::string describe_environment(const TraceInfo& info) {
  static constexpr std::array<std::string_view, 10> kKeys = {
      "host.os",        "host.cpu",      "host.cpu_features", "host.cpus",     "host.clocksource",
      "python.version", "torch.threads", "torch.cuda",        "device.cuda.0", "process.program"};
  std::string text;
  for (const std::string_view key : kKeys) {
    const auto is_it = [&](const auto& entry) { return entry.first == key && !entry.second.empty(); };
    const auto found = std::find_if(info.metadata.begin(), info.metadata.end(), is_it);
    if (found == info.metadata.end()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", key, printable(found->second));
  }
  return text;
}

std::string render_facts(const RankInfo& rank, const Console& console) {
  const TraceInfo& info = rank.info;
  const auto count_of = [&](std::string_view figure) {
    return static_cast<uint64_t>(integer_of(rank.figures, figure).value_or(0));
  };
  std::vector<std::pair<std::string_view, std::string>> facts = {
      {"Format", info.format},
      {"Size", describe_size(info)},
      {"Producer", info.producer.empty() ? "not said" : printable(info.producer)},
      {"Host", info.host_name.empty() ? "not said" : printable(info.host_name)},
      {"Rank", describe_rank(info)},
      {"Devices", describe_devices(info.devices)},
      {"Recorded with", describe_recording(info)},
      {"Clock", info.whole_microseconds ? "whole microseconds" : "nanoseconds"},
      {"Start", describe_start(rank)},
      {"Span", format_ns(integer_of(rank.figures, "trace.span").value_or(0))},
      {"Steps", describe_steps(rank)},
      {"Tracks",
       fmt::format("{}, {}", format_counted(count_of("trace.threads"), "host thread", "host threads"),
                   format_counted(count_of("trace.streams"), "device stream", "device streams"))},
      {"Events", format_count(count_of("trace.events"))},
  };
  // Only our own recorder tells these.
  if (integer_of(rank.figures, "recording.cost")) facts.emplace_back("Recorder", describe_cost(rank));
  if (const std::string environment = describe_environment(info); !environment.empty())
    facts.emplace_back("Environment", environment);
  constexpr size_t kNameWidth = 15;
  std::string out;
  for (const auto& [name, value] : facts) {
    std::string left = pad_right(name, kNameWidth);
    for (const std::string& line : wrap(value, console.width - kNameWidth)) {
      out += paint(Ink::kFaint, left, console.color) + line + "\n";
      left = std::string(kNameWidth, ' ');
    }
  }
  return out;
}

std::string render_counts(const RankInfo& rank, const Console& console) {
  if (rank.counts.empty()) return "";
  TextTable table({{"Category", Align::kLeft, true}, {"Phase"}, {"Events", Align::kRight}});
  for (const CategoryCount& count : rank.counts) {
    table.add_row(
        {count.category.empty() ? "(none)" : printable(count.category),
         fmt::format("{} {}", printable(std::string_view(&count.phase, 1)), name_of_phase(count.phase)),
         format_count(count.count)});
  }
  return table.render(console.width, console.color) + "\n";
}

std::string render_text(const RankInfo& rank, const Console& console) {
  return fmt::format("{}\n\n{}\n{}{}", paint(Ink::kStrong, title_of(rank.label), console.color),
                     render_facts(rank, console), render_counts(rank, console),
                     render_losses(rank.losses, console));
}

// ---- JSON. -----------------------------------------------------------------------------------

// Numbers and texts that the file may not hold are null then.
void write_known(JsonWriter& json, std::string_view name, int64_t value) {
  json.key(name);
  value < 0 ? json.null() : json.value(value);
}
void write_known(JsonWriter& json, std::string_view name, const std::string& value) {
  json.key(name);
  value.empty() ? json.null() : json.value(value);
}

void write_devices(JsonWriter& json, const std::vector<Device>& devices) {
  json.key("devices");
  json.begin_array();
  for (const Device& device : devices) {
    json.begin_object(JsonWriter::Layout::kInline);
    write_known(json, "id", device.id);
    write_known(json, "name", device.name);
    write_known(json, "memory_bytes", device.memory_bytes);
    write_known(json, "multiprocessors", device.multiprocessors);
    write_known(json, "compute_major", device.compute_major);
    write_known(json, "compute_minor", device.compute_minor);
    json.end_object();
  }
  json.end_array();
}

void write_recording(JsonWriter& json, const TraceInfo& info) {
  json.key("recorded_with");
  json.begin_object(JsonWriter::Layout::kInline);
  for (const RecordingOption& option : kRecordingOptions) {
    json.key(option.name);
    const int value = info.*option.value;
    value < 0 ? json.null() : json.value(value > 0);
  }
  json.end_object();
}

void write_tracks(JsonWriter& json, const std::vector<TrackInfo>& tracks) {
  json.key("tracks");
  json.begin_array();
  for (const TrackInfo& track : tracks) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("process", track.process);
    json.field("thread", track.thread);
    write_known(json, "process_name", track.process_name);
    write_known(json, "thread_name", track.thread_name);
    json.field("slices", track.slices);
    json.field("activities", track.activities);
    json.field("lanes", track.lanes);
    json.end_object();
  }
  json.end_array();
}

void write_counts(JsonWriter& json, const std::vector<CategoryCount>& counts) {
  json.key("events");
  json.begin_array();
  for (const CategoryCount& count : counts) {
    json.begin_object(JsonWriter::Layout::kInline);
    json.field("category", count.category);
    json.field("phase", std::string_view(&count.phase, 1));
    json.field("count", count.count);
    json.end_object();
  }
  json.end_array();
}

void write_metadata(JsonWriter& json, const TraceInfo& info) {
  json.key("metadata");
  json.begin_object();
  for (const auto& [key, value] : info.metadata) json.field(key, value);
  json.end_object();
}

void write_rank(JsonWriter& json, const RankInfo& rank) {
  const TraceInfo& info = rank.info;
  json.begin_object();
  write_label(json, rank.label);
  write_known(json, "world_size", info.world_size);
  write_known(json, "backend", info.backend);
  write_known(json, "nccl_version", info.nccl_version);
  json.field("format", info.format);
  json.field("compression", info.compression);
  json.field("source_bytes", info.source_bytes);
  json.field("text_bytes", info.text_bytes);
  write_known(json, "schema_version", info.schema_version);
  write_known(json, "producer", info.producer);
  write_known(json, "host", info.host_name);
  write_known(json, "trace_name", info.trace_name);
  json.field("clock_resolution_ns", info.whole_microseconds ? 1000 : 1);
  json.key("start_unix_ns");
  const std::optional<int64_t> start = start_as_unix_ns(rank);
  start ? json.value(*start) : json.null();
  json.field("step_source", name_of_source(rank.step_source));
  write_recording(json, info);
  write_devices(json, info.devices);
  write_figures(json, rank.figures);
  write_counts(json, rank.counts);
  write_tracks(json, rank.tracks);
  write_metadata(json, info);
  write_losses(json, rank.losses);
  json.end_object();
}

std::string render_json(const std::vector<RankInfo>& ranks, const std::vector<ReadError>& errors) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.field("command", "info");
  json.key("ranks");
  json.begin_array();
  for (const RankInfo& rank : ranks) write_rank(json, rank);
  json.end_array();
  write_errors(json, errors);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

Result<Answer> run_info(const Arguments& arguments, const Context& context) {
  std::vector<RankInfo> ranks;
  const std::vector<ReadError> errors = for_each_trace(
      arguments, context,
      [&](const analyze::AnalyzedTrace& analyzed, const analyze::RankLabel& label, int64_t) -> Status {
        ranks.push_back(summarize(analyzed, label));
        return Done{};
      });
  sort_by_rank(ranks);

  Answer answer{.exit_code = exit_code_of(errors)};
  if (arguments.text(kFormatArgument) == "json") {
    answer.text = render_json(ranks, errors);
    return answer;
  }
  for (const RankInfo& rank : ranks) {
    if (!answer.text.empty()) answer.text += "\n";
    answer.text += render_text(rank, context.console);
  }
  return answer;
}

}  // namespace skyline::cli
