#include "analyze/memory/roles.h"

#include <tuple>
#include <unordered_map>

namespace skyline::analyze {
namespace {

// Around an operator; programs that nest more deeply are judged by the innermost ones.
constexpr int kMostAncestors = 512;

constexpr std::string_view kOptimizerRange = "Optimizer.";

}  // namespace

BlockOrigin origin_of(const Trace& trace, uint32_t innermost) {
  if (innermost == kNoRow) return {};
  uint32_t op = innermost;
  bool autograd_sees = false, in_optimizer = false, in_backward = false;
  SliceId slice = trace.ops.slice[innermost];
  for (int i = 0; i < kMostAncestors && slice.exists(); ++i, slice = trace.slices.parent[slice.value]) {
    const Category category = trace.category(slice);
    if (!is_op_or_range(category)) continue;
    const uint32_t row = trace.slices.detail[slice.value];
    if (trace.slice_name(slice).starts_with(kOptimizerRange)) {
      in_optimizer = true;
    } else if (trace.ops.fwd_thread[row] != 0) {
      in_backward = true;  // whatever has called backward() does not matter
      break;
    } else if (category == Category::kCpuOp && !autograd_sees) {
      op = row;
      autograd_sees = trace.ops.sequence[row] >= 0;
    }
  }
  // Inside a backward operator and an optimizer, autograd looks away, unless forward operators run there:
  // those of checkpointing, or of a closure.
  return {op, autograd_sees || !(in_backward || in_optimizer)};
}

bool roles_are_known(const Trace& trace) { return trace.tensors.size() > 0; }

void name_blocks(const Trace& trace, const DeviceMemory& memory, std::span<const MemoryBlock> living,
                 std::span<PeakBlock> blocks) {
  std::unordered_map<uint64_t, size_t> at;
  for (size_t i = 0; i < living.size(); ++i) {
    if (living[i].address != 0) at.emplace(living[i].address, i);
  }
  const TensorTable& tensors = trace.tensors;
  const auto goes_before = [&](uint32_t a, uint32_t b) {
    return std::tuple(tensors.role[a], a) < std::tuple(tensors.role[b], b);
  };
  for (uint32_t row = 0; row < tensors.size(); ++row) {
    const auto found = at.find(tensors.address[row]);
    if (found == at.end()) continue;
    const MemoryBlock& block = living[found->second];
    const int64_t time = tensors.time_ns[row];
    const bool is_too_early = time < trace.memory.time_ns[block.allocation];
    const bool is_too_late = block.died != kNoRow && time > trace.memory.time_ns[memory.events[block.died]];
    if (is_too_early || is_too_late) continue;  // another block at the same address was meant
    uint32_t& known = blocks[found->second].tensor;
    if (known == kNoRow || goes_before(row, known)) known = row;
  }
  for (PeakBlock& block : blocks) {
    if (block.tensor != kNoRow) block.role = static_cast<MemoryRole>(tensors.role[block.tensor]);
  }
}

}  // namespace skyline::analyze
