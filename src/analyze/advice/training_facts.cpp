#include "analyze/advice/training_facts.h"

#include <algorithm>
#include <charconv>

#include "analyze/core/per_name.h"
#include "analyze/core/recorded.h"
#include "analyze/core/saturate.h"
#include "analyze/places/gap_samples.h"
#include "analyze/time/time_parts.h"
#include "base/median.h"

namespace skyline::analyze {

TrainingFacts::TrainingFacts(const AnalyzedTrace& of)
    : analyzed(of),
      trace(of.trace()),
      places(of.get<OpPlaces>()),
      has_device(trace.activities.size() > 0),
      has_types(std::any_of(trace.signatures.types.begin(), trace.signatures.types.end(),
                            [](StringId types) { return types.exists(); })),
      has_stacks(trace.stacks.size() > 0 || trace.pythons.size() > 0),
      has_samples(trace.samples.size() > 0),
      has_settings(trace.settings.size() > 0),
      all(of.get<judged_time>()),
      usual(of.get<usual_time>()),
      step_count(std::max<int64_t>(1, static_cast<int64_t>(trace.steps.size()))),
      subject(trace.steps.empty() ? "run" : "step"),
      all_ns(all.total_ns()) {
  std::vector<int64_t> durations;
  for (const Step& step : trace.steps) {
    if (usual.total_within(step.start_ns, step.end_ns) > 0) durations.push_back(step.dur_ns());
  }
  step_ns = durations.empty() ? all_ns : lower_median(durations);
  std::vector<Interval> steady;
  for (const Step& step : trace.steps) {
    const bool is_usual = usual.total_within(step.start_ns, step.end_ns) > 0;
    if (is_usual || !steady.empty()) steady.push_back({step.start_ns, step.end_ns});
  }
  steady_count_ = std::max<int64_t>(1, static_cast<int64_t>(steady.size()));
  steady_ = steady.empty() ? all : IntervalSet::of(std::move(steady));

  PerName<OpKind> kind_of(trace.strings, op_kind);
  kinds_.resize(trace.ops.size());
  is_outermost_.resize(trace.ops.size());
  is_in_steps_.resize(trace.ops.size());
  is_input_.resize(trace.ops.size());
  const IntervalSet& fetches = of.get<fetch_time>();
  std::vector<bool> has_operator_around(trace.ops.size());
  for (uint32_t op = 0; op < trace.ops.size(); ++op) {
    const SliceId slice = trace.ops.slice[op];
    kinds_[op] = kind_of(trace.slices.name[slice.value]);
    const uint32_t around = places.around[op];
    has_operator_around[op] = around != kNoRow && (places.is_operator[around] || has_operator_around[around]);
    is_outermost_[op] = places.is_operator[op] && !has_operator_around[op];
    const int64_t start = trace.slices.start_ns[slice.value];
    is_in_steps_[op] = all.total_within(start, plus(start, 1)) > 0;
    is_input_[op] = places.of[op].phase == Phase::kData || fetches.total_within(start, plus(start, 1)) > 0;
    const bool is_forward = places.of[op].phase == Phase::kForward && !is_input_[op];
    if (is_outermost_[op] && is_in_steps_[op] && is_forward) forward_ops_.push_back(op);
  }

  op_of_activity_.assign(trace.activities.size(), kNoRow);
  for (uint32_t activity = 0; activity < trace.activities.size(); ++activity) {
    const SliceId launch = trace.activities.launch[activity];
    if (!launch.exists() || !is_launch(trace.category(launch))) continue;
    const SliceId op = trace.launches.op[trace.slices.detail[launch.value]];
    if (op.exists()) op_of_activity_[activity] = trace.slices.detail[op.value];
  }
  for (uint32_t row = 0; row < trace.settings.size(); ++row) {
    const StringId value = trace.settings.value[row];
    settings_[trace.strings[trace.settings.key[row]]] =
        value.exists() ? trace.strings[value] : std::string_view();
  }
  for (const SourceFile& file : trace.sources) {
    std::vector<std::string_view>& lines = sources_[file.path];
    for (std::string_view left = file.text; !left.empty();) {
      const size_t end = std::min(left.find('\n'), left.size());
      lines.push_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  find_stretches();
}

void TrainingFacts::find_stretches() {
  for (const TrackId thread : analyzed.get<training_threads>()) {
    const Interval window = all.empty()
                                ? Interval{0, 0}
                                : Interval{all.intervals().front().start_ns, all.intervals().back().end_ns};
    for (Stretch& stretch : sampled_wall_time(analyzed, {thread, window.start_ns, window.end_ns})) {
      if (all.total_within(stretch.start_ns, stretch.end_ns) > 0) stretches_.push_back(stretch);
    }
  }
}

int64_t TrainingFacts::per_step(const IntervalSet& moments) const {
  std::vector<int64_t> times;
  for (const Step& step : trace.steps) {
    if (usual.total_within(step.start_ns, step.end_ns) > 0)
      times.push_back(moments.total_within(step.start_ns, step.end_ns));
  }
  if (times.empty()) return intersect(moments, all).total_ns();
  return lower_median(times);
}

int64_t TrainingFacts::per_step_of_all(const IntervalSet& moments) const {
  return intersect(moments, steady_).total_ns() / steady_count_;
}

double TrainingFacts::share_of_all(int64_t per_step_ns) const {
  const int64_t steady_ns = steady_.total_ns();
  return steady_ns <= 0 ? 0
                        : static_cast<double>(per_step_ns * steady_count_) / static_cast<double>(steady_ns);
}

double TrainingFacts::share(int64_t per_step_ns) const {
  return step_ns <= 0 ? 0 : static_cast<double>(per_step_ns) / static_cast<double>(step_ns);
}

Work TrainingFacts::work_inside(std::vector<uint8_t> inside) const {
  const std::vector<uint8_t> picked = inside;
  // Operators stand behind those around them; backward operators anywhere.
  const auto spread = [&](bool to_backward) {
    for (uint32_t op = 0; op < inside.size(); ++op) {
      if (inside[op] != 0) continue;
      const uint32_t around = places.around[op];
      if (around != kNoRow && inside[around] != 0) inside[op] = inside[around];
      if (!to_backward || !places.of[op].in_backward) continue;
      const SliceId forward = trace.ops.forward[places.function[op]];
      if (forward.exists() && inside[trace.slices.detail[forward.value]] != 0) inside[op] = 1;
    }
  };
  spread(false);
  spread(true);

  Work work;
  std::vector<Interval> moments;
  std::map<uint32_t, std::pair<int64_t, uint32_t>> lines;  // time and its costliest call
  std::map<uint32_t, int64_t> longest;
  const auto add = [&](uint32_t op, int64_t start_ns, int64_t end_ns) {
    moments.push_back({start_ns, end_ns});
    const uint32_t line = places.of[op].line;
    std::pair<int64_t, uint32_t>& sum = lines.try_emplace(line, 0, op).first->second;
    const int64_t dur = minus(end_ns, start_ns);
    sum.first = plus(sum.first, dur);
    if (dur > longest[line]) {
      longest[line] = dur;
      sum.second = op;
    }
  };
  for (uint32_t op = 0; op < inside.size(); ++op) {
    if (inside[op] == 0 || !is_in_steps_[op]) continue;
    work.calls += picked[op] != 0 ? 1 : 0;
    const uint32_t around = places.around[op];
    if (has_device || (around != kNoRow && inside[around] != 0)) continue;
    const SliceId slice = trace.ops.slice[op];
    add(op, trace.slices.start_ns[slice.value], trace.slices.end_ns(slice));
  }
  for (uint32_t activity = 0; activity < op_of_activity_.size(); ++activity) {
    const uint32_t op = op_of_activity_[activity];
    const SliceId slice = trace.activities.slice[activity];
    if (op == kNoRow || inside[op] == 0 || !is_in_steps_[op] || trace.category(slice) != Category::kKernel)
      continue;
    add(op, trace.slices.start_ns[slice.value], trace.slices.end_ns(slice));
  }
  work.moments = IntervalSet::of(std::move(moments));
  work.total_ns = intersect(work.moments, all).total_ns();
  int64_t most = -1;
  for (const auto& [line, sum] : lines) {
    if (sum.first > most) {
      most = sum.first;
      work.op = sum.second;
    }
  }
  return work;
}

size_t TrainingFacts::step_of(uint32_t op) const {
  const int64_t start = trace.slices.start_ns[trace.ops.slice[op].value];
  const auto next = std::upper_bound(trace.steps.begin(), trace.steps.end(), start,
                                     [](int64_t time, const Step& step) { return time < step.start_ns; });
  return static_cast<size_t>(next - trace.steps.begin());
}

FindingPlace TrainingFacts::place_of_line(uint32_t line) const {
  FindingPlace place;
  if (line == PlaceTree::kRoot || line == kNoRow) return place;
  const LinePlaces::Label label = places.lines.label(line);
  place.file = label.file;
  place.line = label.line;
  return place;
}

FindingPlace TrainingFacts::place_of(uint32_t op) const {
  if (op == kNoRow) return {};
  FindingPlace place = place_of_line(places.of[op].line);
  place.module = places.modules.label(places.of[op].module).name;
  place.op = trace.slice_name(trace.ops.slice[op]);
  return place;
}

uint32_t TrainingFacts::user_line_at(TrackId thread, int64_t time_ns) const {
  // Samples nearby say it; without them the operators around.
  uint32_t best = PlaceTree::kRoot;
  int64_t nearest = INT64_MAX;
  for (uint32_t row = 0; row < trace.samples.size(); ++row) {
    if (trace.samples.track[row] != thread || !trace.samples.stack[row].exists()) continue;
    const int64_t distance = std::abs(minus(trace.samples.time_ns[row], time_ns));
    if (distance >= nearest) continue;
    const uint32_t line = places.line_of_sample(trace.samples.stack[row]);
    if (line == PlaceTree::kRoot) continue;
    nearest = distance;
    best = line;
  }
  return best;
}

std::optional<std::string_view> TrainingFacts::setting(std::string_view key) const {
  const auto found = settings_.find(key);
  if (found == settings_.end()) return std::nullopt;
  return found->second;
}

std::optional<int64_t> TrainingFacts::number_setting(std::string_view key) const {
  const std::optional<std::string_view> text = setting(key);
  if (!text) return std::nullopt;
  int64_t number = 0;
  const std::from_chars_result read = std::from_chars(text->data(), text->data() + text->size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

const std::vector<std::string_view>& TrainingFacts::lines_of(std::string_view file) const {
  static const std::vector<std::string_view> kNone;
  const auto found = sources_.find(file);
  return found == sources_.end() ? kNone : found->second;
}

std::string_view TrainingFacts::source_line(std::string_view file, int64_t line) const {
  const std::vector<std::string_view>& lines = lines_of(file);
  if (line < 1 || static_cast<size_t>(line) > lines.size()) return {};
  return lines[static_cast<size_t>(line) - 1];
}

FindingPlace TrainingFacts::line_with(std::initializer_list<std::string_view> words,
                                      const FindingPlace& before) const {
  const auto has_word = [&](std::string_view line) {
    const size_t first = line.find_first_not_of(" \t");
    if (first == line.npos) return false;
    line.remove_prefix(first);
    if (line.starts_with('#') || line.starts_with("import ") || line.starts_with("from ")) return false;
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return line.find(word) != line.npos; });
  };
  FindingPlace place;
  const std::vector<std::string_view>& lines = lines_of(before.file);
  for (size_t at = std::min(lines.size(), static_cast<size_t>(std::max<int64_t>(before.line, 0))); at > 0;
       --at) {
    if (!has_word(lines[at - 1])) continue;
    place.file = before.file;
    place.line = static_cast<int64_t>(at);
    return place;
  }
  int64_t seen = 0;
  for (const auto& [file, texts] : sources_) {
    for (size_t at = 0; at < texts.size(); ++at) {
      if (!has_word(texts[at])) continue;
      ++seen;
      place.file = file;
      place.line = static_cast<int64_t>(at) + 1;
    }
  }
  return seen == 1 ? place : FindingPlace();
}

}  // namespace skyline::analyze
