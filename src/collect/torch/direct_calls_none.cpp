// For a torch whose steps we do not know: its observers are the only way.
#include "collect/torch/direct_calls.h"
#include "collect/torch/known_torch.h"

#if !SKYLINE_KNOWS_TORCH_STEPS

namespace skyline::collect::direct_calls {

void begin(at::StepCallbacks::StartEndPair) {}
bool end() { return false; }
void leave() {}
void observers_changed() {}
void lock_for_fork() {}
void unlock_after_fork() {}
void learn(const at::RecordFunction&) {}

}  // namespace skyline::collect::direct_calls

#endif
