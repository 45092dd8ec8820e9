// CLI11 cuts the words into options and values. It knows no more of an argument than its name: values are
// checked here against the Argument objects, so that every complaint is one sentence in our own voice.
#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/nearest.h"
#include "cli/printable.h"

namespace skyline {
namespace {

using Words = std::vector<std::string>;

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known,
                         std::string_view otherwise) {
  const std::string choices = join_choices(nearest(word, known));
  return choices.empty() ? std::string(otherwise) : fmt::format("did you mean {}?", choices);
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const Command* command : kCommands) names.push_back(command->name);
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
  if (argument.max != INT64_MAX) return fmt::format("a number from {} to {}", argument.min, argument.max);
  return argument.min == INT64_MIN ? "a number" : fmt::format("a number of at least {}", argument.min);
}

// Puts the words typed for one argument where they belong.
Status assign(const Argument& argument, const Words& words, Arguments& arguments) {
  if (words.empty()) return Done{};
  if (const auto* list = std::get_if<Words Arguments::*>(&argument.target)) {
    arguments.*(*list) = words;
    return Done{};
  }
  const std::string& word = words.back();
  if (const auto* text = std::get_if<std::string Arguments::*>(&argument.target)) {
    const std::vector<std::string_view> choices(argument.choices.begin(), argument.choices.end());
    if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end()) {
      return Error{fmt::format("{} must be {}, not '{}'", argument.name, join_choices(choices), word)};
    }
    arguments.*(*text) = word;
    return Done{};
  }
  const std::optional<int64_t> number = parse_number(word);
  if (!number || *number < argument.min || *number > argument.max) {
    return Error{fmt::format("{} must be {}, not '{}'", argument.name, allowed_numbers(argument), word)};
  }
  arguments.*(std::get<std::optional<int64_t> Arguments::*>(argument.target)) = *number;
  return Done{};
}

std::string usage(const Command& command) {
  std::string line = fmt::format("skyline {}", command.name);
  for (const Argument* argument : command.arguments) {
    if (argument->is_option()) continue;
    line += argument->required ? fmt::format(" {}", argument->value) : fmt::format(" [{}]", argument->value);
  }
  return line;
}

Result<Request> parse_for(const Command& command, Words words) {
  CLI::App app;
  app.allow_extras();
  app.set_help_flag("-h,--help");
  std::vector<Words> typed(command.arguments.size());
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const Argument& argument = *command.arguments[i];
    CLI::Option* option = app.add_option(std::string(argument.name), typed[i]);
    const bool is_list = std::holds_alternative<Words Arguments::*>(argument.target);
    option->expected(1, is_list ? CLI::detail::expected_max_vector_size : 1);
    option->allow_extra_args(false);  // or CLI11 would take [a,b] for a list
    if (!is_list) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }

  const std::string last_word = words.empty() ? "" : words.back();
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return Request{.text = help_of(command)};
  } catch (const CLI::ArgumentMismatch&) {
    return Error{fmt::format("the option {} needs a value", last_word)};
  } catch (const CLI::ParseError& error) {
    return Error{fmt::format("{}; see skyline {} --help", error.what(), command.name)};
  }

  for (const std::string& word : app.remaining()) {
    if (word.starts_with("-")) return unknown_option(command, word);
    return Error{fmt::format("'{}' is one word too many; the usage is: {}", word, usage(command))};
  }
  Request request{.command = &command};
  for (size_t i = 0; i < typed.size(); ++i) {
    const Argument& argument = *command.arguments[i];
    if (argument.required && typed[i].empty()) {
      return Error{
          fmt::format("{} needs a {}; the usage is: {}", command.name, argument.name, usage(command))};
    }
    SKYLINE_TRY([[maybe_unused]] const Done done, assign(argument, typed[i], request.arguments));
  }
  return request;
}

void append_help_line(std::string& help, std::string_view what, std::string_view doc) {
  constexpr size_t kWhatWidth = 27;
  constexpr size_t kDocWidth = 70;
  std::string left = pad_right(fmt::format("  {}", what), kWhatWidth);
  for (const std::string& line : wrap(doc, kDocWidth)) {
    help += fmt::format("{}{}\n", left, line);
    left = std::string(kWhatWidth, ' ');
  }
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
  return parse_for(*command, Words(words.begin() + 1, words.end()));
}

std::string help_overview() {
  std::string help =
      "Skyline: what a PyTorch training step waits for, from its profiler trace.\n\n"
      "Usage: skyline COMMAND …\n\n"
      "Commands\n";
  for (const Command* command : kCommands) append_help_line(help, command->name, command->summary);
  help += "\nOptions\n";
  append_help_line(help, "--help", "this text; after a command, its arguments");
  append_help_line(help, "--version", "the version");
  help +=
      "\nExit codes: 0 fine, 1 check found something that makes figures wrong, 2 error.\n"
      "Start with: skyline report TRACE\n";
  return help;
}

std::string help_of(const Command& command) {
  std::string help = fmt::format("{}\n\nUsage: {} [OPTIONS]\n", command.summary, usage(command));
  help += fmt::format("Example: {}\n\nArguments\n", command.example);
  for (const Argument* argument : command.arguments) {
    if (!argument->is_option()) append_help_line(help, argument->value, argument->doc);
  }
  help += "\nOptions\n";
  for (const Argument* argument : command.arguments) {
    if (!argument->is_option()) continue;
    append_help_line(help, fmt::format("{} {}", argument->name, argument->value), argument->doc);
  }
  append_help_line(help, "--help", "this text");
  return help;
}

}  // namespace skyline
