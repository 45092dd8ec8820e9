// A command is data: its name, what it takes and one function. Parsing, --help and the checks of values
// are made from these objects (cli/command_line.h); the list of all is kCommands (cli/commands.h).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/setup/arguments.h"
#include "cli/terminal/console.h"
#include "cli/terminal/environment.h"

namespace skyline::cli {

enum ExitCode : int {
  kExitFine = 0,
  kExitFinding = 1,  // `check` found something that makes figures wrong
  kExitError = 2,
};

struct Answer {
  std::string text = {};  // for standard output
  ExitCode exit_code = kExitFine;
};

struct Context {
  Environment environment;
  Console console;
  std::string version = {};
  // Called with work that can wait until the answer is out; absent: nothing can wait.
  std::function<void(std::function<void()> work)> afterwards = {};
  std::string typed = {};  // "skyline interactive train.py", quoted for a shell
};

struct Command {
  std::string_view name;
  HelpText summary;          // one line
  std::string_view example;  // what one would type
  std::span<const Argument* const> arguments;
  Result<Answer> (*run)(const Arguments& arguments, const Context& context);
  bool takes_words = false;  // all words go to Arguments::words unread; `arguments` are for --help only
  // Whether what follows this word, the first that is no option, is for the program that it names: then it
  // goes to Arguments::words unread. -m MODULE always names one. Absent: all words are ours.
  bool (*has_own_words)(const std::string& program) = nullptr;
};

}  // namespace skyline::cli
