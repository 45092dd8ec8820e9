#include "session/capacity.h"

#include <limits>
#include <sstream>

#include "session/process.h"

namespace skyline {
namespace {

// "Name:   123 kB" or "name 123" in a file of such lines; -1: not there.
int64_t number_after(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    int64_t number = 0;
    if (words >> first >> number && first == name) return number;
  }
  return -1;
}

// A file that holds a number, or "max".
int64_t limit_in(const std::string& path) {
  std::istringstream words(read_file(path));
  int64_t number = 0;
  return words >> number ? number : std::numeric_limits<int64_t>::max();
}

// The folder of our control group below the mount: "0::/user.slice/…" in /proc/self/cgroup.
std::string own_group(const std::string& root) {
  std::istringstream lines(read_file(root + "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return "/";
}

// What the group and those around it leave: page cache can be had back, so it does not count as used.
int64_t left_in_groups(const std::string& root) {
  int64_t left = std::numeric_limits<int64_t>::max();
  std::string group = own_group(root);
  while (true) {
    const std::string folder = root + "sys/fs/cgroup" + (group == "/" ? "" : group);
    const int64_t limit = limit_in(folder + "/memory.max"), used = limit_in(folder + "/memory.current");
    if (limit != std::numeric_limits<int64_t>::max() && used != std::numeric_limits<int64_t>::max()) {
      const int64_t cache = number_after(read_file(folder + "/memory.stat"), "inactive_file");
      left = std::min(left, limit - used + std::max<int64_t>(cache, 0));
    }
    const size_t slash = group.rfind('/');
    if (group.size() <= 1 || slash == group.npos) return left;
    group = slash == 0 ? "/" : group.substr(0, slash);
  }
}

}  // namespace

MemoryCapacity cpu_memory_capacity(const std::string& root) {
  const int64_t available = number_after(read_file(root + "proc/meminfo"), "MemAvailable:");
  MemoryCapacity capacity{available < 0 ? 0 : available * 1024, "available RAM"};
  const int64_t left = left_in_groups(root);
  if (available < 0 || left < capacity.bytes) {
    if (left != std::numeric_limits<int64_t>::max())
      capacity = {std::max<int64_t>(left, 0), "limit of the cgroup"};
  }
  return capacity;
}

}  // namespace skyline
