#include "cli/phase_line.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/printable.h"
#include "cli/progress_bar.h"

namespace skyline {

std::string render_phase(const Progress& progress, double seconds, size_t width) {
  std::string line = fmt::format("{}  {}", printable(progress.phase), render_share_bar(progress.fraction));
  // Before a tenth is done nobody can tell.
  if (progress.fraction >= 0.1 && progress.fraction < 1) {
    line += fmt::format("  {:.0f} s left", seconds / progress.fraction * (1 - progress.fraction));
  }
  return cut_middle(line, width);
}

void PhaseLine::show(const SessionView& view) {
  const Clock::time_point now = Clock::now();
  if (!console_.shows_progress || now < next_draw_) return;
  if (view.state == SessionState::kStarting) begin_ = now;
  next_draw_ = now + std::chrono::milliseconds(100);
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  // The last column stays free: a full line would wrap in some terminals.
  const size_t width = console_.progress_width > 1 ? console_.progress_width - 1 : 1;
  const bool has_note = view.state == SessionState::kStarting && !view.note.empty();
  const std::string line =
      has_note ? cut_middle(printable(view.note), width) : render_phase(view.progress, seconds, width);
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
  drawn_ = true;
}

void PhaseLine::erase() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace skyline
