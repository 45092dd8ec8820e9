// Whose time is an operator's: which module, which line, which phase.
#pragma once

#include <vector>

#include "analyze/places/breakdown.h"
#include "analyze/places/line_places.h"
#include "analyze/places/module_places.h"

namespace skyline {

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

  ModulePlaces modules;
  LinePlaces lines;
  std::vector<OpPlace> of;         // by row of Trace::ops: operators and ranges
  std::vector<uint32_t> around;    // by row: the operator or range around it; kNoRow: none
  std::vector<uint32_t> function;  // by row: of an engine's range the operator that it evaluates; else itself
  std::vector<bool> is_operator;
  std::vector<ModuleCall> calls;  // outside of the backward pass; only where stacks are not recorded
};

// By row: the outermost operator around that it is a part of, because it has the same place.
std::vector<uint32_t> find_leads(const AnalyzedTrace& analyzed);

}  // namespace skyline
