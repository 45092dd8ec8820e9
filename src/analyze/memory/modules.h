// Blocks that live at the peak, by the module that they belong to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/memory/at_peak.h"

namespace skyline::analyze {

struct MemoryNode {
  uint32_t parent = kNoRow;     // kNoRow: the root, which is the peak
  uint32_t depth = 0;           // of the root: 0
  uint32_t end = 0;             // its descendants are the nodes up to here, itself excluded
  std::string name = {};        // of the module, qualified; empty for a model itself
  std::string class_name = {};  // empty where the module was not seen running
  RoleBytes own = {};           // not in a child
  RoleBytes total = {};         // own and those of all descendants
  uint32_t blocks = 0;          // own ones
};

// In preorder, children by first allocation; never empty. Named tensors belong to the module that holds
// them, others to the module that ran. Blocks of no module are the root's own.
using MemoryTree = std::vector<MemoryNode>;
MemoryTree memory_by_module(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak);

// The name of the module that a block belongs to in this tree; empty for a model itself, or none.
std::string_view module_of(const Trace& trace, const PeakBlock& block);

// Per block its node in memory_by_module.
std::vector<uint32_t> module_nodes_of_blocks(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak);

// Bytes that a module, with those inside it, owes to a line.
struct MemoryLink {
  uint32_t module;  // an index of memory_by_module
  uint32_t line;    // an index of memory_by_line (memory/lines.h)
  int64_t bytes;
};

// By module and line; those of the root are the lines' totals.
std::vector<MemoryLink> memory_links(const AnalyzedTrace& analyzed, const MemoryAtPeak& peak);

}  // namespace skyline::analyze
