// "Did you mean …?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skyline::cli {

// The known words that a mistyped one may have meant: few edits away, or holding it as a part; the
// likeliest first, at most `limit`.
std::vector<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& known,
                                      size_t limit = 3);

// "a", "a or b", "a, b or c". Empty when there are none.
std::string join_choices(const std::vector<std::string_view>& words, std::string_view conjunction = "or");

}  // namespace skyline::cli
