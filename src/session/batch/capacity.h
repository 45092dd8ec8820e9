// How much memory a training run may use on the CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace skyline::session {

struct MemoryCapacity {
  int64_t bytes = 0;
  std::string source = {};  // "available RAM", "limit of the cgroup", "--memory-capacity"
};

// The smaller of the RAM that is available now and what the control group leaves. `root` is for tests.
MemoryCapacity cpu_memory_capacity(const std::string& root = "/");

}  // namespace skyline::session
