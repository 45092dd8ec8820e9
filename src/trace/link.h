#pragma once

#include <span>

#include "trace/builder.h"

namespace skyline {

// Links activities to the calls that launched them (by correlation id), and calls to the innermost
// op around them on their thread (by nesting).
void link_launches(Trace& draft);

// Links backward ops to forward ops: by the file's own arrows where it has them, otherwise by
// sequence number.
void link_backward(Trace& draft, std::span<const FlowEnd> arrows);

// Gives backward ops the Python stacks and modules of their forward ops.
void inherit_stacks(Trace& draft);

}  // namespace skyline
