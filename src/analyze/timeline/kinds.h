// What a slice is drawn as: its category, or communication, which is spread over several categories.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace skyline::analyze {

class TimelineKinds {
 public:
  static constexpr uint8_t kCommunication = kCategories.size();
  static constexpr uint8_t kCount = kCommunication + 1;

  // The category's, or "communication".
  static std::string_view name(uint8_t kind);

  explicit TimelineKinds(const Trace& trace);

  uint8_t of(Category category, StringId name) const;
  uint8_t of(SliceId slice) const { return of(trace_.category(slice), trace_.slices.name[slice.value]); }

 private:
  const Trace& trace_;
  // Names of what communicates, on a device and on the host; by number of the string.
  std::vector<bool> on_device_, on_host_;
};

}  // namespace skyline::analyze
