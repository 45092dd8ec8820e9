#include "cli/commands/interactive_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/setup/serving.h"
#include "cli/setup/session_setup.h"
#include "cli/views/session_timings.h"
#include "cli/views/session_view.h"

namespace skyline::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kRows = 12;        // of modules; half as many lines
constexpr size_t kOtherLines = 34;  // that a screen has besides

// Redraws the screen, or, where that is no terminal, prints what each profile has found when it is over.
class Screen {
 public:
  Screen(const session::SessionOptions& options, const Console& console)
      : options_(options), console_(console) {}

  // Stays at the top of a screen that is redrawn.
  void set_header(std::string header) { header_ = std::move(header); }

  void show(const session::SessionView& view) {
    if (console_.is_terminal) return redraw(view);
    const bool is_over = view.state == session::SessionState::kIdle && view.save != printed_;
    if (!is_over || (view.result_save != view.save && !view.trouble)) return;
    printed_ = view.save;
    fmt::print("{}\nsave {} is done\n\n", render_session(view, options_, console_, kRows), view.save);
    std::fflush(stdout);
  }

 private:
  void redraw(const session::SessionView& view) {
    // Ten times a second at most, but what stays is always drawn.
    const Clock::time_point now = Clock::now();
    if (view.state == session::SessionState::kProfiling && view.save == drawn_ && now < next_draw_) return;
    next_draw_ = now + std::chrono::milliseconds(100);
    drawn_ = view.save;
    const std::string text = header_ + render_session(view, options_, console_, rows());
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

  const session::SessionOptions& options_;
  const Console& console_;
  std::string header_;
  uint64_t printed_ = 0, drawn_ = 0;
  Clock::time_point next_draw_ = {};
};

// What a user of a screen must have before his eyes: the address, and who else can reach it.
std::string header_of(const serve::Server& server, const Arguments& arguments, const Context& context) {
  std::string warning = warning_of_host(arguments);
  if (!warning.empty()) warning += "\n";
  return warning + address_lines(server, arguments, context) + "\n";
}

// Where the session before was, unless the user says where: its pages look there.
serve::ServeOptions door_options(const Arguments& arguments, const serve::KeptDoor& door) {
  serve::ServeOptions options = serve_options(arguments);
  if (!arguments.number(kPortArgument)) {
    options.port = door.port;
    options.is_port_only_liked = true;
  }
  return options;
}

Result<Answer> profile_and_print(session::SessionOptions options, const Arguments& arguments,
                                 const Context& context) {
  if (arguments.number(kPortArgument) || !arguments.text(kHostArgument).empty()) {
    return Error{"--once prints one profile and ends, so there is no page; leave out --port and --host"};
  }
  const std::string root = options.profile.project_root;
  SKYLINE_TRY(const std::shared_ptr<const session::ProfileResult> result,
              profile_once(std::move(options), context));
  return Answer{.text = render_profile(*result, root, context.console, kRows)};
}

}  // namespace

Result<Answer> run_interactive(const Arguments& arguments, const Context& context) {
  SKYLINE_TRY(session::SessionOptions options, session_options(arguments, context));
  if (arguments.has(kOnceArgument)) return profile_and_print(std::move(options), arguments, context);
  if (context.console.is_terminal) options.profile.refine_ns = session::kRefineNs;

  // The session, and who hears of it.
  Screen screen(options, context.console);
  SessionTimings timings;
  serve::OpenedTraces traces;
  serve::LiveSession live(options, traces);
  const std::string kept = kept_folder(options);
  live.keep_history_in(kept.empty() ? "" : kept + "/history");
  session::Session session(options, [&](const session::SessionView& view) {
    if (context.environment.timings) {
      fmt::print(stderr, "{}", timings.line(view, Clock::now().time_since_epoch().count()));
    }
    screen.show(view);
    live.show(view);
  });
  live.set_session(&session);

  // The page.
  const serve::SourceFiles sources("", options.profile.project_root);
  const std::string door_path = kept.empty() ? "" : kept + "/door";
  serve::KeptDoor door = serve::kept_door(door_path);
  const serve::Context served = {.program = fmt::format("skyline {}", context.version),
                                 .command = context.typed,
                                 .resume_secret = door.secret,
                                 .traces = traces,
                                 .session = &live,
                                 .sources = &sources,
                                 .greeting = [&] { return live.greeting(); }};
  SKYLINE_TRY(const std::unique_ptr<serve::Server> server,
              serve::Server::start(door_options(arguments, door), served));
  door.port = server->port();
  serve::keep_door(door_path, door);
  live.set_tell([&](const std::string& kind, std::string text) { server->broadcast(kind, std::move(text)); });
  Arguments announced = arguments;
  // A script has started us: it finds the address.
  if (!context.console.is_terminal) announced.set(kNoOpenArgument, true);
  announce(*server, announced, context);
  screen.set_header(header_of(*server, arguments, context));

  const Status status = run_until_signal(session);
  if (!status.ok()) return status.error();
  return Answer{};
}

}  // namespace skyline::cli
