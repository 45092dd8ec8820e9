#include "analyze/places/op_places.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analyze/core/host_ranges.h"
#include "analyze/places/backward_stacks.h"
#include "analyze/places/parameter_owners.h"
#include "analyze/time/op_time.h"
#include "trace/autograd_ranges.h"

namespace skyline::analyze {
namespace {

// What a name alone tells of what happens inside.
enum class Meaning : uint8_t {
  kNothing,
  kOptimizer,
  kZeroGrad,
  kData,
  kCollectives,
  kEvaluates,
  kAccumulates,
  kCheckpoints
};

Meaning meaning_of(std::string_view name) {
  if (name.starts_with("Optimizer.step#")) return Meaning::kOptimizer;
  if (name.starts_with("Optimizer.zero_grad#")) return Meaning::kZeroGrad;
  if (names_input_fetch(name)) return Meaning::kData;
  if (names_collective(name)) return Meaning::kCollectives;
  if (name.starts_with("CheckpointFunctionBackward")) return Meaning::kCheckpoints;
  if (!is_engine_range(name)) return Meaning::kNothing;
  return name.ends_with("AccumulateGrad") ? Meaning::kAccumulates : Meaning::kEvaluates;
}

class Placer {
 public:
  Placer(const Trace& trace, OpPlaces& to)
      : trace_(trace),
        to_(to),
        stacks_(trace),
        owners_(trace),
        meaning_(trace.strings, meaning_of),
        backward_around_(trace.ops.size(), kNoRow) {}

  // In order of time: a forward operator has begun before its backward operator, an operator before those
  // inside.
  void run() {
    find_surroundings();
    std::vector<uint32_t> rows(trace_.ops.size());
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(rows.begin(), rows.end(),
                     [this](uint32_t a, uint32_t b) { return start_ns(a) < start_ns(b); });
    for (const uint32_t row : rows) to_.of[row] = place(row);
  }

 private:
  int64_t start_ns(uint32_t row) const { return trace_.slices.start_ns[trace_.ops.slice[row].value]; }
  Meaning meaning(uint32_t row) { return meaning_(trace_.slices.name[trace_.ops.slice[row].value]); }
  bool is_backward(uint32_t row) {
    const Meaning its = meaning(row);
    return trace_.ops.fwd_thread[row] != 0 || its == Meaning::kEvaluates || its == Meaning::kAccumulates;
  }

  void find_surroundings() {
    OperatorTest is_operator(trace_);
    std::vector<uint32_t> all(trace_.ops.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<uint32_t> innermost = innermost_ops(trace_, all);
    for (const uint32_t row : all) {
      const SliceId slice = trace_.ops.slice[row], parent = trace_.slices.parent[slice.value];
      to_.is_operator[row] = is_operator(slice);
      if (parent.exists()) to_.around[row] = innermost[parent.value];
      find_function(row);
    }
    if (trace_.ops.stack.empty()) find_python_places();
  }

  // The engine's range has its function inside, behind hooks, and it is the one to know the forward operator.
  void find_function(uint32_t row) {
    const uint32_t around = to_.around[row];
    to_.function[row] = row;
    if (around == kNoRow || to_.function[around] != around) return;
    const std::string_view range = trace_.slice_name(trace_.ops.slice[around]);
    if (is_engine_range_of(range, trace_.slice_name(trace_.ops.slice[row]))) to_.function[around] = row;
  }

  // Without recorded stacks: modules and lines from the Python frames around, if there are any.
  void find_python_places() {
    python_.resize(trace_.slices.size());
    for (uint32_t s = 0; s < python_.size(); ++s) {
      const SliceId parent = trace_.slices.parent[s];
      Python& here = python_[s];
      if (parent.exists()) here = python_[parent.value];
      if (trace_.slices.category[s] != Category::kPython) {
        const uint32_t row = is_op_slice(s) ? trace_.slices.detail[s] : kNoRow;
        if (row != kNoRow && is_backward(row)) {
          here.recomputes = here.is_own = false;
          here.in_backward = true;
        }
        continue;
      }
      const uint32_t detail = trace_.slices.detail[s];
      const StringId name = trace_.slices.name[s];
      const bool is_module = detail != kNoRow && trace_.pythons.module_id[detail] >= 0;
      if (is_module) {
        here.module = to_.modules.node_of_call(name, here.module);
        if (!here.in_backward) to_.calls.push_back({SliceId(s), here.module, here.line});
      }
      here.line = to_.lines.node_of_frame(name, here.line);
      here.is_own = true;
      here.recomputes |= is_module || names_checkpoint_frame(trace_.strings[name]);
    }
  }
  bool is_op_slice(uint32_t slice) const { return is_op_or_range(trace_.slices.category[slice]); }

  OpPlace place(uint32_t row) {
    const uint32_t around = to_.around[row];
    backward_around_[row] = is_backward(row) ? row : around == kNoRow ? kNoRow : backward_around_[around];
    OpPlace place = is_backward(row) ? backward_place(row) : own_place(row);
    place.in_backward = backward_around_[row] != kNoRow;
    place.phase = phase(row, place.phase);
    return place;
  }

  // Of an operator as it was called; its phase is kRecompute or not known.
  OpPlace own_place(uint32_t row) {
    const uint32_t backward = backward_around_[row];
    OpPlace own = called_place(row);
    if (backward == kNoRow) return own;
    OpPlace inside = to_.of[backward];
    inside.phase = Phase::kPython;
    if (trace_.ops.stack.empty()) {
      const Python& python = python_[trace_.ops.slice[row].value];
      if (python.recomputes) own.phase = Phase::kRecompute;
      if (!python.recomputes && python.is_own) own.module = inside.module;
      return python.is_own ? own : inside;
    }
    if (trace_.ops.stack[row] == trace_.ops.stack[backward]) return inside;
    const InsideBackward here = stacks_.look_into(trace_.ops.stack[row]);
    if (here.recomputes) return recomputed_place(row, backward, here);
    own.module = inside.module;  // a hook or a custom Function: lines of its own
    return own;
  }

  OpPlace called_place(uint32_t row) {
    OpPlace place;
    if (trace_.ops.stack.empty()) {
      const Python& python = python_[trace_.ops.slice[row].value];
      place.module = python.module;
      place.line = python.line;
    } else {
      place.module = to_.modules.node(trace_.ops.module_of(row));
      place.line = to_.lines.node(trace_.ops.stack[row]);
    }
    return place;
  }

  // As if it had been called from where the checkpointed part was called in the forward pass.
  OpPlace recomputed_place(uint32_t row, uint32_t backward, const InsideBackward& inside) {
    OpPlace from = to_.of[backward];
    if (meaning(backward) != Meaning::kCheckpoints) {
      const StackId checkpoint = stacks_.checkpoint_around(trace_.ops.stack[backward]);
      if (checkpoint.exists()) {
        from.module = to_.modules.node(trace_.stacks.module[checkpoint.value]);
        from.line = to_.lines.node(checkpoint);
      }
    }
    OpPlace place;
    place.module = inside.module.exists() ? to_.modules.node(inside.module) : from.module;
    place.line = to_.lines.node_within(trace_.ops.stack[row], inside.outside, from.line);
    place.phase = Phase::kRecompute;
    return place;
  }

  OpPlace backward_place(uint32_t row) {
    const uint32_t function = to_.function[row];
    OpPlace place;
    if (const uint32_t forward = forward_of(row, function); forward != kNoRow) {
      place = to_.of[forward];
    } else if (meaning(row) == Meaning::kAccumulates) {
      return accumulation_place(row, function);
    } else if (to_.around[row] != kNoRow && to_.of[to_.around[row]].in_backward) {
      place = to_.of[to_.around[row]];
    } else {
      place = called_place(row);
    }
    if (meaning(row) == Meaning::kEvaluates) producers_[level(row)] = place;
    return place;
  }

  uint32_t forward_of(uint32_t row, uint32_t function) {
    SliceId forward = trace_.ops.forward[row];
    if (!forward.exists()) forward = trace_.ops.forward[function];
    return forward.exists() ? trace_.slices.detail[forward.value] : kNoRow;
  }

  // Accumulations come first in the engine's queue: the operator before has made the gradient.
  OpPlace accumulation_place(uint32_t row, uint32_t function) {
    const auto producer = producers_.find(level(row));
    OpPlace place = producer == producers_.end() ? called_place(row) : producer->second;
    const std::string_view dims = trace_.strings[trace_.input_dims(function)];
    const std::optional<std::string_view> owner = owners_.find(to_.modules.label(place.module).name, dims);
    if (owner) place.module = to_.modules.node_named(*owner, place.module);
    return place;
  }

  // Engine ranges follow one another on a track, inside the same operator.
  std::pair<TrackId, uint32_t> level(uint32_t row) const {
    return {trace_.slices.track[trace_.ops.slice[row].value], to_.around[row]};
  }

  // The innermost that says something counts.
  Phase phase(uint32_t row, Phase own) {
    switch (meaning(row)) {
      case Meaning::kOptimizer:
        return Phase::kOptimizer;
      case Meaning::kZeroGrad:
        return Phase::kZeroGrad;
      case Meaning::kData:
        return Phase::kData;
      case Meaning::kCollectives:
        return Phase::kCollectives;
      default:
        break;
    }
    if (is_backward(row)) return Phase::kBackward;
    if (own == Phase::kRecompute) return own;
    const uint32_t around = to_.around[row];
    Phase outer = around == kNoRow ? Phase::kPython : to_.of[around].phase;
    // What an optimizer's closure calls builds a graph or is in a module; what the optimizer does is neither.
    const bool is_closure =
        outer == Phase::kOptimizer && (trace_.ops.sequence[row] >= 0 || trace_.ops.module_of(row).exists());
    if (is_closure) outer = Phase::kPython;
    if (outer == Phase::kRecompute) outer = Phase::kBackward;
    return outer == Phase::kPython && to_.is_operator[row] ? Phase::kForward : outer;
  }

  struct Python {
    uint32_t module = PlaceTree::kRoot, line = PlaceTree::kRoot;
    bool is_own = false;      // a frame between here and the backward operator around
    bool recomputes = false;  // as InsideBackward
    bool in_backward = false;
  };

  const Trace& trace_;
  OpPlaces& to_;
  BackwardStacks stacks_;
  ParameterOwners owners_;
  PerName<Meaning> meaning_;
  std::vector<uint32_t> backward_around_;  // by row: itself or the backward operator around it
  std::vector<Python> python_;             // by slice
  std::map<std::pair<TrackId, uint32_t>, OpPlace> producers_;
};

// A forked process has its parent's frames below its own: what it does begins where multiprocessing starts
// it.
StackId start_of_process(const Trace& trace, StackId stack) {
  StackId start;
  for (StackId at = stack; at.exists(); at = trace.stacks.parent[at.value]) {
    const FrameId frame = trace.stacks.frame[at.value];
    if (!frame.exists()) continue;
    const std::string_view file = trace.strings[trace.frames.file[frame.value]];
    if (file.ends_with("multiprocessing/process.py") &&
        trace.strings[trace.frames.function[frame.value]].ends_with("_bootstrap")) {
      start = at;
      break;
    }
  }
  return start;
}

void place_samples(const Trace& trace, OpPlaces& to) {
  for (uint32_t row = 0; row < trace.samples.size(); ++row) {
    const StackId stack = trace.samples.stack[row];
    if (!stack.exists() || to.sample_lines.contains(stack)) continue;
    const StackId start = start_of_process(trace, stack);
    const uint32_t line =
        start.exists() ? to.lines.node_within(stack, start, PlaceTree::kRoot) : to.lines.node(stack);
    to.sample_lines.emplace(stack, line);
  }
}

}  // namespace

OpPlaces::OpPlaces(const AnalyzedTrace& analyzed)
    : modules(analyzed),
      lines(analyzed.trace()),
      of(analyzed.trace().ops.size()),
      around(of.size(), kNoRow),
      function(of.size(), kNoRow),
      is_operator(of.size(), false) {
  Placer(analyzed.trace(), *this).run();
  place_samples(analyzed.trace(), *this);
}

std::vector<uint32_t> find_leads(const AnalyzedTrace& analyzed) {
  const OpPlaces& places = analyzed.get<OpPlaces>();
  std::vector<uint32_t> leads(places.of.size());
  for (uint32_t row = 0; row < leads.size(); ++row) {  // operators around stand before
    const uint32_t around = places.around[row];
    const bool is_part =
        around != kNoRow && places.is_operator[around] && places.of[around] == places.of[row];
    leads[row] = is_part ? leads[around] : row;
  }
  return leads;
}

}  // namespace skyline::analyze
