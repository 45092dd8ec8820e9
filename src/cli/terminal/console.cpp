#include "cli/terminal/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

constexpr size_t kNarrowestScreen = 40;
constexpr size_t kWidest = 400;

std::optional<winsize> terminal_size(int file) {
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size;
}

std::optional<size_t> terminal_width(int file) {
  const std::optional<winsize> size = terminal_size(file);
  return size ? std::optional<size_t>(size->ws_col) : std::nullopt;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

void Console::complain(std::string_view sentence) const {
  // Nobody is left to hear that standard error is broken.
  (void)write_all(STDERR_FILENO, "skyline: " + printable(sentence) + "\n");
}

ColorChoice color_choice(std::string_view word) {
  if (word == "always") return ColorChoice::kAlways;
  return word == "never" ? ColorChoice::kNever : ColorChoice::kAuto;
}

Console detect_console(const Environment& environment, ColorChoice color) {
  Console console;
  console.is_terminal = isatty(STDOUT_FILENO) == 1;
  console.shows_progress = isatty(STDERR_FILENO) == 1 && !environment.dumb_terminal;

  std::optional<size_t> width = environment.columns;
  if (!width && console.is_terminal) width = terminal_width(STDOUT_FILENO);
  if (width) console.width = std::clamp(*width, kNarrowestScreen, kWidest);
  if (const std::optional<winsize> size = terminal_size(STDOUT_FILENO)) console.height = size->ws_row;
  console.progress_width = terminal_width(STDERR_FILENO).value_or(console.progress_width);

  const bool colorful = console.is_terminal && !environment.no_color && !environment.dumb_terminal;
  console.color = color == ColorChoice::kAlways || (color == ColorChoice::kAuto && colorful);
  return console;
}

Written write_standard_output(std::string_view text) {
  // Nothing to say (as after an error) needs no stream to say it on.
  if (text.empty()) return Written::kAll;
  if (!write_all(STDOUT_FILENO, text)) return errno == EPIPE ? Written::kBrokenPipe : Written::kFailed;
  return close(STDOUT_FILENO) == 0 ? Written::kAll : Written::kFailed;
}

}  // namespace skyline::cli
