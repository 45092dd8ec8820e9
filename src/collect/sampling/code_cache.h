// Names and lines of code objects that were met in frames, copied without the GIL.
//
// An address may be used again by another code object. So what a code object looks like (where its names, its
// line table stand; its size) is compared each time it is met, and what it was copied from is checked again
// after the copy: only what was whole at both moments is believed.
#pragma once

#include "collect/sampling/copied_frames.h"
#include "collect/sampling/sample_tree.h"

namespace skyline::collect {

class CodeCache {
 public:
  CodeCache(const OwnMemory& memory, SampleTree& tree) : memory_(memory), tree_(tree) {}

  // The line of code (a frame of the tree) where an instruction stands; kNone: the copy is not of a code
  // object, or it went while it was asked.
  uint32_t frame_at(uintptr_t address, const CodeCopy& copy, uintptr_t instruction);

 private:
  // What tells two code objects at one address apart.
  struct Look {
    uintptr_t file, function, lines;
    int64_t units;
    int32_t first_line;
    bool operator==(const Look&) const = default;
  };
  struct Known {
    Look look;
    uint32_t file, function;
    std::string line_table;
    std::unordered_map<int32_t, uint32_t> frames;  // by offset
  };

  bool copy_names(uintptr_t address, const Look& look, Known& to) const;
  bool copy_text(uintptr_t from, std::string& to) const;
  bool copy_bytes(uintptr_t from, std::string& to) const;

  const OwnMemory& memory_;
  SampleTree& tree_;
  std::unordered_map<uintptr_t, Known> known_;
};

}  // namespace skyline::collect
