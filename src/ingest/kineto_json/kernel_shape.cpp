#include "ingest/kineto_json/kernel_shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ingest/kineto_json/arg_values.h"
#include "ingest/kineto_json/members.h"
#include "trace/occupancy_limit.h"

namespace skyline::ingest::kineto_json {
namespace {

void read_real(std::string_view value, double& target) {
  const std::string_view token = without_quotes(value);
  double number = 0;
  const std::from_chars_result read = std::from_chars(token.data(), token.data() + token.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == token.data() + token.size();
  if (is_whole && std::isfinite(number) && number >= 0) target = number;
}

// "[8, 16, 5]", with or without quotes around it.
void read_three(std::string_view value, int64_t& x, int64_t& y, int64_t& z) {
  const char* p = value.data();
  const char* const end = p + value.size();
  for (int64_t* target : {&x, &y, &z}) {
    while (p < end && (*p < '0' || *p > '9')) ++p;
    const std::from_chars_result read = std::from_chars(p, end, *target);
    if (read.ec != std::errc()) return;
    p = read.ptr;
  }
}

// {"activeBlocksPerMultiprocessor": 2, "limitingFactors": "REGS|SMEM", …}
void read_limits(std::string_view object, int32_t& target) {
  for_each_member(object, [&](std::string_view key, std::string_view value) {
    if (key != "limitingFactors") return;
    std::string_view words = without_quotes(value);
    int32_t limits = 0;
    while (!words.empty()) {
      const std::string_view word = words.substr(0, words.find('|'));
      for (const OccupancyLimitDef& limit : kOccupancyLimits) {
        if (limit.word == word) limits |= static_cast<int32_t>(limit.limit);
      }
      words.remove_prefix(std::min(words.size(), word.size() + 1));
    }
    if (limits != 0) target = limits;
  });
}

}  // namespace

KernelShapeRow read_kernel_shape(std::string_view members) {
  KernelShapeRow row;
  for_each_member_of_stretch(members, [&](std::string_view key, std::string_view value) {
    if (key == "grid") read_three(value, row.grid_x, row.grid_y, row.grid_z);
    if (key == "block") read_three(value, row.block_x, row.block_y, row.block_z);
    if (key == "registers per thread") read_number(value, row.registers);
    if (key == "shared memory") read_number(value, row.shared_bytes);
    if (key == "blocks per SM") read_real(value, row.blocks_per_sm);
    if (key == "warps per SM") read_real(value, row.warps_per_sm);
    if (key == "occupancy") read_limits(value, row.limited_by);
    if (key == "est. achieved occupancy %" || key == "theoretical occupancy %")
      read_real(value, row.occupancy_percent);
  });
  return row;
}

}  // namespace skyline::ingest::kineto_json
