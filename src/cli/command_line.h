// The words of a command line become a request, or one sentence that says what is wrong with them.
#pragma once

#include <string>
#include <vector>

#include "cli/setup/command.h"

namespace skyline::cli {

struct Request {
  const Command* command = nullptr;  // null: only `text` is asked for (--help, --version)
  Arguments arguments = {};
  std::string text = {};
};

// `words` are those after the program's name.
Result<Request> parse_command_line(const std::vector<std::string>& words, std::string_view version);

// What --help prints: for the program, and for one command.
std::string help_overview();
std::string help_of(const Command& command);

}  // namespace skyline::cli
