#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace skyline::collect {

// What is recorded. Each kind can be switched off.
struct Options {
  std::string path;
  std::vector<std::pair<std::string, std::string>> meta;  // written into the file as it is
  bool ops = true;
  bool ranges = true;  // steps, optimizer, data loading, the user's own
  bool shapes = false;
  bool stacks = false;
  bool modules = false;
  bool memory = false;
  bool direct = true;  // see direct_calls.h
  uint64_t buffer_bytes = uint64_t{256} << 20;
  uint64_t max_file_bytes = uint64_t{4} << 30;
};

}  // namespace skyline::collect
