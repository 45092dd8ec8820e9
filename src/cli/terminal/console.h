// Where a command speaks: what standard output can show, and how complaints reach the user.
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal/environment.h"

namespace skyline::cli {

enum class ColorChoice : unsigned char { kAuto, kAlways, kNever };

struct Console {
  size_t width = 100;           // of text, in cells
  size_t height = 0;            // of the terminal, in lines; 0: it is none
  bool color = false;           // standard output may be coloured
  bool is_terminal = false;     // standard output is one
  bool shows_progress = false;  // standard error is a terminal that can redraw a line
  size_t progress_width = 80;   // of that terminal

  // One sentence on standard error, at once.
  void complain(std::string_view sentence) const;
};

ColorChoice color_choice(std::string_view word);  // "auto", "always", "never"

Console detect_console(const Environment& environment, ColorChoice color);

// How writing to standard output ended.
enum class Written : unsigned char { kAll, kBrokenPipe, kFailed };

// Writes all of it and closes the stream, because some disks tell only then that they are full. On kFailed
// errno says why.
Written write_standard_output(std::string_view text);

}  // namespace skyline::cli
