// Everything that tables know of one slice and of what is around it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analyze/places/program_lines.h"
#include "analyze/timeline/links.h"
#include "trace/trace.h"

namespace skyline::analyze {

struct SliceAbout {
  int64_t self_ns = 0;                // without the slices directly inside it
  int64_t step = -1;                  // its number; device work belongs where its launch does
  std::vector<SliceId> parents = {};  // the outermost first
  std::vector<TimelineFlow> flows = {};
  std::vector<ProgramLine> stack = {};  // the outermost first; the operator's, for calls and device work
  std::string module = {};              // "layers.0 (Linear)"; empty: not known
  std::vector<std::pair<std::string, std::string>> facts = {};  // what tables keep of its args
};

// Of very deep stacks the innermost part is told.
SliceAbout about_slice(const Trace& trace, const TimelineLinks& links, SliceId slice);

}  // namespace skyline::analyze
