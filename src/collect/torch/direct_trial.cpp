#include "collect/torch/direct_trial.h"

#include <array>
#include <atomic>

namespace skyline::collect::direct_trial {
namespace {

std::atomic<uint32_t> agreed = 0;
std::atomic<bool> differed = false;

// Of a thread; only while operators are compared.
thread_local Seen expected = {};

// Operators that both were told of alike and that have not ended. Deeper ones are not compared.
struct Open {
  std::array<const at::RecordFunction*, 32> guards = {};
  size_t count = 0;
};
thread_local Open open;

bool is_same(const Seen& seen, const at::RecordFunction& told) {
  const c10::ArrayRef<const c10::IValue> inputs = told.inputs();
  return seen.name == std::string_view(told.name()) && seen.sequence == told.seqNr() &&
         seen.inputs.data() == inputs.data() && seen.inputs.size() == inputs.size();
}

}  // namespace

void step_saw(const Seen& seen) noexcept { expected = seen; }

void observer_was_told(const at::RecordFunction& guard) noexcept {
  if (expected.guard != &guard) return;  // another library's, whose steps are not ours
  expected.guard = nullptr;
  if (!is_same(expected, guard)) differed.store(true, std::memory_order_relaxed);
  if (open.count < open.guards.size()) open.guards[open.count++] = &guard;
}

// Those inside whose end was not seen go with it, and count for nothing.
void step_ended(const at::RecordFunction* guard) noexcept {
  for (size_t i = open.count; i-- > 0;) {
    if (open.guards[i] != guard) continue;
    open.count = i;
    agreed.fetch_add(1, std::memory_order_relaxed);
    return;
  }
}

bool has_agreed() { return agreed.load(std::memory_order_relaxed) >= kEnough && !has_differed(); }
bool has_differed() { return differed.load(std::memory_order_relaxed); }

}  // namespace skyline::collect::direct_trial
