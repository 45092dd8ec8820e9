#include "cli/terminal/ink.h"

#include <fmt/format.h>

namespace skyline::cli {
namespace {

// Parameters of the SGR sequence. The hues are told apart by colour-blind readers (after Okabe and Ito).
std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kStrong:
      return "1";
    case Ink::kFaint:
      return "2";
    case Ink::kCompute:
      return "38;5;32";  // blue
    case Ink::kCommunication:
      return "38;5;172";  // orange
    case Ink::kCopy:
      return "38;5;175";  // reddish purple
    case Ink::kInput:
      return "38;5;178";  // yellow
    case Ink::kHost:
      return "38;5;36";  // bluish green
    case Ink::kIdle:
      return "38;5;245";  // grey
    case Ink::kError:
      return "38;5;160";  // red
  }
  return "";
}

}  // namespace

std::string paint(Ink ink, std::string_view text, bool color) {
  const std::string_view code = code_of(ink);
  if (!color || code.empty() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace skyline::cli
