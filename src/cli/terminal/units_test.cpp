#include "cli/terminal/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace skyline::cli {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(FormatNs, PicksTheUnit) {
  EXPECT_EQ(format_ns(0), "0 ns");
  EXPECT_EQ(format_ns(999), "999 ns");
  EXPECT_EQ(format_ns(12'345), "12.3 µs");
  EXPECT_EQ(format_ns(1'234'000), "1.234 ms");
  EXPECT_EQ(format_ns(12'345'678), "12.35 ms");
  EXPECT_EQ(format_ns(123'456'789), "123.5 ms");
  EXPECT_EQ(format_ns(1'234'567'890), "1.235 s");
  EXPECT_EQ(format_ns(61'200'000'000), "61.20 s");
  EXPECT_EQ(format_ns(3'600'000'000'000), "3 600 s");
}

TEST(FormatNs, RoundingMovesToTheNextUnit) {
  EXPECT_EQ(format_ns(999'949), "999.9 µs");
  EXPECT_EQ(format_ns(999'950), "1.000 ms");
  EXPECT_EQ(format_ns(9'999'600), "10.00 ms");
  EXPECT_EQ(format_ns(999'960'000), "1.000 s");
}

TEST(FormatNs, NegativeAndExtremeValues) {
  EXPECT_EQ(format_ns(-12'345), "-12.3 µs");
  EXPECT_EQ(format_ns(kMax), "9 223 372 037 s");
  EXPECT_EQ(format_ns(kMin), "-9 223 372 037 s");
}

TEST(FormatBytes, PicksTheUnit) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(1024 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(format_bytes(int64_t{3'435'973'837}), "3.2 GiB");
  EXPECT_EQ(format_bytes(-2048), "-2.0 KiB");
  EXPECT_EQ(format_bytes(kMax), "8.0 EiB");
}

TEST(FormatCount, GroupsThousands) {
  EXPECT_EQ(format_count(int64_t{0}), "0");
  EXPECT_EQ(format_count(int64_t{999}), "999");
  EXPECT_EQ(format_count(int64_t{1234}), "1 234");
  EXPECT_EQ(format_count(int64_t{-1'234'567}), "-1 234 567");
  EXPECT_EQ(format_count(kMin), "-9 223 372 036 854 775 808");
  EXPECT_EQ(format_count(std::numeric_limits<uint64_t>::max()), "18 446 744 073 709 551 615");
}

TEST(FormatUtc, CountsFrom1970) {
  EXPECT_EQ(format_utc(0), "1970-01-01 00:00:00.000 UTC");
  EXPECT_EQ(format_utc(1'709'642'096'789'999'999), "2024-03-05 12:34:56.789 UTC");
  EXPECT_EQ(format_utc(-1), "1969-12-31 23:59:59.999 UTC");
}

TEST(FormatShare, NeverRoundsSomethingToNothingOrAll) {
  EXPECT_EQ(format_share(0), "0 %");
  EXPECT_EQ(format_share(0.004), "<1 %");
  EXPECT_EQ(format_share(0.61), "61 %");
  EXPECT_EQ(format_share(0.999), ">99 %");
  EXPECT_EQ(format_share(1), "100 %");
  EXPECT_EQ(format_share(std::nan("")), "–");
  EXPECT_EQ(format_share(-0.001), "0 %");
}

TEST(FormatCell, ShowsEveryKind) {
  EXPECT_EQ(format_cell({}, analyze::Unit::kNanoseconds), "–");
  EXPECT_EQ(format_cell(int64_t{1500}, analyze::Unit::kNanoseconds), "1.5 µs");
  EXPECT_EQ(format_cell(1500.4, analyze::Unit::kNanoseconds), "1.5 µs");
  EXPECT_EQ(format_cell(int64_t{2048}, analyze::Unit::kBytes), "2.0 KiB");
  EXPECT_EQ(format_cell(int64_t{2048}, analyze::Unit::kBytesPerSecond), "2.0 KiB/s");
  EXPECT_EQ(format_cell(2048.4, analyze::Unit::kBytesPerSecond), "2.0 KiB/s");
  EXPECT_EQ(format_cell(int64_t{1234}, analyze::Unit::kCount), "1 234");
  EXPECT_EQ(format_cell(int64_t{1234}, analyze::Unit::kNumber), "1234");
  EXPECT_EQ(format_cell(0.5, analyze::Unit::kShare), "50 %");
  EXPECT_EQ(format_cell(std::string("a\x1b"), analyze::Unit::kText), "a\\x1b");
  EXPECT_EQ(format_cell(std::numeric_limits<double>::infinity(), analyze::Unit::kNanoseconds), "–");
}

TEST(FormatCounted, TakesTheRightWord) {
  EXPECT_EQ(format_counted(1, "step", "steps"), "1 step");
  EXPECT_EQ(format_counted(0, "step", "steps"), "0 steps");
}

}  // namespace
}  // namespace skyline::cli
