#include "base/memory_budget.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>

#include "base/control_groups.h"

namespace skyline {
namespace {

constexpr uint64_t kMostGrowth = 1000;
constexpr uint64_t kAlwaysFine = uint64_t{256} << 20;  // whatever the file's size

struct Limit {
  uint64_t bytes = UINT64_MAX;
  const char* of = "";
};

uint64_t shell_limit(__rlimit_resource_t resource) {
  rlimit limit = {};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

uint64_t ram_bytes(const std::string& root) {
  const std::optional<int64_t> kilobytes = number_in_line(small_file(root + "proc/meminfo"), "MemTotal:");
  return kilobytes ? static_cast<uint64_t>(*kilobytes) * 1024 : UINT64_MAX;
}

uint64_t group_limit(const std::string& root) {
  uint64_t smallest = UINT64_MAX;
  for (const ControlGroup& group : memory_groups(root)) smallest = std::min(smallest, group.limit_bytes);
  return smallest;
}

}  // namespace

MemoryBudget default_memory_budget(const std::string& root) {
  const Limit limits[] = {{ram_bytes(root), "this machine's RAM"},
                          {group_limit(root), "the control group's limit"},
                          {shell_limit(RLIMIT_AS), "ulimit -v"},
                          {shell_limit(RLIMIT_DATA), "ulimit -d"}};
  const Limit& smallest = *std::min_element(std::begin(limits), std::end(limits),
                                            [](const Limit& a, const Limit& b) { return a.bytes < b.bytes; });
  if (smallest.bytes == UINT64_MAX) return {};
  return {smallest.bytes / 4 * 3, fmt::format("three quarters of {}", smallest.of)};
}

MemoryBudget budget_for_file(const MemoryBudget& budget, uint64_t file_bytes) {
  if (budget.is_chosen || file_bytes == 0) return budget;
  const uint64_t most = kAlwaysFine + std::min(file_bytes, UINT64_MAX / kMostGrowth / 2) * kMostGrowth;
  if (most >= budget.bytes) return budget;
  return {most, "a thousand times the file's size, more than any trace needs"};
}

Error over_budget(const std::string& name, uint64_t needed_bytes, const MemoryBudget& budget) {
  return {fmt::format("{} would need about {} of memory and may have {} ({}); allow more with --max-memory{}",
                      name, bytes_for_people(needed_bytes), bytes_for_people(budget.bytes), budget.source,
                      budget.is_chosen ? "" : ", or use a larger machine"),
          true};
}

std::string bytes_for_people(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  static constexpr std::array<const char*, 6> kSuffixes = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double scaled = static_cast<double>(bytes) / 1024;
  size_t suffix = 0;
  // 1023.95 would be shown as 1024.0.
  while (scaled >= 1023.95 && suffix + 1 < kSuffixes.size()) {
    scaled /= 1024;
    ++suffix;
  }
  return fmt::format("{:.1f} {}", scaled, kSuffixes[suffix]);
}

}  // namespace skyline
