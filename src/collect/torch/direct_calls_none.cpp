// For a torch whose steps we do not know: its observers are the only way.
#include "collect/torch/direct_calls.h"
#include "collect/torch/known_torch.h"

#if !SKYLINE_KNOWS_TORCH_STEPS

namespace skyline::collect::direct_calls {

void begin(at::StepCallbacks::StartEndPair, bool) {}
bool end() { return false; }
void undo() {}
std::string_view why_not() { return "the steps of this torch are not known"; }
void leave() {}
void observers_changed() {}
void lock_for_fork() {}
void unlock_after_fork() {}
void learn(const at::RecordFunction&) {}

}  // namespace skyline::collect::direct_calls

#endif
