// What lives in memory when an iteration needs the most of it: blocks by role, module and line.
//
// The peak is the largest sum of live bytes in torch's allocator within an iteration. Every block that was
// allocated since the recording began and is not released counts, once, with the bytes of its allocation;
// views add nothing. So the roles add up to the peak exactly, and so do modules and lines.
//
//   weights, buffers, gradients, optimizer state, inputs   the program has named it while it lived (tensors)
//   activations    allocated in this iteration by a forward operator that had ended by the peak
//   temporaries    by an operator that still ran, in the backward pass or by the optimizer
//   other          the rest: allocated before the iteration and kept, or outside of any operator
//
// Forward operators that checkpointing runs again in the backward pass make activations of the module that
// is recomputed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/core/analyzed_trace.h"
#include "analyze/memory/blocks.h"
#include "trace/trace.h"

namespace skyline::analyze {

enum class MemoryRole : uint8_t {
  kWeights,  // the first five as TensorRole
  kBuffers,
  kGradients,
  kOptimizerState,
  kInputs,
  kActivations,
  kTemporaries,
  kOther,
};

struct MemoryRoleDef {
  MemoryRole role;
  std::string_view name;        // "optimizer_state"
  std::string_view definition;  // one sentence
};

// One line per role, in the order of the enum.
inline constexpr std::array<MemoryRoleDef, 8> kMemoryRoles = {{
    {MemoryRole::kWeights, "weights", "Parameters, those of the model and those that an optimizer holds."},
    {MemoryRole::kBuffers, "buffers", "Buffers of the model."},
    {MemoryRole::kGradients, "gradients", "Gradients of parameters, as they stand in .grad."},
    {MemoryRole::kOptimizerState, "optimizer_state", "Tensors in the state of the optimizers."},
    {MemoryRole::kInputs, "inputs", "Tensors that the iteration was called with."},
    {MemoryRole::kActivations, "activations",
     "Blocks that are none of these, allocated in the iteration by a forward operator that had ended by the "
     "peak; what checkpointing recomputes counts as well."},
    {MemoryRole::kTemporaries, "temporaries",
     "Blocks that are none of these, allocated in the iteration by an operator that still ran at the peak, "
     "in the backward pass or by the optimizer."},
    {MemoryRole::kOther, "other",
     "What is left: blocks from before the iteration that the program keeps, and those that no operator "
     "allocated."},
}};
constexpr std::string_view name_of(MemoryRole role) { return kMemoryRoles[static_cast<size_t>(role)].name; }

// Bytes by role.
struct RoleBytes {
  std::array<int64_t, kMemoryRoles.size()> bytes{};

  int64_t operator[](MemoryRole role) const { return bytes[static_cast<size_t>(role)]; }
  int64_t sum() const;
  void add(MemoryRole role, int64_t more);
  void add(const RoleBytes& other);
  bool operator==(const RoleBytes&) const = default;
};

// A block that lives at the peak.
struct PeakBlock {
  uint32_t allocation;  // row of Trace::memory
  int64_t bytes;
  MemoryRole role;
  uint32_t op;      // row of Trace::ops: the operator that needed it; kNoRow: none
  uint32_t tensor;  // row of Trace::tensors that names it; kNoRow: none
};

struct MemoryMoment {
  int64_t bytes = 0;
  int64_t time_ns = 0;
  std::optional<int64_t> step;  // its number, if a step runs then
  uint32_t op = kNoRow;         // row of Trace::ops: the innermost operator there
};

struct MemoryAtPeak {
  MemoryDevice device = {};
  int64_t start_ns = 0, end_ns = 0;  // of the iteration
  MemoryMoment peak = {};            // its step is the iteration; none: the whole recording was taken
  RoleBytes roles = {};
  std::vector<PeakBlock> blocks = {};  // by allocation
  int64_t older_bytes = 0;             // known to live besides, from before the recording; not in the peak
  MemoryMoment recording = {};         // the peak of the whole recording
  bool recording_is_before_steps = false;  // while loading, that is
};

// In the step with this number (the last of them), or in the last complete one, or without steps in the
// whole recording. One per device, the largest peak first; empty without memory events.
using MemoryPeaks = std::vector<MemoryAtPeak>;
MemoryPeaks memory_at_peak(const AnalyzedTrace& analyzed, std::optional<int64_t> step = {});

// The same in AnalyzedTrace::results().
std::shared_ptr<const MemoryPeaks> shared_peaks(const AnalyzedTrace& analyzed,
                                                std::optional<int64_t> step = {});

}  // namespace skyline::analyze
