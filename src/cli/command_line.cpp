// CLI11 cuts options and their values out of the words. The rest is done here with the Argument objects, so
// that every complaint is one sentence in our own voice.
#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/terminal/nearest.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

using Words = std::vector<std::string>;

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known,
                         std::string_view otherwise) {
  const std::string choices = join_choices(nearest(word, known));
  return choices.empty() ? std::string(otherwise) : fmt::format("did you mean {}?", choices);
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names(kCommands.size());
  std::transform(kCommands.begin(), kCommands.end(), names.begin(),
                 [](const Command* command) { return command->name; });
  return names;
}

Error unknown_command(const std::string& word) {
  std::error_code ignored;
  const bool is_path = word == "-" || std::filesystem::exists(word, ignored);
  if (is_path) return {fmt::format("say what to do with '{0}', such as: skyline report {0}", word)};
  if (word.starts_with("-"))
    return {fmt::format("there is no option '{}' before a command; see skyline --help", word)};
  return {fmt::format("there is no command '{}'; {}", word,
                      did_you_mean(word, command_names(), "skyline --help lists them all"))};
}

Error unknown_option(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string_view> known;
  for (const Argument* argument : command.arguments) {
    if (argument->is_option()) known.push_back(argument->name);
  }
  return {fmt::format("{} has no option '{}'; {}", command.name, name,
                      did_you_mean(name, known, fmt::format("skyline {} --help lists them", command.name)))};
}

std::string allowed_numbers(const Argument& argument) {
  if (argument.kind == ArgumentKind::kSize) return "a size such as 800M or 4G";
  if (argument.max != INT64_MAX) return fmt::format("a number from {} to {}", argument.min, argument.max);
  return argument.min == INT64_MIN ? "a number" : fmt::format("a number of at least {}", argument.min);
}

Status check_choice(const Argument& argument, const std::string& word) {
  const std::vector<std::string_view> choices(argument.choices.begin(), argument.choices.end());
  if (choices.empty() || std::find(choices.begin(), choices.end(), word) != choices.end()) return Done{};
  return Error{fmt::format("{} must be {}, not '{}'", argument.name, join_choices(choices), word)};
}

Result<int64_t> parse_value(const Argument& argument, const std::string& word) {
  const bool is_size = argument.kind == ArgumentKind::kSize;
  const std::optional<int64_t> number = is_size ? parse_size(word) : parse_number(word);
  if (number && *number >= argument.min && *number <= argument.max) return *number;
  return Error{fmt::format("{} must be {}, not '{}'", argument.name, allowed_numbers(argument), word)};
}

// Sets one argument to the words that were typed for it.
Status assign(const Argument& argument, const Words& words, Arguments& arguments) {
  if (words.empty()) {
    if (!argument.otherwise.empty()) arguments.set(argument, std::string(argument.otherwise));
    return Done{};
  }
  switch (argument.kind) {
    case ArgumentKind::kSwitch:
      arguments.set(argument, true);
      break;
    case ArgumentKind::kTexts:
      arguments.set(argument, words);
      break;
    case ArgumentKind::kText:
      SKYLINE_RETURN_IF_ERROR(check_choice(argument, words.back()));
      arguments.set(argument, words.back());
      break;
    case ArgumentKind::kNumber:
    case ArgumentKind::kSize: {
      SKYLINE_TRY(const int64_t number, parse_value(argument, words.back()));
      arguments.set(argument, number);
      break;
    }
  }
  return Done{};
}

// "-o FILE", "--top N", "--force"
std::string option_usage(const Argument& argument) {
  const std::string_view name = argument.short_name.empty() ? argument.name : argument.short_name;
  return argument.is_switch() ? std::string(name) : fmt::format("{} {}", name, argument.value);
}

std::string usage(const Command& command) {
  std::string line = fmt::format("skyline {}", command.name);
  for (const Argument* argument : command.arguments) {
    if (argument->is_option() && argument->required) line += fmt::format(" {}", option_usage(*argument));
    if (argument->is_option()) continue;
    line += argument->required ? fmt::format(" {}", argument->value) : fmt::format(" [{}]", argument->value);
  }
  return line;
}

// What is left when options and their values are gone: words told by their place. After "--" all are.
Result<Words> words_by_place(const Command& command, const Words& rest) {
  Words words;
  bool only_places = false;
  for (const std::string& word : rest) {
    if (!only_places && word == "--") {
      only_places = true;
    } else if (!only_places && word.size() > 1 && word.starts_with("-")) {
      return unknown_option(command, word);
    } else {
      words.push_back(word);
    }
  }
  return words;
}

// The words typed for each argument of the command, in its order.
Result<std::vector<Words>> sort_words(const Command& command, Words words) {
  CLI::App app;
  app.allow_extras();
  app.set_help_flag();  // parse_command_line() answers it
  std::vector<Words> typed(command.arguments.size());
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const Argument& argument = *command.arguments[i];
    if (!argument.is_option()) continue;
    std::string names(argument.name);
    if (!argument.short_name.empty()) names += fmt::format(",{}", argument.short_name);
    if (argument.is_switch()) {
      app.add_flag_callback(names, [&typed, i] { typed[i] = {"on"}; });
      continue;
    }
    app.add_option(names, typed[i])
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  const std::string last_word = words.empty() ? "" : words.back();
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::ArgumentMismatch&) {
    return Error{fmt::format("the option {} needs a value", last_word)};
  } catch (const CLI::ParseError& error) {
    return Error{fmt::format("{}; see skyline {} --help", error.what(), command.name)};
  }

  SKYLINE_TRY(Words places, words_by_place(command, app.remaining()));
  size_t next = 0;
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const Argument& argument = *command.arguments[i];
    if (argument.is_option()) continue;
    const size_t most = (argument.kind == ArgumentKind::kTexts) ? places.size() : 1;
    for (size_t taken = 0; taken < most && next < places.size(); ++taken) typed[i].push_back(places[next++]);
  }
  if (next < places.size()) {
    return Error{fmt::format("'{}' is one word too many; the usage is: {}", places[next], usage(command))};
  }
  return typed;
}

struct SplitWords {
  Words ours, programs;
};

// Where the program's own words begin: `--budget 5 train.py --epochs 2`.
SplitWords split_words(const Command& command, const Words& words) {
  size_t end = words.size();
  for (size_t i = 0; command.has_own_words != nullptr && i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-m") {
      end = std::min(i + 2, words.size());
      break;
    }
    if (!word.starts_with("-") || word == "-") {
      if (command.has_own_words(word)) end = i + 1;
      break;
    }
    const auto has_value = [&](const Argument* argument) {
      return argument->is_option() && !argument->is_switch() &&
             (word == argument->name || word == argument->short_name);
    };
    if (std::any_of(command.arguments.begin(), command.arguments.end(), has_value)) ++i;
  }
  const auto middle = words.begin() + static_cast<std::ptrdiff_t>(end);
  return {Words(words.begin(), middle), Words(middle, words.end())};
}

bool asks_for_help(const Words& words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end,
                     [](const std::string& word) { return word == "--help" || word == "-h"; });
}

Result<Request> parse_for(const Command& command, const Words& words) {
  SKYLINE_TRY(const std::vector<Words> typed, sort_words(command, words));
  Request request{.command = &command};
  for (size_t i = 0; i < typed.size(); ++i) {
    const Argument& argument = *command.arguments[i];
    if (argument.required && typed[i].empty()) {
      const std::string what = argument.is_option() ? fmt::format("n option {}", option_usage(argument))
                                                    : fmt::format(" {}", argument.name);
      return Error{fmt::format("{} needs a{}; the usage is: {}", command.name, what, usage(command))};
    }
    SKYLINE_RETURN_IF_ERROR(assign(argument, typed[i], request.arguments));
  }
  return request;
}

struct HelpLine {
  std::string what;
  std::string doc;
};

constexpr size_t kHelpWidth = 100;

// Two columns.
std::string render_help_lines(const std::vector<HelpLine>& lines) {
  size_t left_width = 0;
  for (const HelpLine& line : lines) left_width = std::max(left_width, display_width(line.what) + 5);
  std::string help;
  for (const HelpLine& line : lines) {
    std::string left = pad_right("  " + line.what, left_width);
    for (const std::string& part : wrap(line.doc, kHelpWidth - left_width)) {
      help += fmt::format("{}{}\n", left, part);
      left = std::string(left_width, ' ');
    }
  }
  return help;
}

}  // namespace

Result<Request> parse_command_line(const std::vector<std::string>& words, std::string_view version) {
  const std::string first = words.empty() ? "--help" : words.front();
  if (first == "--version") return Request{.text = fmt::format("skyline {}\n", version)};
  if (first == "--help" || first == "-h" || first == "help") {
    const Command* command = words.size() > 1 ? find_command(words[1]) : nullptr;
    if (words.size() > 1 && command == nullptr) return unknown_command(words[1]);
    return Request{.text = command == nullptr ? help_overview() : help_of(*command)};
  }
  const Command* command = find_command(first);
  if (command == nullptr) return unknown_command(first);
  const Words rest(words.begin() + 1, words.end());
  if (command->takes_words && !(rest.size() == 1 && asks_for_help(rest))) {
    Request request{.command = command};
    request.arguments.words = rest;
    return request;
  }
  const SplitWords split = split_words(*command, rest);
  if (asks_for_help(split.ours)) return Request{.text = help_of(*command)};
  SKYLINE_TRY(Request request, parse_for(*command, split.ours));
  request.arguments.words = split.programs;
  return request;
}

std::string help_overview() {
  std::vector<HelpLine> commands;
  commands.reserve(kCommands.size());
  for (const Command* command : kCommands)
    commands.push_back({std::string(command->name), command->summary.str()});
  const std::vector<HelpLine> options = {
      {"--help", "this text; after a command, its arguments"},
      {"--version", "the version"},
  };
  return fmt::format(
      "Skyline: what a PyTorch training step waits for, from its profiler trace.\n\n"
      "Usage: skyline COMMAND …\n\n"
      "Commands\n{}\n"
      "Options\n{}\n"
      "Exit codes: 0 fine, 1 check or doctor found something wrong, 2 error.\n"
      "Start with: skyline report TRACE\n",
      render_help_lines(commands), render_help_lines(options));
}

std::string help_of(const Command& command) {
  std::vector<HelpLine> places, options;
  for (const Argument* argument : command.arguments) {
    if (argument->is_option()) {
      const std::string_view value = argument->value;
      std::string what(argument->short_name.empty() ? "" : fmt::format("{}, ", argument->short_name));
      what +=
          argument->is_switch() ? std::string(argument->name) : fmt::format("{} {}", argument->name, value);
      options.push_back({std::move(what), argument->doc.str()});
    } else {
      places.push_back({std::string(argument->value), argument->doc.str()});
    }
  }
  options.push_back({"--help", "this text"});
  // Options after a script are the script's own.
  const std::string typed = command.takes_words || command.has_own_words != nullptr
                                ? fmt::format("skyline {} [OPTIONS] {}", command.name, places.front().what)
                                : usage(command) + " [OPTIONS]";
  return fmt::format("{}\n\nUsage: {}\nExample: {}\n\nArguments\n{}\nOptions\n{}",
                     fmt::join(wrap(command.summary.str(), kHelpWidth), "\n"), typed, command.example,
                     render_help_lines(places), render_help_lines(options));
}

}  // namespace skyline::cli
