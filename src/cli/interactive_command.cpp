#include "cli/interactive_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/session_setup.h"
#include "cli/session_timings.h"
#include "cli/session_view.h"

namespace skyline {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kRows = 12;                   // of modules; half as many lines
constexpr size_t kOtherLines = 32;             // that a screen has besides
constexpr int64_t kRefineNs = 30'000'000'000;  // in idle time, for more batch sizes

// Redraws the screen, or, where that is no terminal, prints what each profile has found when it is over.
class Screen {
 public:
  Screen(const SessionOptions& options, const Console& console) : options_(options), console_(console) {}

  void show(const SessionView& view) {
    if (console_.is_terminal) return redraw(view);
    const bool is_over = view.state == SessionState::kIdle && view.save != printed_;
    if (!is_over || (view.result_save != view.save && !view.trouble)) return;
    printed_ = view.save;
    fmt::print("{}\nsave {} is done\n\n", render_session(view, options_, console_, kRows), view.save);
    std::fflush(stdout);
  }

 private:
  void redraw(const SessionView& view) {
    // Ten times a second at most, but what stays is always drawn.
    const Clock::time_point now = Clock::now();
    if (view.state == SessionState::kProfiling && view.save == drawn_ && now < next_draw_) return;
    next_draw_ = now + std::chrono::milliseconds(100);
    drawn_ = view.save;
    const std::string text = render_session(view, options_, console_, rows());
    fmt::print("\x1b[H\x1b[2J{}", first_lines(text, console_.height > 1 ? console_.height - 1 : text.size()));
    std::fflush(stdout);
  }

  // Modules and lines are shown twice, so a screen that is three lines higher has one row more.
  size_t rows() const {
    if (console_.height == 0) return kRows;
    return std::clamp<size_t>(console_.height > kOtherLines ? (console_.height - kOtherLines) / 3 : 0, 3,
                              kRows);
  }

  // What would scroll away begins at the top.
  static std::string_view first_lines(std::string_view text, size_t count) {
    size_t end = 0;
    while (count > 0 && end < text.size()) {
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
      --count;
    }
    return text.substr(0, end);
  }

  const SessionOptions& options_;
  const Console& console_;
  uint64_t printed_ = 0, drawn_ = 0;
  Clock::time_point next_draw_ = {};
};

}  // namespace

Result<Answer> run_interactive(const Arguments& arguments, const Context& context) {
  SKYLINE_TRY(SessionOptions options, session_options(arguments, context));
  if (arguments.once) {
    const std::string root = options.profile.project_root;
    SKYLINE_TRY(const std::shared_ptr<const ProfileResult> result, profile_once(std::move(options), context));
    return Answer{.text = render_profile(*result, root, context.console, kRows)};
  }
  if (context.console.is_terminal) options.profile.refine_ns = kRefineNs;
  Screen screen(options, context.console);
  SessionTimings timings;
  Session session(options, [&](const SessionView& view) {
    if (context.environment.timings) {
      fmt::print(stderr, "{}", timings.line(view, Clock::now().time_since_epoch().count()));
    }
    screen.show(view);
  });
  const Status status = run_until_signal(session);
  if (!status.ok()) return status.error();
  return Answer{};
}

}  // namespace skyline
