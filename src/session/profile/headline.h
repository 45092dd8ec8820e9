// A profile in a few sentences, the most important first. Each says only what was measured, or what a model
// without doubts predicts within the batch sizes that were run.
#pragma once

#include <string>
#include <vector>

#include "session/profile/profile_result.h"

namespace skyline::session {

// "1 214 samples/s ± 0.8 % at batch 32."
// "62 % of the iteration is in stage2 and stage3; backward takes 1.9 × forward."
// "26 % of the iteration is page faults, 11171 of them, as freed memory goes back to the system: …"
// "Batch 96 would give about 15 % more and use 3.0 of 7.8 GiB."
std::vector<std::string> headline(const ProfileResult& result);

}  // namespace skyline::session
