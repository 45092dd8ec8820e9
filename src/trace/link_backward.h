// Which forward operator a backward one belongs to.
#pragma once

#include <span>

#include "trace/builder.h"

namespace skyline {

// Links backward ops to forward ops: by the file's own arrows where it has them, otherwise by
// sequence number.
void link_backward(Trace& draft, std::span<const FlowEnd> arrows);

}  // namespace skyline
