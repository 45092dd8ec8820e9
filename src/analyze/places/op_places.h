// Whose time is an operator's: which module, which line, which phase.
#pragma once

#include <unordered_map>
#include <vector>

#include "analyze/places/breakdown.h"
#include "analyze/places/line_places.h"
#include "analyze/places/module_places.h"

namespace skyline::analyze {

struct OpPlace {
  uint32_t module = PlaceTree::kRoot;  // in ModulePlaces
  uint32_t line = PlaceTree::kRoot;    // in LinePlaces
  Phase phase = Phase::kPython;
  bool in_backward = false;  // it is a backward operator or inside one

  bool operator==(const OpPlace&) const = default;
};

// A module is called: where from.
struct ModuleCall {
  SliceId slice;    // its Python frame
  uint32_t module;  // in ModulePlaces
  uint32_t line;    // in LinePlaces
};

struct OpPlaces {
  explicit OpPlaces(const AnalyzedTrace& analyzed);

  // kRoot: in no line of the project.
  uint32_t line_of_sample(StackId stack) const {
    const auto found = sample_lines.find(stack);
    return found == sample_lines.end() ? PlaceTree::kRoot : found->second;
  }

  ModulePlaces modules;
  LinePlaces lines;
  std::vector<OpPlace> of;         // by row of Trace::ops: operators and ranges
  std::vector<uint32_t> around;    // by row: the operator or range around it; kNoRow: none
  std::vector<uint32_t> function;  // by row: of an engine's range the operator that it evaluates; else itself
  std::vector<bool> is_operator;
  std::unordered_map<StackId, uint32_t, IdHash>
      sample_lines;               // in LinePlaces, of the stacks that samples have
  std::vector<ModuleCall> calls;  // outside of the backward pass; only where stacks are not recorded
};

// By row: the outermost operator around that it is a part of, because it has the same place.
std::vector<uint32_t> find_leads(const AnalyzedTrace& analyzed);

}  // namespace skyline::analyze
