// Where backward operators stand in the program.
#pragma once

#include "trace/trace.h"

namespace skyline {

// Gives backward ops the Python stacks and modules of their forward ops.
void inherit_stacks(Trace& draft);

}  // namespace skyline
