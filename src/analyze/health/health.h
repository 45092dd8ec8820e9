// Health: would the figures be right?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/core/analyzed_trace.h"

namespace skyline {

enum class HealthLevel : uint8_t { kFine, kNote, kWrong };  // kWrong: some figure would be wrong

struct HealthItem {
  std::string_view name;  // "kernels.unlinked"
  HealthLevel level;
  int64_t count;
  std::string sentence;  // what was found
  std::string cure;      // what to do or to switch on next time; empty when nothing
};

std::vector<HealthItem> examine(const AnalyzedTrace& analyzed);

}  // namespace skyline
