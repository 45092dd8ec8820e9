#include "cli/terminal/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

constexpr int kBarCells = 24;
constexpr size_t kFileCells = 40;

}  // namespace

std::string render_share_bar(double share) {
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * kBarCells);
  std::string cells;
  for (int i = 0; i < kBarCells; ++i) cells += i < filled ? "█" : "░";
  return fmt::format("{}  {:2.0f} %", cells, std::clamp(share, 0.0, 1.0) * 100);
}

std::string render_progress(const ProgressState& state, size_t width) {
  const double speed = state.seconds > 0 ? static_cast<double>(state.done_bytes) / state.seconds : 0;
  std::string line = cut_middle(printable(state.file), kFileCells);
  if (state.total_bytes > 0) {
    line += "  " +
            render_share_bar(static_cast<double>(state.done_bytes) / static_cast<double>(state.total_bytes));
  }
  line += fmt::format("  {:.0f} MB/s", speed / 1e6);
  if (state.total_bytes > state.done_bytes && speed > 0) {
    line += fmt::format("  {:.0f} s left", static_cast<double>(state.total_bytes - state.done_bytes) / speed);
  } else if (state.total_bytes == 0) {
    line += fmt::format("  {:.0f} MB read", static_cast<double>(state.done_bytes) / 1e6);
  }
  return cut_middle(line, width);
}

ProgressBar::ProgressBar(std::string file, size_t width)
    : file_(std::move(file)),
      width_(width),
      begin_(Clock::now()),
      next_draw_(begin_ + std::chrono::seconds(1)) {}

void ProgressBar::update(uint64_t done_bytes, uint64_t total_bytes) {
  const Clock::time_point now = Clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + std::chrono::milliseconds(100);
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  // The last column stays free: a full line would wrap in some terminals.
  const std::string line =
      render_progress({file_, done_bytes, total_bytes, seconds}, width_ > 1 ? width_ - 1 : 1);
  fmt::print(stderr, "\r{}\x1b[K", line);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::erase() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace skyline::cli
