// How a kernel was launched, from its args.
#pragma once

#include <string_view>

#include "trace/tables.h"

namespace skyline::ingest::kineto_json {

// `members`: as RawArgs::kernel_shape. What cannot be used stays unknown.
KernelShapeRow read_kernel_shape(std::string_view members);

}  // namespace skyline::ingest::kineto_json
