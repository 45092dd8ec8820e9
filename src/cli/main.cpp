// The skyline program: words in, text and an exit code out.
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <new>

#include "cli/command_line.h"

namespace skyline {
namespace {

using Work = std::vector<std::function<void()>>;

Result<Answer> answer(const std::vector<std::string>& words, Work& afterwards) {
  // What is asked for, and whether it makes sense.
  SKYLINE_TRY(const Request request, parse_command_line(words, SKYLINE_VERSION));
  if (request.command == nullptr) return Answer{.text = request.text};

  // Where the answer will be shown.
  SKYLINE_TRY(const Environment environment, read_environment(std::getenv));
  const Console console = detect_console(environment, color_choice(request.arguments.color));

  const Context context = {environment, console, SKYLINE_VERSION,
                           [&](std::function<void()> work) { afterwards.push_back(std::move(work)); }};
  return request.command->run(request.arguments, context);
}

int run(const std::vector<std::string>& words) {
  Work afterwards;
  const Result<Answer> result = answer(words, afterwards);
  if (!result.ok()) {
    Console().complain(result.error().sentence);
    return kExitError;
  }
  switch (write_standard_output(result.value().text)) {
    case Written::kAll:
      for (const std::function<void()>& work : afterwards) work();
      return result.value().exit_code;
    case Written::kBrokenPipe:
      return kExitFine;  // the reader has seen enough, as with `| head`
    case Written::kFailed:
      break;
  }
  Console().complain(fmt::format("cannot write the output: {}; free some space or write it elsewhere",
                                 std::strerror(errno)));
  return kExitError;
}

}  // namespace
}  // namespace skyline

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // write() then says so
  try {
    return skyline::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::bad_alloc&) {
    std::fputs("skyline: not enough memory for this trace; free some, or use a larger machine\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "skyline: internal error: %s; please report it with the command you ran\n",
                 error.what());
  }
  return skyline::kExitError;
}
