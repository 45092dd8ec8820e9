#include "analyze/advice/input_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/host_ranges.h"
#include "analyze/core/saturate.h"
#include "analyze/places/gap_samples.h"
#include "analyze/time/time_parts.h"
#include "base/median.h"

namespace skyline::analyze {
namespace {

constexpr double kWaitWorthIt = 0.05;
constexpr double kRestartWorthIt = 0.02;
constexpr int64_t kSlowBatchInSteps = 10, kSlowBatchNs = 100'000'000;

enum class Loader : uint8_t { kNone, kUnknown, kMainProcess, kWorkers };

struct Fetches {
  Loader loader = Loader::kNone;
  std::vector<uint32_t> ops;  // rows of Trace::ops: fetches within steps
};

// Of all loaders.
std::optional<int64_t> most_workers(const TrainingFacts& facts) {
  std::optional<int64_t> most;
  for (int64_t loader = 0; loader < 16; ++loader) {
    const std::optional<int64_t> workers = facts.number_setting(fmt::format("loader.{}.num_workers", loader));
    if (workers) most = std::max(most.value_or(0), *workers);
  }
  return most;
}

Fetches find_fetches(const TrainingFacts& facts) {
  const Trace& trace = facts.trace;
  PerName<bool> is_fetch(trace.strings, names_input_fetch);
  Fetches fetches;
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const StringId name = trace.slices.name[trace.ops.slice[op].value];
    if (!facts.is_in_steps(op) || !is_fetch(name)) continue;
    fetches.ops.push_back(op);
    const std::string_view text = trace.strings[name];
    if (text.find("SingleProcess") != text.npos) fetches.loader = Loader::kMainProcess;
    if (text.find("MultiProcessing") != text.npos) fetches.loader = Loader::kWorkers;
  }
  if (fetches.loader != Loader::kNone) return fetches;
  const std::optional<int64_t> workers = most_workers(facts);
  if (workers) {
    fetches.loader = *workers == 0 ? Loader::kMainProcess : Loader::kWorkers;
  } else if (!fetches.ops.empty() || !facts.analyzed.get<fetch_time>().empty()) {
    fetches.loader = Loader::kUnknown;
  }
  return fetches;
}

// Where the loop asks for batches.
FindingPlace loop_place(const TrainingFacts& facts, const Fetches& fetches) {
  return fetches.ops.empty() ? FindingPlace() : facts.place_of(fetches.ops.back());
}

std::vector<SliceId> longest_slices(const TrainingFacts& facts, std::vector<uint32_t> ops) {
  const auto dur = [&](uint32_t op) { return facts.trace.slices.dur_ns[facts.trace.ops.slice[op].value]; };
  std::stable_sort(ops.begin(), ops.end(), [&](uint32_t a, uint32_t b) { return dur(a) > dur(b); });
  std::vector<SliceId> slices;
  for (size_t i = 0; i < ops.size() && i < 3; ++i) slices.push_back(facts.trace.ops.slice[ops[i]]);
  return slices;
}

// The line on which workers spend most of the time that is sampled of them.
FindingPlace busiest_worker_line(const TrainingFacts& facts) {
  std::map<uint32_t, int64_t> time;
  for (const ElsewhereSamples::Place& place : facts.analyzed.get<ElsewhereSamples>().places)
    time[place.line] += place.time_ns;
  const auto most = std::max_element(time.begin(), time.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == time.end() ? FindingPlace() : facts.place_of_line(most->first);
}

// Of the time in which worker processes live, the share that they spend making batches.
std::optional<double> busy_share(const TrainingFacts& facts) {
  int64_t fetch = 0, wait = 0;
  for (uint32_t op = 0; op < facts.trace.ops.size(); ++op) {
    const SliceId slice = facts.trace.ops.slice[op];
    const std::string_view name = facts.trace.slice_name(slice);
    if (name == "DataLoader.fetch") fetch = plus(fetch, facts.trace.slices.dur_ns[slice.value]);
    if (name == "DataLoader.wait") wait = plus(wait, facts.trace.slices.dur_ns[slice.value]);
  }
  if (fetch + wait <= 0) return std::nullopt;
  return static_cast<double>(fetch) / static_cast<double>(fetch + wait);
}

bool makes_workers(std::string_view function) {
  return function.ends_with("_get_iterator") || function.ends_with("_MultiProcessingDataLoaderIter.__init__");
}

Finding no_loader(std::string_view id) {
  return cannot_judge(id, "No DataLoader was seen to fetch within steps.",
                      "Iterate over a torch.utils.data.DataLoader while recording.");
}

}  // namespace

void rule_input_workers(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "input.workers";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Fetches fetches = find_fetches(facts);
  if (fetches.loader == Loader::kNone || fetches.loader == Loader::kUnknown) {
    out.push_back(no_loader(kId));
    return;
  }
  const IntervalSet& input = analyzed.get<TimeParts>().of(Part::kInput);
  const int64_t time = facts.per_step(input);
  if (fetches.loader == Loader::kWorkers || facts.share(time) < kWaitWorthIt) {
    out.push_back(not_found(kId, fetches.loader == Loader::kWorkers
                                     ? "Worker processes load the batches."
                                     : "The main process loads batches fast enough."));
    return;
  }
  const FindingPlace loop = loop_place(facts, fetches);
  const FindingPlace made = facts.line_with({"DataLoader("}, loop);
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "waits for batches that the main process loads",
                                   .cure = "num_workers > 0 in its DataLoader",
                                   .place = made.file.empty() ? loop : made,
                                   .claims = intersect(input, facts.usual),
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .figures = {"training.fetch"},
                                   .slices = longest_slices(facts, fetches.ops),
                                   .count = static_cast<int64_t>(fetches.ops.size())}));
}

void rule_input_wait(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "input.wait";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Fetches fetches = find_fetches(facts);
  if (fetches.loader == Loader::kNone) {
    out.push_back(no_loader(kId));
    return;
  }
  const IntervalSet& input = analyzed.get<TimeParts>().of(Part::kInput);
  const int64_t time = facts.per_step(input);
  if (fetches.loader == Loader::kMainProcess || facts.share(time) < kWaitWorthIt) {
    out.push_back(not_found(kId, "Batches are there when they are wanted."));
    return;
  }
  const std::optional<int64_t> workers = most_workers(facts),
                               processors = facts.number_setting("machine.processors");
  const std::optional<double> busy = busy_share(facts);
  std::string what = "waits for batches", cure = "more workers, cheaper transforms or faster storage";
  if (workers && processors && *workers > *processors) {
    what = fmt::format("waits for batches of {} workers on {} processors", *workers, *processors);
    cure = "fewer workers or cheaper transforms";
  } else if (busy && *busy >= 0.8) {
    what = fmt::format("waits for its workers, which make batches {:.0f} % of their time", 100 * *busy);
    cure = "more workers or cheaper transforms";
  } else if (busy && *busy < 0.5) {
    what =
        fmt::format("waits for batches although workers are idle {:.0f} % of their time", 100 * (1 - *busy));
    cure = "a larger prefetch_factor, smaller batches to hand over or pinned memory";
  }
  FindingPlace place = busiest_worker_line(facts);
  if (place.file.empty()) place = loop_place(facts, fetches);
  out.push_back(found_time(facts, {.id = kId,
                                   .what = std::move(what),
                                   .cure = std::move(cure),
                                   .place = std::move(place),
                                   .claims = intersect(input, facts.usual),
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .figures = {"training.fetch"},
                                   .slices = longest_slices(facts, fetches.ops),
                                   .count = static_cast<int64_t>(fetches.ops.size())}));
}

void rule_input_restart(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "input.workers_restarted";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_samples) {
    out.push_back(cannot_judge(kId, "What starting DataLoader workers costs was not recorded.",
                               std::string(kSampleCure)));
    return;
  }
  std::vector<Interval> starts;
  int64_t last_end_ns = INT64_MIN;
  bool is_first = true;
  FindingPlace place;
  for (const Stretch& stretch : facts.stretches()) {
    for (StackId at = stretch.stack; at.exists(); at = trace.stacks.parent[at.value]) {
      const FrameId frame = trace.stacks.frame[at.value];
      if (!frame.exists() || !makes_workers(trace.strings[trace.frames.function[frame.value]])) continue;
      // The first start is not to be avoided.
      if (last_end_ns != INT64_MIN && minus(stretch.start_ns, last_end_ns) > facts.step_ns) is_first = false;
      last_end_ns = stretch.end_ns;
      if (!is_first) starts.push_back({stretch.start_ns, stretch.end_ns});
      if (place.file.empty()) place = facts.place_of_line(stretch.place.line);
      break;
    }
  }
  const IntervalSet claims = IntervalSet::of(std::move(starts));
  const int64_t time = facts.per_step_of_all(claims);
  if (facts.share_of_all(time) < kRestartWorthIt) {
    out.push_back(not_found(kId, "DataLoader workers are not started again and again."));
    return;
  }
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "starts DataLoader workers again",
                                   .cure = "persistent_workers=True",
                                   .place = std::move(place),
                                   .claims = claims,
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .confidence = Confidence::kMedium}));
}

void rule_input_first(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "input.first_batch";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  std::vector<int64_t> durations;
  uint32_t slowest = kNoRow;
  PerName<bool> is_fetch(trace.strings, names_input_fetch);
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const SliceId slice = trace.ops.slice[op];
    if (!is_fetch(trace.slices.name[slice.value])) continue;
    const int64_t dur = trace.slices.dur_ns[slice.value];
    durations.push_back(dur);
    if (slowest == kNoRow || dur > trace.slices.dur_ns[trace.ops.slice[slowest].value]) slowest = op;
  }
  if (durations.size() < 3) {
    out.push_back(
        cannot_judge(kId, "Fewer than three batches were seen to be fetched.", "Record more steps."));
    return;
  }
  const SliceId slice = trace.ops.slice[slowest];
  const int64_t most = trace.slices.dur_ns[slice.value], usual = lower_median(durations);
  const bool is_slow = most / kSlowBatchInSteps > facts.step_ns && most / kSlowBatchInSteps > usual;
  if (!is_slow || most < kSlowBatchNs) {
    out.push_back(not_found(kId, "No batch takes ten times as long as a step."));
    return;
  }
  const int64_t start = trace.slices.start_ns[slice.value];
  FindingPlace place =
      facts.place_of_line(facts.user_line_at(trace.slices.track[slice.value], start + most / 2));
  if (place.file.empty()) place = facts.place_of(slowest);
  const int64_t lost = (most - usual) / facts.step_count;
  Finding finding = found_time(facts, {.id = kId,
                                       .what = "",
                                       .cure = "preparing it once, ahead of the loop, and keeping it",
                                       .place = place,
                                       .claims = IntervalSet::of({{start, start + most}}),
                                       .time_ns = lost,
                                       .gain_ns = lost,
                                       .confidence = Confidence::kLow,  // over more steps it is less
                                       .slices = {slice},
                                       .count = 1});
  finding.sentence =
      fmt::format("One batch takes {}, as long as {:.0f} steps{}: {} saves up to {} a {}.", time_text(most),
                  static_cast<double>(most) / static_cast<double>(facts.step_ns), place_text(place),
                  finding.cure, time_text(lost), facts.subject);
  out.push_back(std::move(finding));
}

}  // namespace skyline::analyze
