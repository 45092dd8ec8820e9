#pragma once

#include <optional>
#include <string_view>

#include "trace/category.h"

namespace skyline::ingest::kineto_json {

// The category that a producer's word means, in any case; none for words that we do not know. kOther is of
// words that we know and need not tell apart.
std::optional<Category> category_of(std::string_view word);

}  // namespace skyline::ingest::kineto_json
