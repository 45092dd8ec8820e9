#include "cli/program.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <new>

#include "cli/command_line.h"
#include "cli/setup/common_arguments.h"

namespace skyline::cli {
namespace {

using Work = std::vector<std::function<void()>>;

// As a shell takes them.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      text += "'\\''";
    } else {
      text += letter;
    }
  }
  return text + "'";
}

std::string typed_words(const std::vector<std::string>& words) {
  std::string text = "skyline";
  for (const std::string& word : words) text += " " + quoted(word);
  return text;
}

Result<Answer> answer(const std::vector<std::string>& words, const std::string& version, Work& afterwards) {
  // What is asked for, and whether it makes sense.
  SKYLINE_TRY(const Request request, parse_command_line(words, version));
  if (request.command == nullptr) return Answer{.text = request.text};

  // Where the answer will be shown.
  SKYLINE_TRY(const Environment environment, read_environment(std::getenv));
  const Console console = detect_console(environment, color_choice(request.arguments.text(kColorArgument)));

  const Context context = {environment, console, version,
                           [&](std::function<void()> work) { afterwards.push_back(std::move(work)); },
                           typed_words(words)};
  return request.command->run(request.arguments, context);
}

int run(const std::vector<std::string>& words, const std::string& version) {
  Work afterwards;
  const Result<Answer> result = answer(words, version, afterwards);
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

int run_program(std::span<const char* const> words, const char* version) {
  try {
    return run({words.begin(), words.end()}, version);
  } catch (const std::bad_alloc&) {
    // No door has said it, or there was no memory even for its sentence.
    std::fputs("skyline: not enough memory; free some, or use a larger machine\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "skyline: internal error: %s; please report it with the command you ran\n",
                 error.what());
  }
  return kExitError;
}

}  // namespace skyline::cli
