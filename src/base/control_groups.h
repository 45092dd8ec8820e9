// The control groups that limit this process' memory (cgroups, version 1 or 2): our own and those around it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skyline {

struct ControlGroup {
  std::string folder;  // below /sys/fs/cgroup
  uint64_t limit_bytes = UINT64_MAX;
  std::optional<uint64_t> used_bytes = {};  // page cache and all
  uint64_t inactive_file_bytes = 0;         // page cache that can be had back
};

// The innermost first; only those with a limit. `root` is for tests.
std::vector<ControlGroup> memory_groups(const std::string& root = "/");

// A file of /proc or /sys; empty if there is none.
std::string small_file(const std::string& path);

// The number behind a name that begins a line: "MemTotal:  123 kB".
std::optional<int64_t> number_in_line(std::string_view text, std::string_view name);

}  // namespace skyline
