// A command is data: its name, what it takes and one function. Parsing, --help and the checks of values
// are made from these objects (cli/command_line.h); the list of all is kCommands (cli/commands.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/terminal/console.h"
#include "cli/terminal/environment.h"

namespace skyline {

// What was typed, checked value by value. Each command has the arguments that it lists.
struct Arguments {
  std::string table;
  std::string name;
  std::vector<std::string> traces;
  std::string format = "text";
  std::string color = "auto";
  std::string sort;
  std::string group_by;
  std::string filter;
  std::string output;
  bool force = false;
  bool no_cache = false;
  bool ranges = false;
  std::string entry_point;
  std::string python;
  std::string project_root;
  std::string start;
  std::string targets;
  std::string host;
  std::string source_root;
  bool no_open = false;
  std::string time = "host";
  bool once = false;
  bool polling = false;
  std::vector<std::string> words;  // of a command that reads them itself
  std::optional<int64_t> threads;
  std::optional<int64_t> top;
  std::optional<int64_t> step;
  std::optional<int64_t> rank;
  std::optional<int64_t> budget;
  std::optional<int64_t> memory_capacity;
  std::optional<int64_t> max_memory;
  std::optional<int64_t> batch_size;
  std::optional<int64_t> patience;
  std::optional<int64_t> trials;
  std::optional<int64_t> port;
};

struct Argument {
  std::string_view name;   // "--sort", or "TRACE" for one that is told by its place
  std::string_view value;  // what stands for the value in help: "COLUMN"; empty for a switch
  std::string_view doc;    // one line
  std::variant<std::string Arguments::*, std::vector<std::string> Arguments::*,
               std::optional<int64_t> Arguments::*, bool Arguments::*>
      target;
  std::span<const std::string_view> choices = {};  // of a text; empty: any
  int64_t min = 0;                                 // of a number
  int64_t max = INT64_MAX;
  bool is_size = false;  // a number that may end with K, M, G or T
  bool required = false;
  std::string_view short_name = {};  // "-o"

  constexpr bool is_option() const { return name.starts_with("--"); }
  constexpr bool is_switch() const { return std::holds_alternative<bool Arguments::*>(target); }
};

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
};

struct Command {
  std::string_view name;
  std::string_view summary;  // one line
  std::string_view example;  // what one would type
  std::span<const Argument* const> arguments;
  Result<Answer> (*run)(const Arguments& arguments, const Context& context);
  bool takes_words = false;  // all words go to Arguments::words unread; `arguments` are for --help only
};

}  // namespace skyline
