// A line on standard error that tells what a profile is doing and how long that may still take.
//
//   timing  ███████░░░░░░░░░░░░░  35 %  4 s left
#pragma once

#include <chrono>
#include <string>

#include "cli/terminal/console.h"
#include "session/session.h"

namespace skyline::cli {

// "timing"; of a phase that lasts, "loading (12 s)".
std::string describe_phase(const session::Progress& progress, int64_t in_phase_ns);

// The line, at most `width` cells wide. `seconds` since the profile began.
std::string render_phase(const session::Progress& progress, int64_t in_phase_ns, double seconds,
                         size_t width);

class PhaseLine {
 public:
  explicit PhaseLine(const Console& console) : console_(console) {}
  ~PhaseLine() { erase(); }
  PhaseLine(const PhaseLine&) = delete;
  PhaseLine& operator=(const PhaseLine&) = delete;

  // Draws at most ten times a second, if standard error is a terminal.
  void show(const session::SessionView& view);
  void show(const session::Progress& progress, int64_t in_phase_ns = 0);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  size_t width() const;
  bool is_due() const { return console_.shows_progress && Clock::now() >= next_draw_; }
  void draw(const std::string& line);

  const Console& console_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_draw_ = begin_;
  bool drawn_ = false;
};

}  // namespace skyline::cli
