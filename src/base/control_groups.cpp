#include "base/control_groups.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace skyline {
namespace {

// How the two versions name things.
struct Version {
  std::string_view mount, limit, used, cache;
};
constexpr Version kVersion1 = {"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};
constexpr Version kVersion2 = {"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

// Version 1 says "no limit" with the largest multiple of a page.
constexpr uint64_t kNoLimit = uint64_t{1} << 60;

std::string_view cut_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::optional<int64_t> leading_number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  int64_t number = 0;
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  return number;
}

// "0::/user.slice/x" in version 2; "7:memory:/docker/x", maybe with other controllers, in version 1.
bool is_line_of(std::string_view controllers, const Version& version) {
  if (&version == &kVersion2) return controllers.empty();
  while (!controllers.empty()) {
    const std::string_view one = controllers.substr(0, controllers.find(','));
    if (one == "memory") return true;
    controllers.remove_prefix(std::min(controllers.size(), one.size() + 1));
  }
  return false;
}

std::string own_group(std::string_view lines, const Version& version) {
  while (!lines.empty()) {
    const std::string_view line = cut_line(lines);
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    if (is_line_of(line.substr(first + 1, second - first - 1), version)) {
      return std::string(line.substr(second + 1));
    }
  }
  return "/";
}

void add_groups(const std::string& root, std::string group, const Version& version,
                std::vector<ControlGroup>& groups) {
  const std::string mount = root + std::string(version.mount);
  while (true) {
    const std::string folder = mount + (group == "/" ? "" : group) + "/";
    const std::optional<int64_t> limit = leading_number(small_file(folder + std::string(version.limit)));
    if (limit && *limit >= 0 && static_cast<uint64_t>(*limit) < kNoLimit) {
      const std::optional<int64_t> used = leading_number(small_file(folder + std::string(version.used)));
      const std::optional<int64_t> cache = number_in_line(small_file(folder + "memory.stat"), version.cache);
      groups.push_back({folder, static_cast<uint64_t>(*limit), used,
                        static_cast<uint64_t>(std::max<int64_t>(0, cache.value_or(0)))});
    }
    const size_t slash = group.rfind('/');
    if (group.size() <= 1 || slash == group.npos) return;
    group = slash == 0 ? "/" : group.substr(0, slash);
  }
}

}  // namespace

std::vector<ControlGroup> memory_groups(const std::string& root) {
  const std::string lines = small_file(root + "proc/self/cgroup");
  std::vector<ControlGroup> groups;
  for (const Version* version : {&kVersion2, &kVersion1}) {
    add_groups(root, own_group(lines, *version), *version, groups);
  }
  return groups;
}

std::string small_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char bytes[1 << 14];
  size_t size = 0;
  while (size < sizeof bytes) {
    const ssize_t n = ::read(file, bytes + size, sizeof bytes - size);
    if (n <= 0) break;
    size += static_cast<size_t>(n);
  }
  ::close(file);
  return std::string(bytes, size);
}

std::optional<int64_t> number_in_line(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view line = cut_line(text);
    if (line.starts_with(name) && line.size() > name.size() &&
        (line[name.size()] == ' ' || line[name.size()] == '\t')) {
      return leading_number(line.substr(name.size()));
    }
  }
  return std::nullopt;
}

}  // namespace skyline
