// One picture of a whole: its parts side by side, areas proportional to their sizes.
//
//   ████████████████████▓▓▓▓▓▓▓▓▓▓▒▒▒▒▒·····
//   █ device compute 51 %   ▓ communication 25 %   ▒ copy 12 %   · idle 12 %
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/terminal/ink.h"

namespace skyline::cli {

struct BarPart {
  std::string name;
  int64_t size;
  std::string_view glyph;  // one cell; tells the parts apart where there is no colour
  Ink ink;
};

// The bar and its legend, each line ended. The bar adds up to the width; each percent is rounded by
// itself, as everywhere in a report. Parts of size 0 are left out; nothing is drawn if all are 0.
std::string render_stacked_bar(const std::vector<BarPart>& parts, size_t width, bool color);

}  // namespace skyline::cli
