// Slices by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

// The different names of slices, so that a search looks at each text once.
class SliceNames {
 public:
  SliceNames(const Trace& trace, unsigned threads);

  std::span<const StringId> names() const { return names_; }

 private:
  std::vector<StringId> names_;
};

struct SearchResult {
  uint64_t total = 0;
  std::vector<SliceId> slices = {};  // the first of them, in the order of time
};

// Slices whose name contains the text, in any case of ASCII letters. An empty text finds nothing.
SearchResult search_slices(const Trace& trace, const SliceNames& names, std::string_view text, size_t limit,
                           unsigned threads);

}  // namespace skyline::analyze
