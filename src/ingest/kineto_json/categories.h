#pragma once

#include <string_view>

#include "trace/category.h"

namespace skyline::kineto_json {

// The category that a producer's word means, in any case; kOther for words we do not know.
Category category_of(std::string_view word);

}  // namespace skyline::kineto_json
