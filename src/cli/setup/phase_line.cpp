#include "cli/setup/phase_line.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/terminal/printable.h"
#include "cli/terminal/progress_bar.h"

namespace skyline::cli {

std::string describe_phase(const session::Progress& progress, int64_t in_phase_ns) {
  constexpr int64_t kSecond = 1'000'000'000, kNoteworthy = 2 * kSecond;
  if (in_phase_ns < kNoteworthy) return printable(progress.phase);
  return fmt::format("{} ({} s)", printable(progress.phase), in_phase_ns / kSecond);
}

std::string render_phase(const session::Progress& progress, int64_t in_phase_ns, double seconds,
                         size_t width) {
  std::string line =
      fmt::format("{}  {}", describe_phase(progress, in_phase_ns), render_share_bar(progress.fraction));
  // Before a tenth is done nobody can tell.
  if (progress.fraction >= 0.1 && progress.fraction < 1) {
    line += fmt::format("  {:.0f} s left", seconds / progress.fraction * (1 - progress.fraction));
  }
  return cut_middle(line, width);
}

void PhaseLine::show(const session::SessionView& view) {
  if (view.state == session::SessionState::kStarting && !view.note.empty()) {
    if (is_due()) draw(cut_middle(printable(view.note), width()));
  } else {
    show(view.progress, view.in_phase_ns);
  }
}

void PhaseLine::show(const session::Progress& progress, int64_t in_phase_ns) {
  if (!is_due()) return;
  // Python's start takes its own time, which says nothing of what follows.
  if (progress.fraction == 0 && in_phase_ns == 0) begin_ = Clock::now();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  draw(render_phase(progress, in_phase_ns, seconds, width()));
}

// The last column stays free: a full line would wrap in some terminals.
size_t PhaseLine::width() const { return console_.progress_width > 1 ? console_.progress_width - 1 : 1; }

void PhaseLine::draw(const std::string& line) {
  next_draw_ = Clock::now() + std::chrono::milliseconds(100);
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

}  // namespace skyline::cli
