// The table through which a loaded library calls functions of other libraries, and those of its own that
// others may call as well. Who changes an entry gets the calls.
#pragma once

#include <atomic>
#include <span>
#include <string_view>
#include <vector>

namespace skyline::collect {

using Import = std::atomic<void*>;

struct FoundImport {
  size_t function;  // which of those that were looked for
  Import* entry;    // nullptr: it cannot be changed, or its address may be kept elsewhere
};

// The entries that lead to `functions` in the library whose path ends in `name`. A function with two names
// may have two.
std::vector<FoundImport> find_imports(std::string_view name, std::span<void* const> functions);

}  // namespace skyline::collect
