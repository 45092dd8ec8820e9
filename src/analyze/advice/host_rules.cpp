#include "analyze/advice/host_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/core/activity_view.h"
#include "analyze/core/saturate.h"
#include "analyze/places/user_files.h"

namespace skyline::analyze {
namespace {

constexpr int64_t kLongPauseNs = 1'000'000;
constexpr size_t kMostPlaces = 64;  // pauses whose line is looked up
constexpr double kLoggingWorthIt = 0.05, kPythonWorthIt = 0.10;

std::string_view file_of(const Trace& trace, StackId stack) {
  if (!stack.exists()) return {};
  const FrameId frame = trace.stacks.frame[stack.value];
  return frame.exists() ? trace.strings[trace.frames.file[frame.value]] : std::string_view();
}

bool holds_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

// Whether the program itself wants the value, and no library for its own purposes.
bool is_asked_by_user(const TrainingFacts& facts, uint32_t op) {
  const StackId stack = facts.trace.ops.stack_of(op);
  if (!stack.exists()) return true;
  return !looks_foreign(file_of(facts.trace, stack));
}

// From the wait until the device has work again: the device's idle moments in it are what the wait costs at
// most.
IntervalSet idle_after(const TrainingFacts& facts, const std::vector<Interval>& waits) {
  const IntervalSet busy = facts.analyzed.get<ActivityView>().covered();
  const std::span<const Interval> work = busy.intervals();
  std::vector<Interval> until_work;
  for (const Interval& wait : waits) {
    const auto next =
        std::lower_bound(work.begin(), work.end(), wait.end_ns,
                         [](const Interval& busy_time, int64_t time) { return busy_time.start_ns < time; });
    until_work.push_back({wait.start_ns, next == work.end() ? wait.end_ns : next->start_ns});
  }
  return subtract(intersect(IntervalSet::of(std::move(until_work)), facts.all), busy);
}

enum class Talk : uint8_t { kNone, kPrints, kSaves };

Talk talk_of(const TrainingFacts& facts, const Stretch& stretch) {
  for (StackId at = stretch.stack; at.exists(); at = facts.trace.stacks.parent[at.value]) {
    const std::string_view file = file_of(facts.trace, at);
    if (file.ends_with("torch/serialization.py") || file.ends_with("/pickle.py")) return Talk::kSaves;
    if (holds_any(file, {"/logging/__init__.py", "/tensorboard/", "/wandb/", "/tqdm/", "/mlflow/", "/loguru/",
                         "/traceback.py", "/pprint.py"}))
      return Talk::kPrints;
  }
  if (stretch.place.line == PlaceTree::kRoot || stretch.is_near) return Talk::kNone;
  const LinePlaces::Label label = facts.places.lines.label(stretch.place.line);
  const std::string_view text = facts.source_line(label.file, label.line);
  if (holds_any(text, {"torch.save(", "save_checkpoint(", "save_pretrained(", "save_file("}))
    return Talk::kSaves;
  if (holds_any(text, {"print(", "logger.", "logging.", "log.info(", "stdout.write(", "stderr.write(",
                       "add_scalar(", "wandb.log("}))
    return Talk::kPrints;
  return Talk::kNone;
}

}  // namespace

void rule_synchronisation(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "host.synchronisation";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  std::vector<Interval> waits;
  std::vector<SliceId> slices;
  std::map<uint32_t, std::pair<int64_t, uint32_t>> lines;  // waits and one of them
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    if (facts.kind(op) != OpKind::kHostRead || !facts.is_in_steps(op)) continue;
    const uint32_t around = facts.places.around[op];
    if (around != kNoRow && facts.kind(around) == OpKind::kHostRead) continue;
    const Phase phase = facts.places.of[op].phase;
    if (facts.is_input(op) || phase == Phase::kZeroGrad) continue;
    // On the CPU optimizers read their own counters, which costs nothing.
    if (!facts.has_device && (phase == Phase::kOptimizer || !is_asked_by_user(facts, op))) continue;
    const SliceId slice = trace.ops.slice[op];
    waits.push_back({trace.slices.start_ns[slice.value], trace.slices.end_ns(slice)});
    if (slices.size() < 3) slices.push_back(slice);
    std::pair<int64_t, uint32_t>& line = lines.try_emplace(facts.places.of[op].line, 0, op).first->second;
    ++line.first;
  }
  const auto count = static_cast<int64_t>(waits.size());
  const IntervalSet host = IntervalSet::of(waits);
  const int64_t host_time = facts.per_step(host);
  if (waits.empty() || (!facts.is_in_most_steps(count) && facts.share(host_time) < 0.02)) {
    out.push_back(not_found(kId, "The loop rarely asks for values of tensors."));
    return;
  }
  const IntervalSet claims = facts.has_device ? idle_after(facts, waits) : host;
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  const int64_t gain = facts.per_step(claims);
  const FindingPlace place = facts.place_of(most->second.second);
  Finding finding = found_time(
      facts, {.id = kId,
              .what = facts.has_device ? "is spent where the program waits for values of the device"
                                       : "is spent reading values of tensors into Python",
              .cure = "reading them every few steps only, or leaving them on the device",
              .place = place,
              .claims = claims,
              .time_ns = facts.has_device ? std::max(host_time, gain) : host_time,
              .gain_ns = gain,
              .slices = slices,
              .count = count});
  out.push_back(std::move(finding));
}

void rule_garbage_collection(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "host.garbage_collection";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (!facts.has_samples && trace.gc_pauses.size() == 0) {
    out.push_back(cannot_judge(kId, "Pauses of Python's garbage collector were not recorded.",
                               std::string(kSampleCure)));
    return;
  }
  std::map<StringId, bool> trains;  // by process
  for (const TrackId thread : analyzed.get<training_threads>())
    trains[trace.tracks[thread.value].process] = true;
  std::vector<Interval> pauses;
  uint32_t longest = kNoRow;
  std::map<uint32_t, int64_t> lines;
  for (uint32_t row = 0; row < trace.gc_pauses.size(); ++row) {
    const int64_t start = trace.gc_pauses.start_ns[row], dur = trace.gc_pauses.dur_ns[row];
    if (dur < kLongPauseNs || facts.all.total_within(start, plus(start, dur)) == 0) continue;
    if (!trains.contains(trace.tracks[trace.gc_pauses.track[row].value].process)) continue;
    pauses.push_back({start, plus(start, dur)});
    if (pauses.size() <= kMostPlaces)
      lines[facts.user_line_at(trace.gc_pauses.track[row], start + dur / 2)] += dur;
    if (longest == kNoRow || dur > trace.gc_pauses.dur_ns[longest]) longest = row;
  }
  const auto count = static_cast<int64_t>(pauses.size());
  const IntervalSet claims = IntervalSet::of(std::move(pauses));
  const int64_t time = facts.per_step_of_all(claims);
  // A share of the mean step: pauses come in some steps only.
  if (longest == kNoRow || facts.share_of_all(time) < kWorthSaying) {
    out.push_back(not_found(kId, "Python's garbage collector takes little time."));
    return;
  }
  const auto most = std::max_element(lines.begin(), lines.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  Finding finding = found_time(
      facts,
      {.id = kId,
       .what = "",
       .cure = "gc.freeze() before the loop, a higher gc.set_threshold() or collecting between epochs only",
       .place = facts.place_of_line(most->first),
       .claims = claims,
       .time_ns = time,
       .gain_ns = time,
       .count = count});
  finding.sentence =
      fmt::format("Python's garbage collector stops the program {} a {}, {} at most{}: {} saves up to {}.",
                  time_text(time), facts.subject, time_text(trace.gc_pauses.dur_ns[longest]),
                  place_text(finding.place), finding.cure, time_text(time));
  out.push_back(std::move(finding));
}

void rule_debug_modes(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "host.debug_mode";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  struct Mode {
    std::string_view key, on, name, cure;
    std::initializer_list<std::string_view> words;
  };
  static const Mode kModes[] = {
      {"torch.anomaly_detection",
       "True",
       "autograd's anomaly detection",
       "switching it off",
       {"set_detect_anomaly(", "detect_anomaly("}},
      {"python.tracing", "True", "a Python tracer (sys.settrace)", "switching it off", {"settrace("}},
      {"python.profiling", "True", "a Python profiler (sys.setprofile)", "switching it off", {"setprofile("}},
      {"environment.PYTHONTRACEMALLOC", "", "tracemalloc", "unsetting PYTHONTRACEMALLOC", {}},
      {"python.dev_mode", "True", "Python's development mode", "running without -X dev", {}},
      {"environment.TORCH_DISTRIBUTED_DEBUG", "DETAIL", "TORCH_DISTRIBUTED_DEBUG=DETAIL", "unsetting it", {}},
      {"environment.CUDA_LAUNCH_BLOCKING", "1", "CUDA_LAUNCH_BLOCKING=1", "unsetting it", {}},
  };
  // What anomaly detection does for every backward operator; what it adds to forward operators is inside
  // them.
  const Work checks = facts.work([&](uint32_t op) {
    const std::string_view name = facts.trace.slice_name(facts.trace.ops.slice[op]);
    return facts.places.of[op].in_backward && (name == "aten::isnan" || name == "aten::_is_any_true");
  });
  const bool checks_gradients = checks.calls > 0 && facts.is_in_most_steps(checks.calls);
  if (!facts.has_settings && !checks_gradients) {
    out.push_back(
        cannot_judge(kId, "Whether debugging aids are on was not recorded.", std::string(kSampleCure)));
    return;
  }
  bool any = false;
  for (const Mode& mode : kModes) {
    const std::optional<std::string_view> value = facts.setting(mode.key);
    // Set by name alone: any value but none and 0 switches it on.
    const bool is_off = !value || (mode.on.empty() ? value->empty() || *value == "0" : *value != mode.on);
    const bool is_seen = mode.key == "torch.anomaly_detection" && checks_gradients;
    if (is_off && !is_seen) continue;
    any = true;
    Finding finding;
    finding.id = kId;
    finding.severity = FindingSeverity::kAdvice;
    finding.count = 1;
    finding.place = mode.words.size() == 0 ? FindingPlace() : facts.line_with(mode.words, {});
    if (finding.place.file.empty() && mode.words.size() > 0 && !facts.forward_ops().empty())
      finding.place = facts.line_with(mode.words, facts.place_of(facts.forward_ops().back()));
    finding.cure = mode.cure;
    finding.sentence = fmt::format("The {} runs with {}{}: {} makes it faster.", facts.subject, mode.name,
                                   place_text(finding.place), mode.cure);
    if (is_seen) {
      finding.gain = FindingGain{.time_ns = facts.per_step(checks.moments)};
      finding.claims = checks.moments;
      finding.sentence =
          fmt::format("The {} runs with {}{}, whose checks alone take {:.0f} % of it: {} saves {} and more.",
                      facts.subject, mode.name, place_text(finding.place),
                      100 * facts.share(finding.gain->time_ns), mode.cure, time_text(finding.gain->time_ns));
    }
    out.push_back(std::move(finding));
  }
  if (!any) out.push_back(not_found(kId, "No debugging aid is switched on."));
}

void rule_logging(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "host.logging";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_samples) {
    out.push_back(
        cannot_judge(kId, "What printing and saving cost was not recorded.", std::string(kSampleCure)));
    return;
  }
  struct Found {
    std::vector<Interval> moments;
    std::map<uint32_t, int64_t> lines;
  };
  std::array<Found, 3> by_talk;
  for (const Stretch& stretch : facts.stretches()) {
    if (stretch.op != kNoRow) continue;
    const Talk talk = talk_of(facts, stretch);
    if (talk == Talk::kNone) continue;
    Found& found = by_talk[static_cast<size_t>(talk)];
    found.moments.push_back({stretch.start_ns, stretch.end_ns});
    found.lines[stretch.place.line] += stretch.end_ns - stretch.start_ns;
  }
  bool any = false;
  for (const Talk talk : {Talk::kPrints, Talk::kSaves}) {
    Found& found = by_talk[static_cast<size_t>(talk)];
    const IntervalSet claims = IntervalSet::of(std::move(found.moments));
    const int64_t time = facts.per_step_of_all(claims);
    if (facts.share_of_all(time) < kLoggingWorthIt) continue;
    any = true;
    const auto most = std::max_element(found.lines.begin(), found.lines.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool prints = talk == Talk::kPrints;
    out.push_back(found_time(
        facts,
        {.id = kId,
         .what = prints ? "is spent printing or logging" : "is spent saving to disk",
         .cure = prints ? "doing it every few steps only" : "saving more rarely, or in another process,",
         .place = facts.place_of_line(most->first),
         .claims = claims,
         .time_ns = time,
         .gain_ns = time,
         .figures = {"host.outside_operators"}}));
  }
  if (!any) out.push_back(not_found(kId, "Printing, logging and saving take little time."));
}

void rule_slow_python(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "host.python";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  if (!facts.has_samples) {
    out.push_back(cannot_judge(kId, "In which lines Python works between operators was not recorded.",
                               std::string(kSampleCure)));
    return;
  }
  struct Line {
    std::vector<Interval> moments;
    int64_t time_ns = 0;
  };
  std::map<uint32_t, Line> lines;
  for (const Stretch& stretch : facts.stretches()) {
    if (stretch.op != kNoRow || stretch.is_near || stretch.place.phase != Phase::kPython) continue;
    if (stretch.place.line == PlaceTree::kRoot || !stretch.stack.exists()) continue;
    // What torch does in Python around its operators is another question.
    if (file_of(facts.trace, stretch.stack).find("/torch/") != std::string_view::npos) continue;
    Line& line = lines[stretch.place.line];
    line.moments.push_back({stretch.start_ns, stretch.end_ns});
    line.time_ns += stretch.end_ns - stretch.start_ns;
  }
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.time_ns < b.second.time_ns;
  });
  IntervalSet claims;
  if (most != lines.end()) {
    const IntervalSet busy = facts.analyzed.get<ActivityView>().covered();
    claims = subtract(IntervalSet::of(std::move(most->second.moments)), busy);
  }
  const int64_t time = facts.per_step(claims);
  if (facts.share(time) < kPythonWorthIt) {
    out.push_back(not_found(kId, "No line of Python takes much of the step outside of operators."));
    return;
  }
  out.push_back(found_time(facts, {.id = kId,
                                   .what = "is Python in one line, outside of operators",
                                   .cure = "doing it in torch, once before the loop, or in a worker",
                                   .place = facts.place_of_line(most->first),
                                   .claims = claims,
                                   .time_ns = time,
                                   .gain_ns = time,
                                   .confidence = Confidence::kMedium,
                                   .figures = {"host.outside_operators"}}));
}

}  // namespace skyline::analyze
