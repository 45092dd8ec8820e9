#include "analyze/places/breakdown.h"

#include <algorithm>

#include "analyze/core/device_class.h"
#include "analyze/core/step_window.h"
#include "analyze/places/breakdown_tree.h"
#include "analyze/places/gap_samples.h"
#include "analyze/places/module_code.h"
#include "analyze/places/wall_stretches.h"

namespace skyline::analyze {
namespace {

// Sums everything into both trees.
class Accountant {
 public:
  Accountant(const AnalyzedTrace& analyzed, const Iteration& iteration)
      : analyzed_(analyzed),
        trace_(analyzed.trace()),
        places_(analyzed.get<OpPlaces>()),
        iteration_(iteration),
        leads_(analyzed.get<find_leads>()) {}

  Breakdown run() {
    for (const Stretch& stretch : sampled_wall_time(analyzed_, iteration_)) add_stretch(stretch);
    add_elsewhere();
    add_calls();
    add_activities();
    Breakdown result;
    result.start_ns = iteration_.start_ns;
    result.end_ns = iteration_.end_ns;
    result.has_device = trace_.activities.size() > 0;
    result.modules = modules_.build(trace_, [&](uint32_t node, BreakdownNode& to) {
      code_.show(node);
      to.name = places_.modules.label(node).name;
      to.class_name = places_.modules.label(node).class_name;
    });
    result.lines = lines_.build(trace_, [&](uint32_t node, BreakdownNode& to) {
      to.name = places_.lines.label(node).file;
      to.function = places_.lines.label(node).function;
      to.line = places_.lines.label(node).line;
    });
    result.flat_lines = sum_by_line(result.lines);
    code_.set_lines(result.flat_lines);
    result.links = code_.links();
    result.call_lines = code_.call_lines(iteration_.start_ns, iteration_.end_ns);
    return result;
  }

 private:
  void add_stretch(const Stretch& stretch) {
    BreakdownTimes times;
    times.host.add(stretch.place.phase, stretch.end_ns - stretch.start_ns);
    if (stretch.is_near && stretch.place.line != PlaceTree::kRoot) times.near = times.host;
    add(stretch.place, stretch.op, times, stretch.start_ns);
  }

  // As much of it as an iteration of this length has on average.
  void add_elsewhere() {
    const ElsewhereSamples& elsewhere = analyzed_.get<ElsewhereSamples>();
    const auto wall = static_cast<uint64_t>(iteration_.end_ns - iteration_.start_ns);
    for (const ElsewhereSamples::Place& place : elsewhere.places) {
      if (elsewhere.window_ns <= 0) break;
      BreakdownTimes times;
      times.elsewhere_ns = static_cast<int64_t>(static_cast<Wide>(place.time_ns) * wall /
                                                static_cast<uint64_t>(elsewhere.window_ns));
      lines_.add(place.line, kNoRow, Phase::kPython, times, iteration_.end_ns);
    }
  }

  void add_calls() {
    const std::vector<bool> is_engine = find_engine_threads(trace_, places_, iteration_.track);
    BreakdownTimes once;
    once.calls = 1;
    for (uint32_t row = 0; row < leads_.size(); ++row) {
      const SliceId slice = trace_.ops.slice[row];
      const TrackId track = trace_.slices.track[slice.value];
      const bool is_ours =
          track == iteration_.track || (is_engine[track.value] && places_.of[row].in_backward);
      if (leads_[row] == row && places_.is_operator[row] && is_ours && starts_inside(slice))
        add(places_.of[row], row, once, trace_.slices.start_ns[slice.value]);
    }
  }

  // Device work belongs to the iteration that launched it; without a launch, to the one it begins in.
  void add_activities() {
    DeviceClassifier device_class(trace_);
    for (uint32_t row = 0; row < trace_.activities.size(); ++row) {
      const SliceId slice = trace_.activities.slice[row], launch = trace_.activities.launch[row];
      if (!starts_inside(launch.exists() ? launch : slice)) continue;
      const uint32_t op = launching_op(launch);
      OpPlace place = op == kNoRow ? OpPlace() : places_.of[op];
      if (place.phase == Phase::kPython) place.phase = Phase::kUntracked;
      if (device_class(row) == DeviceClass::kCommunication) place.phase = Phase::kCollectives;
      BreakdownTimes times;
      times.device.add(place.phase, trace_.slices.dur_ns[slice.value]);
      const bool is_operator = op != kNoRow && places_.is_operator[op];
      add(place, is_operator ? op : kNoRow, times, trace_.slices.start_ns[slice.value]);
    }
  }
  uint32_t launching_op(SliceId launch) const {
    const uint32_t row = launch.exists() ? trace_.slices.detail[launch.value] : kNoRow;
    const SliceId op = row == kNoRow ? SliceId() : trace_.launches.op[row];
    return op.exists() ? trace_.slices.detail[op.value] : kNoRow;
  }

  void add(const OpPlace& place, uint32_t op, const BreakdownTimes& times, int64_t when_ns) {
    const uint32_t lead = op == kNoRow ? kNoRow : leads_[op];
    BreakdownTimes of_module = times;
    of_module.near = {};  // a module's time is its own, in whichever line
    modules_.add(place.module, lead, place.phase, of_module, when_ns);
    lines_.add(place.line, lead, place.phase, times, when_ns);
    code_.add(place.module, place.line, times);
  }

  bool starts_inside(SliceId slice) const {
    const int64_t start = trace_.slices.start_ns[slice.value];
    return start >= iteration_.start_ns && start < iteration_.end_ns;
  }

  const AnalyzedTrace& analyzed_;
  const Trace& trace_;
  const OpPlaces& places_;
  const Iteration iteration_;
  const std::vector<uint32_t>& leads_;
  TreeSums modules_{places_.modules.tree(), places_.function}, lines_{places_.lines.tree(), places_.function};
  ModuleCode code_{trace_, places_};
};

// A breakdown among the results of a trace.
struct BreakdownKey {
  using Value = Breakdown;
  const Step* step;  // null: everything
  auto operator<=>(const BreakdownKey&) const = default;

  static size_t bytes_of(const BreakdownKey&, const Breakdown& breakdown) {
    size_t bytes = breakdown.links.size() * sizeof(CodeLink) + breakdown.call_lines.size() * sizeof(uint32_t);
    for (const BreakdownTree* tree : {&breakdown.modules, &breakdown.lines}) {
      for (const BreakdownNode& node : *tree) {
        bytes += sizeof(node) + node.name.size() + node.class_name.size() + node.function.size() +
                 node.uses.size() * sizeof(OpUse);
      }
    }
    for (const LineTimes& line : breakdown.flat_lines)
      bytes += sizeof(line) + line.file.size() + line.function.size();
    return bytes;
  }
};

Breakdown break_down_everything(const AnalyzedTrace& analyzed) {
  const std::vector<TrackId>& threads = analyzed.get<training_threads>();
  if (threads.empty()) return {};
  const Trace& trace = analyzed.trace();
  return Accountant(analyzed, {threads.front(), trace.first_ns, trace.last_ns}).run();
}

}  // namespace

int64_t PhaseTimes::sum() const {
  SumNs sum;
  for (const int64_t time_ns : ns) sum += time_ns;
  return sum;
}

void PhaseTimes::add(Phase phase, int64_t time_ns) {
  int64_t& to = ns[static_cast<size_t>(phase)];
  to = plus(to, time_ns);
}

void PhaseTimes::add(const PhaseTimes& other) {
  for (size_t i = 0; i < ns.size(); ++i) ns[i] = plus(ns[i], other.ns[i]);
}

void BreakdownTimes::add(const BreakdownTimes& other) {
  host.add(other.host);
  device.add(other.device);
  calls += other.calls;
  near.add(other.near);
  elsewhere_ns = plus(elsewhere_ns, other.elsewhere_ns);
}

BreakdownTimes BreakdownTimes::exact() const {
  BreakdownTimes times = *this;
  for (size_t i = 0; i < near.ns.size(); ++i) times.host.ns[i] = minus(host.ns[i], near.ns[i]);
  times.near = {};
  return times;
}

Breakdown break_down(const AnalyzedTrace& analyzed, const Step& step) {
  Breakdown result = Accountant(analyzed, {step.track, step.start_ns, step.end_ns}).run();
  result.step_number = step.number;
  return result;
}

Breakdown break_down(const AnalyzedTrace& analyzed) {
  const Step* const step = analyzed.get<last_complete_step>();
  return step == nullptr ? break_down_everything(analyzed) : break_down(analyzed, *step);
}

std::shared_ptr<const Breakdown> shared_breakdown(const AnalyzedTrace& analyzed, const Step* step) {
  if (step == nullptr) step = analyzed.get<last_complete_step>();
  return analyzed.results().get(BreakdownKey{step}, [&] {
    return step == nullptr ? break_down_everything(analyzed) : break_down(analyzed, *step);
  });
}

}  // namespace skyline::analyze
