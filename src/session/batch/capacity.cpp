#include "session/batch/capacity.h"

#include <algorithm>
#include <limits>

#include "base/control_groups.h"

namespace skyline::session {
namespace {

// What the groups around us leave: page cache can be had back, so it does not count as used.
int64_t left_in_groups(const std::string& root) {
  int64_t left = std::numeric_limits<int64_t>::max();
  for (const ControlGroup& group : memory_groups(root)) {
    if (!group.used_bytes) continue;
    left = std::min(left, static_cast<int64_t>(group.limit_bytes) - static_cast<int64_t>(*group.used_bytes) +
                              static_cast<int64_t>(group.inactive_file_bytes));
  }
  return left;
}

}  // namespace

MemoryCapacity cpu_memory_capacity(const std::string& root) {
  const int64_t available = number_in_line(small_file(root + "proc/meminfo"), "MemAvailable:").value_or(-1);
  MemoryCapacity capacity{available < 0 ? 0 : available * 1024, "available RAM"};
  const int64_t left = left_in_groups(root);
  if (available < 0 || left < capacity.bytes) {
    if (left != std::numeric_limits<int64_t>::max())
      capacity = {std::max<int64_t>(left, 0), "limit of the cgroup"};
  }
  return capacity;
}

}  // namespace skyline::session
