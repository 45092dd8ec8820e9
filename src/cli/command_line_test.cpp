#include "cli/command_line.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/commands.h"
#include "cli/terminal/printable.h"

namespace skyline::cli {
namespace {

Result<Request> parse(const std::vector<std::string>& words) { return parse_command_line(words, "1.2.3"); }

std::string complaint(const std::vector<std::string>& words) {
  const Result<Request> request = parse(words);
  return request.ok() ? "" : request.error().sentence;
}

TEST(Commands, NamesAreUniqueAndEverythingIsDocumented) {
  std::set<std::string_view> names;
  for (const Command* command : kCommands) {
    EXPECT_TRUE(names.insert(command->name).second) << command->name;
    EXPECT_TRUE(command->summary.str().ends_with('.')) << command->name;
    EXPECT_TRUE(command->example.starts_with("skyline ")) << command->name;
    std::set<std::string_view> arguments;
    for (const Argument* argument : command->arguments) {
      EXPECT_TRUE(arguments.insert(argument->name).second) << argument->name;
      EXPECT_FALSE(argument->doc.str().empty()) << argument->name;
      EXPECT_EQ(argument->value.empty(), argument->is_switch()) << argument->name;
    }
  }
}

TEST(Commands, HelpFitsOneHundredColumns) {
  std::string all = help_overview();
  for (const Command* command : kCommands) all += help_of(*command);
  for (size_t at = 0; at < all.size();) {
    const size_t end = all.find('\n', at);
    EXPECT_LE(display_width(all.substr(at, end - at)), 100u) << all.substr(at, end - at);
    at = end + 1;
  }
}

TEST(CommandLine, ReadsArgumentsInAnyOrder) {
  const Request request =
      parse({"show", "ops", "--top", "5", "a.json", "--sort=-calls", "b.json", "--format", "csv"}).value();
  EXPECT_EQ(request.command, &kShowCommand);
  EXPECT_EQ(request.arguments.text(kTableArgument), "ops");
  EXPECT_EQ(request.arguments.texts(kTraceArgument), (std::vector<std::string>{"a.json", "b.json"}));
  EXPECT_EQ(request.arguments.number(kTopArgument), 5);
  EXPECT_EQ(request.arguments.text(kSortArgument), "-calls");
  EXPECT_EQ(request.arguments.text(kFormatArgument), "csv");
}

TEST(CommandLine, ASizeMayHaveAUnit) {
  EXPECT_EQ(parse({"info", "a.json", "--max-memory", "2G"}).value().arguments.number(kMaxMemoryArgument),
            int64_t{2} << 30);
  EXPECT_EQ(complaint({"info", "a.json", "--max-memory", "much"}),
            "--max-memory must be a size such as 800M or 4G, not 'much'");
  EXPECT_EQ(complaint({"info", "a.json", "--max-memory=0"}),
            "--max-memory must be a size such as 800M or 4G, not '0'");
}

TEST(CommandLine, SortMayBeginWithADash) {
  EXPECT_EQ(parse({"show", "ops", "a.json", "--sort", "-calls"}).value().arguments.text(kSortArgument),
            "-calls");
}

TEST(CommandLine, OneDashIsATrace) {
  EXPECT_EQ(parse({"info", "-"}).value().arguments.texts(kTraceArgument), std::vector<std::string>{"-"});
}

TEST(CommandLine, OddFileNamesStayAsTheyAre) {
  const std::vector<std::string> names = {"[a,b]", "a b", "{}", "", "x=y", "%%"};
  std::vector<std::string> words = {"info"};
  words.insert(words.end(), names.begin(), names.end());
  EXPECT_EQ(parse(words).value().arguments.texts(kTraceArgument), names);
  EXPECT_EQ(parse({"info", "--", "--odd.json"}).value().arguments.texts(kTraceArgument),
            std::vector<std::string>{"--odd.json"});
}

TEST(CommandLine, TheLastOfRepeatedOptionsCounts) {
  EXPECT_EQ(
      parse({"info", "a", "--threads", "1", "--threads", "2"}).value().arguments.number(kThreadsArgument), 2);
}

TEST(CommandLine, SwitchesAndShortNamesAreUnderstood) {
  const Request request = parse({"convert", "--force", "a.json", "-o", "b.skyline"}).value();
  EXPECT_TRUE(request.arguments.has(kForceArgument));
  EXPECT_EQ(request.arguments.text(kOutputArgument), "b.skyline");
  EXPECT_EQ(request.arguments.texts(kTraceArgument), std::vector<std::string>{"a.json"});
  EXPECT_FALSE(parse({"convert", "a.json", "--output=b.json"}).value().arguments.has(kForceArgument));
  EXPECT_EQ(complaint({"convert", "a.json"}),
            "convert needs an option -o FILE; the usage is: skyline convert TRACE -o FILE");
}

TEST(CommandLine, HelpAndVersionAreTexts) {
  EXPECT_EQ(parse({"--version"}).value().text, "skyline 1.2.3\n");
  EXPECT_EQ(parse({}).value().text, help_overview());
  EXPECT_EQ(parse({"show", "--help"}).value().text, help_of(kShowCommand));
  EXPECT_EQ(parse({"help", "show"}).value().text, help_of(kShowCommand));
  EXPECT_EQ(parse({"show", "ops", "-h"}).value().text, help_of(kShowCommand));
}

TEST(CommandLine, WrongWordsGetOneSentence) {
  EXPECT_EQ(complaint({"reprot", "a"}), "there is no command 'reprot'; did you mean report?");
  EXPECT_EQ(complaint({"frobnicate"}), "there is no command 'frobnicate'; skyline --help lists them all");
  EXPECT_EQ(complaint({"--frob"}), "there is no option '--frob' before a command; see skyline --help");
  EXPECT_EQ(complaint({"info", "a", "--fromat", "json"}),
            "info has no option '--fromat'; did you mean --format?");
  EXPECT_EQ(complaint({"info", "a", "-z"}), "info has no option '-z'; skyline info --help lists them");
  EXPECT_EQ(complaint({"info", "a", "--format", "xml"}), "--format must be text or json, not 'xml'");
  EXPECT_EQ(complaint({"info", "a", "--threads", "0"}), "--threads must be a number from 1 to 1024, not '0'");
  EXPECT_EQ(complaint({"show", "ops", "a", "--top", "x"}), "--top must be a number of at least 0, not 'x'");
  EXPECT_EQ(complaint({"info", "a", "--format"}), "the option --format needs a value");
  EXPECT_EQ(complaint({"info"}), "info needs a TRACE; the usage is: skyline info TRACE…");
  EXPECT_EQ(complaint({"show", "ops"}), "show needs a TRACE; the usage is: skyline show TABLE TRACE…");
  EXPECT_EQ(complaint({"explain", "a", "b"}),
            "'b' is one word too many; the usage is: skyline explain [NAME]");
}

}  // namespace
}  // namespace skyline::cli
