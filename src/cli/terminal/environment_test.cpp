#include "cli/terminal/environment.h"

#include <gtest/gtest.h>

#include <map>

namespace skyline::cli {
namespace {

Result<Environment> read(const std::map<std::string, std::string>& variables) {
  return read_environment([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Environment, NothingSetMeansDefaults) {
  const Environment environment = read({}).value();
  EXPECT_FALSE(environment.threads);
  EXPECT_FALSE(environment.chunk_bytes);
  EXPECT_FALSE(environment.timings);
  EXPECT_FALSE(environment.no_color);
  EXPECT_TRUE(environment.dumb_terminal);
}

TEST(Environment, ReadsNumbers) {
  const Environment environment =
      read({{"SKYLINE_THREADS", "4"}, {"SKYLINE_CHUNK_BYTES", "1"}, {"COLUMNS", "80"}}).value();
  EXPECT_EQ(environment.threads, 4u);
  EXPECT_EQ(environment.chunk_bytes, 1u);
  EXPECT_EQ(environment.columns, 80u);
}

TEST(Environment, KnowsWhetherABrowserCouldBeShown) {
  EXPECT_FALSE(read({}).value().has_display);
  EXPECT_FALSE(read({{"DISPLAY", ""}}).value().has_display);
  EXPECT_TRUE(read({{"DISPLAY", ":0"}}).value().has_display);
  EXPECT_TRUE(read({{"WAYLAND_DISPLAY", "wayland-0"}}).value().has_display);
}

TEST(Environment, SenselessValuesOfOursAreErrors) {
  for (const char* bad : {"0", "-1", "two", "4 ", "1e3", "99999999999999999999"}) {
    const Result<Environment> environment = read({{"SKYLINE_THREADS", bad}});
    ASSERT_FALSE(environment.ok()) << bad;
    EXPECT_EQ(environment.error().sentence,
              "the environment variable SKYLINE_THREADS must be a number from 1 to 1024, not '" +
                  std::string(bad) + "'");
  }
}

TEST(Environment, TheCacheIsWhereTheUserKeepsCaches) {
  EXPECT_EQ(read({}).value().cache_folder, "");
  EXPECT_EQ(read({{"HOME", "/home/me"}}).value().cache_folder, "/home/me/.cache/skyline");
  EXPECT_EQ(read({{"HOME", "/home/me"}, {"XDG_CACHE_HOME", "/fast"}}).value().cache_folder, "/fast/skyline");
  EXPECT_EQ(read({{"HOME", "/home/me"}, {"XDG_CACHE_HOME", "relative"}}).value().cache_folder,
            "/home/me/.cache/skyline");
  EXPECT_EQ(read({{"SKYLINE_CACHE_BYTES", "0"}}).value().cache_bytes, 0u);
  EXPECT_FALSE(read({{"SKYLINE_CACHE_BYTES", "much"}}).ok());
}

TEST(Environment, SenselessTerminalWidthIsIgnored) {
  EXPECT_FALSE(read({{"COLUMNS", "wide"}}).value().columns);
}

TEST(Environment, EmptyNoColorDoesNotCount) {
  EXPECT_FALSE(read({{"NO_COLOR", ""}}).value().no_color);
  EXPECT_TRUE(read({{"NO_COLOR", "1"}}).value().no_color);
}

TEST(ParseSize, TakesUnitsOfTwoToTheTen) {
  EXPECT_EQ(parse_size("1500000"), 1'500'000);
  EXPECT_EQ(parse_size("800M"), int64_t{800} << 20);
  EXPECT_EQ(parse_size("4G"), int64_t{4} << 30);
  EXPECT_EQ(parse_size("4GB"), int64_t{4} << 30);
  EXPECT_EQ(parse_size("0.5TiB"), int64_t{1} << 39);
  EXPECT_EQ(parse_size("64k"), 65'536);
  for (const char* wrong : {"", "G", "much", "4X", "4 G", "-4G", "4GG", "1e30", "nan", "99999999T", "4B8"}) {
    EXPECT_EQ(parse_size(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace skyline::cli
