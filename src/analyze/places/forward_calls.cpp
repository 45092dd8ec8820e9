#include "analyze/places/forward_calls.h"

#include <algorithm>

#include "analyze/core/step_window.h"
#include "analyze/places/breakdown.h"
#include "analyze/places/wall_stretches.h"
#include "trace/autograd_ranges.h"

namespace skyline::analyze {
namespace {

class CallSums {
 public:
  CallSums(const AnalyzedTrace& analyzed, const Iteration& iteration)
      : trace_(analyzed.trace()),
        places_(analyzed.get<OpPlaces>()),
        iteration_(iteration),
        leads_(analyzed.get<find_leads>()) {}

  std::vector<ForwardCall> run() {
    find_calls();
    if (trace_.activities.size() > 0) {
      add_activities();
    } else {
      for (const Stretch& stretch : cut_wall_time(trace_, places_, iteration_)) {
        if (stretch.op != kNoRow) add(stretch.op, stretch.end_ns - stretch.start_ns);
      }
    }
    return std::move(calls_);
  }

 private:
  bool runs_forward(uint32_t row) const {
    const Phase phase = places_.of[row].phase;
    return places_.is_operator[row] && (phase == Phase::kForward || phase == Phase::kRecompute);
  }

  void find_calls() {
    number_.assign(trace_.ops.size(), kNoRow);
    for (uint32_t row = 0; row < leads_.size(); ++row) {
      const SliceId slice = trace_.ops.slice[row];
      const bool is_ours = trace_.slices.track[slice.value] == iteration_.track && starts_inside(slice);
      if (leads_[row] != row || !runs_forward(row) || !is_ours) continue;
      number_[row] = static_cast<uint32_t>(calls_.size());
      ForwardCall& call = calls_.emplace_back();
      call.op = row;
      const OpPlace& place = places_.of[row];
      if (place.module != PlaceTree::kRoot) call.module = places_.modules.label(place.module).name;
      call.lines = lines_around(places_.lines, place.line);
    }
  }

  void add_activities() {
    for (uint32_t row = 0; row < trace_.activities.size(); ++row) {
      const SliceId launch = trace_.activities.launch[row];
      if (!launch.exists() || !starts_inside(launch)) continue;
      const SliceId op = trace_.launches.op[trace_.slices.detail[launch.value]];
      if (op.exists())
        add(trace_.slices.detail[op.value], trace_.slices.dur_ns[trace_.activities.slice[row].value]);
    }
  }

  void add(uint32_t row, int64_t time_ns) {
    const uint32_t lead = cause(row);
    const uint32_t number = lead == kNoRow ? kNoRow : number_[lead];
    if (number == kNoRow) return;
    ForwardCall& call = calls_[number];
    if (runs_forward(row)) {
      call.forward_ns = plus(call.forward_ns, time_ns);
    } else {
      call.backward_ns = plus(call.backward_ns.value_or(0), time_ns);
    }
  }

  // The forward operator because of which an operator runs. A backward operator's own one may be inside
  // another backward operator (create_graph), and so on to the first.
  uint32_t cause(uint32_t row) const {
    uint32_t at = row;
    for (size_t i = 0; at != kNoRow && i < leads_.size(); ++i) {
      if (runs_forward(at)) return leads_[at];
      const uint32_t function = function_of(at);
      const SliceId forward = trace_.ops.forward[function];
      if (forward.exists()) {
        at = trace_.slices.detail[forward.value];
      } else if (function != at || is_engines(at)) {
        return kNoRow;  // accumulates a gradient, say
      } else {
        at = places_.around[at];
      }
    }
    return kNoRow;
  }

  bool is_engines(uint32_t row) const { return is_engine_range(trace_.slice_name(trace_.ops.slice[row])); }

  // The engine's range has its function inside, which may know more.
  uint32_t function_of(uint32_t row) const {
    const bool has_inside = row + 1 < places_.around.size() && places_.around[row + 1] == row;
    return is_engines(row) && has_inside && !trace_.ops.forward[row].exists() ? row + 1 : row;
  }

  bool starts_inside(SliceId slice) const {
    const int64_t start = trace_.slices.start_ns[slice.value];
    return start >= iteration_.start_ns && start < iteration_.end_ns;
  }

  const Trace& trace_;
  const OpPlaces& places_;
  const Iteration iteration_;
  const std::vector<uint32_t>& leads_;
  std::vector<uint32_t> number_;  // by row: of the call, kNoRow: none
  std::vector<ForwardCall> calls_;
};

}  // namespace

std::vector<ForwardCall> forward_calls(const AnalyzedTrace& analyzed) {
  const Trace& trace = analyzed.trace();
  if (const Step* const step = analyzed.get<last_complete_step>())
    return CallSums(analyzed, {step->track, step->start_ns, step->end_ns}).run();
  const std::vector<TrackId>& threads = analyzed.get<training_threads>();
  if (threads.empty()) return {};
  return CallSums(analyzed, {threads.front(), trace.first_ns, trace.last_ns}).run();
}

}  // namespace skyline::analyze
