// Where time goes, as a tree: the frames of the program or the modules of the model, then the operators that
// are called there, then those that these call.
//
//   train.py(20): <module>
//   └ model.py(5): forward
//     ├ aten::linear
//     │ └ aten::addmm
//     └ aten::relu
//
// A node's time is the self time of the operators there: the sums are those of the table ops, whichever way
// they are put into trees. Where Python was sampled, the tree of stacks also has its time between operators,
// as (Python), and that of other threads and DataLoader workers, below their frames.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/core/analyzed_trace.h"

namespace skyline::analyze {

enum class FlameBy : uint8_t { kStack, kModule };

enum class FlameTime : uint8_t {
  kHost,    // ops.host_self
  kDevice,  // ops.device_self, with device work that no operator launched
};

struct FlameOptions {
  FlameBy by = FlameBy::kStack;
  FlameTime time = FlameTime::kHost;
  std::optional<int64_t> step = {};  // only this step's events
  bool only_program = false;         // without the frames of program_frames.h

  auto operator<=>(const FlameOptions&) const = default;
};

struct FlamePlace {
  std::string file;
  int64_t line = 0;
  std::string function;
};

struct FlameNode {
  uint32_t parent = kNoRow;  // kNoRow: the root, which is everything
  uint32_t name = 0;         // an index of Flame::names
  uint32_t place =
      kNoRow;            // an index of Flame::places, where there is one: of a module, the line that calls it
  int64_t total_ns = 0;  // with what is below
  int64_t self_ns = 0;
  int64_t calls = 0;  // operators called here and below
};

struct Flame {
  std::vector<std::string> names;
  std::vector<FlamePlace> places;
  std::vector<FlameNode> nodes;  // in preorder, of siblings the longest first; never empty
  size_t left_out = 0;           // nodes that were trimmed
};

Flame make_flame(const AnalyzedTrace& analyzed, const FlameOptions& options);

}  // namespace skyline::analyze
