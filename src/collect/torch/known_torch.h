// Whether torch's steps around an operator are known: of this version they were tried. What rests on them
// (torch_steps, direct_calls) is compiled for no other, whose headers may not even have the types.
#pragma once

#include <torch/version.h>

#if defined(__x86_64__) && TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR == 13
#define SKYLINE_KNOWS_TORCH_STEPS 1
#else
#define SKYLINE_KNOWS_TORCH_STEPS 0
#endif
