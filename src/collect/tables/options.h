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
  bool values = false;  // with shapes: also of inputs that are no tensors
  bool stacks = false;
  bool modules = false;
  bool memory = false;
  bool direct = false;  // see direct_calls.h
  uint64_t buffer_bytes = uint64_t{256} << 20;
  uint64_t max_file_bytes = uint64_t{4} << 30;
};

// How operators reached the recorder.
struct WayTaken {
  bool direct = false;  // without torch's observers in between
  std::string why_not;  // where that was asked for and not had
};

}  // namespace skyline::collect
