// A line on standard error that tells how far reading is, for files that take longer than a second.
//
//   rank_3.json.gz  ██████████████░░░░░░░░░░  58 %  212 MB/s  4 s left
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace skyline::cli {

struct ProgressState {
  std::string_view file;
  uint64_t done_bytes = 0;
  uint64_t total_bytes = 0;  // 0: unknown
  double seconds = 0;        // since reading began
};

// "██████████████░░░░░░░░░░  58 %" of a share from 0 to 1.
std::string render_share_bar(double share);

// The line, at most `width` cells wide.
std::string render_progress(const ProgressState& state, size_t width);

// Draws at most ten times a second, and nothing in the first second. Erases itself at the end.
class ProgressBar {
 public:
  ProgressBar(std::string file, size_t width);
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // From any thread, one call at a time.
  void update(uint64_t done_bytes, uint64_t total_bytes);

 private:
  using Clock = std::chrono::steady_clock;

  void erase();

  std::string file_;
  size_t width_;
  Clock::time_point begin_;
  Clock::time_point next_draw_;
  bool drawn_ = false;
};

}  // namespace skyline::cli
