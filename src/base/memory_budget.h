// How much memory reading a trace may take: a share of what this process can have, or what the user says.
// It is compared with what a file would need before that is allocated, so that a small file that unpacks to
// a large one is refused with a sentence and not by the system, which would kill the process.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace skyline {

struct MemoryBudget {
  uint64_t bytes = UINT64_MAX;
  std::string source = {};  // for people: "three quarters of this machine's RAM"
  bool is_chosen = false;   // by the user
};

// Three quarters of the smallest of: RAM, the limits of our control group (v1 or v2) and those around it,
// ulimit -v and -d. `root` is for tests.
MemoryBudget default_memory_budget(const std::string& root = "/");

// What a file of this size may take: no trace grows a thousandfold, so one that does is refused even where
// there would be room, unless the user has chosen the budget. 0: the size is not known.
MemoryBudget budget_for_file(const MemoryBudget& budget, uint64_t file_bytes);

// "x.json would need about 3.1 GiB of memory and may have …", with the cure.
Error over_budget(const std::string& name, uint64_t needed_bytes, const MemoryBudget& budget);

// "512 B", "3.1 GiB".
std::string bytes_for_people(uint64_t bytes);

}  // namespace skyline
