// Where one training iteration's time goes, by nn.Module instance and by line of the user's program.
//
// The breakdown cuts the wall time of the thread that trains into stretches. Each has one module, one line
// and one phase, so every nanosecond is somewhere and nowhere twice:
//
//   thread   [linear][  ][relu]      (waits in backward)        [ ][Optimizer.step#SGD.step [add_] ]
//   engine                       [AddmmBackward0][ReluBackward0]
//   phase    forward  py  fwd    py   backward    backward    py py        optimizer
//
// An operator's time belongs to the module and the line that called it; a backward operator's to those of its
// forward operator, a gradient's accumulation to the owner of the parameter. Time between operators belongs
// to what the one before and the one after share. While the thread waits, the autograd engine's other threads
// fill the wait. Where Python was sampled, time between operators belongs to the lines that samples name
// (gap_samples.h); where it was not, it is near a line and no line's own. Device time is that of the
// activities which an operator launched, wherever and whenever they ran.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/saturate.h"
#include "trace/trace.h"

namespace skyline::analyze {

enum class Phase : uint8_t {
  kForward,
  kBackward,
  kRecompute,
  kOptimizer,
  kZeroGrad,
  kData,
  kCollectives,
  kPython,
  kUntracked,
};

struct PhaseDef {
  Phase phase;
  std::string_view name;
  std::string_view definition;  // one sentence
};

// One line per phase, in the order of the enum.
inline constexpr std::array<PhaseDef, 9> kPhases = {{
    {Phase::kForward, "forward", "Operators that are in no other phase."},
    {Phase::kBackward, "backward", "Operators of the backward pass, and autograd's time between them."},
    {Phase::kRecompute, "recompute", "Forward operators that checkpointing runs again in the backward pass."},
    {Phase::kOptimizer, "optimizer", "What happens inside Optimizer.step ranges."},
    {Phase::kZeroGrad, "zero_grad", "What happens inside Optimizer.zero_grad ranges."},
    {Phase::kData, "data", "Waiting for the DataLoader's or DataPipe's next batch."},
    {Phase::kCollectives, "collectives", "Collectives that the host carries out, waits for or starts."},
    {Phase::kPython, "python", "Time between operators: Python, and whatever else is not recorded."},
    {Phase::kUntracked, "untracked",
     "Time that nothing can be said of: between operators of a recording that lost events, and device work "
     "without an operator that launched it."},
}};
constexpr std::string_view name_of(Phase phase) { return kPhases[static_cast<size_t>(phase)].name; }

// Nanoseconds by phase.
struct PhaseTimes {
  std::array<int64_t, kPhases.size()> ns{};

  int64_t operator[](Phase phase) const { return ns[static_cast<size_t>(phase)]; }
  int64_t sum() const;
  void add(Phase phase, int64_t time_ns);
  void add(const PhaseTimes& other);
  bool operator==(const PhaseTimes&) const = default;
};

struct BreakdownTimes {
  PhaseTimes host;    // of the iteration's wall time
  PhaseTimes device;  // of the activities launched
  int64_t calls = 0;  // operators called; those inside another of the same place and phase are part of it
  // Of `host`, what was spent between operators near a line, and no sample says in which one. Of lines only.
  PhaseTimes near;
  // What other threads and DataLoader workers spend there meanwhile, from samples. Of lines only.
  int64_t elsewhere_ns = 0;

  void add(const BreakdownTimes& other);
  // Without what is only near.
  BreakdownTimes exact() const;
};

// Equal calls of one operator in one place.
struct OpUse {
  StringId name;
  StringId input_dims;  // as in OpTable
  StackId stack;        // as recorded, or inherited from the forward operator
  Phase phase;
  uint32_t op = kNoRow;  // the first call's row in Trace::ops
  int64_t calls = 0;
  int64_t host_ns = 0;    // with what is inside and belongs to the same place
  int64_t device_ns = 0;  // of the activities it launched
};

struct BreakdownNode {
  uint32_t parent;   // kNoRow: the root, which is the iteration
  uint32_t depth;    // of the root: 0
  uint32_t end = 0;  // its descendants are the nodes up to here, itself excluded
  // A module: its qualified name and its class; the name is empty for a model itself, the class for what
  // never runs (a ModuleList). A line: the file as frames name it, the function around and the line's number.
  std::string name;
  std::string class_name;
  std::string function;
  int64_t line = 0;
  BreakdownTimes own;       // not in a child
  BreakdownTimes total;     // own and those of all descendants
  std::vector<OpUse> uses;  // of its own operators, the longest first
};

using BreakdownTree = std::vector<BreakdownNode>;  // in preorder, children by first use

// A line's sums over every place in the tree. Lines that are on one stack each count what is below them,
// once.
struct LineTimes {
  std::string file;
  int64_t line;
  std::string function;
  BreakdownTimes own;  // exact()
  BreakdownTimes total;
  PhaseTimes near = {};  // between operators next to this line, which is not its own
};

// Time that a module, with those inside it, spends below a line.
struct CodeLink {
  uint32_t module;  // an index of Breakdown::modules
  uint32_t line;    // an index of Breakdown::flat_lines
  int64_t host_ns = 0;
  int64_t device_ns = 0;
};

struct Breakdown {
  int64_t step_number = -1;  // -1: the trace has no steps; its whole time is taken
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  bool has_device = false;  // device times are the ones to look at first
  BreakdownTree modules;
  BreakdownTree lines;
  std::vector<LineTimes> flat_lines;  // by file and line
  std::vector<CodeLink> links;        // by module and line; those of the root are the lines' totals
  // Per module the line of flat_lines that calls it, or the innermost one around all its calls; kNoRow: not
  // known.
  std::vector<uint32_t> call_lines;

  int64_t wall_ns() const { return minus(end_ns, start_ns); }
};

Breakdown break_down(const AnalyzedTrace& analyzed, const Step& step);

// Of the last complete step, or of everything when there are no steps. Empty trees without host events.
Breakdown break_down(const AnalyzedTrace& analyzed);

// The same for a step or, without one, for the last complete one; in AnalyzedTrace::results().
std::shared_ptr<const Breakdown> shared_breakdown(const AnalyzedTrace& analyzed, const Step* step);

}  // namespace skyline::analyze
