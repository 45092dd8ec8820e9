#include "ingest/kineto_json/decimal.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "ingest/kineto_json/test_padded.h"

namespace skyline::ingest::kineto_json {
namespace {

TEST(ParseTime, NanosecondsComeOutAsTheyWentIn) {
  const std::pair<const char*, int64_t> cases[] = {
      {"0", 0},
      {"0.000", 0},
      {"-0", 0},
      {"-0.0", 0},
      {"1", 1000},
      {"1.5", 1500},
      {"1.001", 1001},
      {"0.001", 1},
      {"-1.25", -1250},
      {"+7", 7000},
      {"007", 7000},
      {"5921412086513.217", 5921412086513217},
      {"1712345678901234.567", 1712345678901234567},  // absolute times of spring 2024
      {"4611686018427387.903", 4611686018427387903},
  };
  for (const auto& [text, ns] : cases) {
    const std::optional<TimeNs> time = parse_time_ns(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time->ns, ns) << text;
    EXPECT_TRUE(time->exact) << text;
  }
}

TEST(ParseTime, ExponentsAreExactToo) {
  const std::pair<const char*, int64_t> cases[] = {
      {"1e3", 1000000},
      {"1E3", 1000000},
      {"1e+3", 1000000},
      {"1.5e3", 1500000},
      {"25e-1", 2500},
      {"1e-3", 1},
      {"1000e-6", 1},
      {"0e999999999", 0},
      {"1.e2", 100000},
      {"0.00000001e8", 1000},
      {"12345678.9e-2", 123456789},
      {"4e15", 4000000000000000000},
  };
  for (const auto& [text, ns] : cases) {
    const std::optional<TimeNs> time = parse_time_ns(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time->ns, ns) << text;
    EXPECT_TRUE(time->exact) << text;
  }
}

TEST(ParseTime, DigitsBelowOneNanosecondAreCutOffAndSaidSo) {
  for (const auto& [text, ns] : {std::pair{"1.0009", 1000},
                                 {"-1.0009", -1000},
                                 {"0.0001", 0},
                                 {"1e-4", 0},
                                 {"1e-999999", 0},
                                 {"1.0000000000000000000000000000000000000000001", 1000}}) {
    const std::optional<TimeNs> time = parse_time_ns(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time->ns, ns) << text;
    EXPECT_FALSE(time->exact) << text;
  }
  EXPECT_TRUE(parse_time_ns("1.0010000000000000000000000000000000000000000000")->exact);
}

TEST(ParseTime, OutOfRangeIsNoTime) {
  for (const char* text :
       {"1e300", "-1e300", "1e999999999999", "4611686018427387.904", "-4611686018427387.904",
        "9223372036854775807", "1234567890123456789012345678901234567890", "1e16"}) {
    EXPECT_FALSE(parse_time_ns(text)) << text;
  }
}

TEST(ParseTime, WordsAreNoTime) {
  for (const char* text :
       {"",    "-",   "+",  ".",  "-.", "NaN",   "nan",   "inf", "-inf", "Infinity", "null", "true", "1e",
        "1e+", "1e-", "1x", "1 ", " 1", "1.2.3", "1e2.5", "--1", "0x10", "1,5",      "e5",   ".e5"}) {
    EXPECT_FALSE(parse_time_ns(text)) << text;
  }
}

TEST(ParseTime, EqualsLongDivisionOnRandomDigits) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 20000; ++round) {
    const uint64_t ns = random() >> (2 + random() % 60);
    const std::string digits = std::to_string(ns / 1000) + "." + std::to_string(1000 + ns % 1000).substr(1);
    ASSERT_EQ(parse_time_ns(digits)->ns, static_cast<int64_t>(ns)) << digits;
    const std::string shifted = std::to_string(ns) + "e-3";
    ASSERT_EQ(parse_time_ns(shifted)->ns, static_cast<int64_t>(ns)) << shifted;
  }
}

TEST(Decimal, IntegersOf64BitsFitAndNoLargerOnes) {
  EXPECT_EQ(parse_decimal("9223372036854775807", 0)->as_int64(), INT64_MAX);
  EXPECT_EQ(parse_decimal("-9223372036854775808", 0)->as_int64(), INT64_MIN);
  EXPECT_FALSE(parse_decimal("9223372036854775808", 0)->as_int64());
  EXPECT_FALSE(parse_decimal("-9223372036854775809", 0)->as_int64());
  EXPECT_EQ(parse_decimal("18446744073709551615", 0)->as_uint64(), UINT64_MAX);
  EXPECT_FALSE(parse_decimal("18446744073709551616", 0)->as_uint64());
  EXPECT_FALSE(parse_decimal("-1", 0)->as_uint64());
  EXPECT_EQ(parse_decimal("-0", 0)->as_uint64(), 0u);
  EXPECT_EQ(parse_decimal("1e3", 0)->as_int64(), 1000);
  EXPECT_EQ(parse_decimal("40.0", 0)->as_int64(), 40);
}

TEST(Decimal, FractionsAreNoIntegers) {
  EXPECT_FALSE(parse_decimal("1.5", 0)->as_int64());
  EXPECT_FALSE(parse_decimal("1e-1", 0)->as_uint64());
}

TEST(Decimal, FortyDigitsDoNotWrapAround) {
  EXPECT_FALSE(parse_decimal("1000000000000000000000000000000000000000", 0));
  EXPECT_FALSE(parse_decimal("340282366920938463463374607431768211457", 0)->as_uint64());  // 2^128 + 1
  const std::optional<Decimal> zeros = parse_decimal("0000000000000000000000000000000000000000000005", 0);
  ASSERT_TRUE(zeros);
  EXPECT_EQ(zeros->as_int64(), 5);
}

TEST(Decimal, HexadecimalOf64Bits) {
  EXPECT_EQ(parse_hex("0x7f00")->as_uint64(), 0x7f00u);
  EXPECT_EQ(parse_hex("0xFFFFFFFFFFFFFFFF")->as_uint64(), UINT64_MAX);
  for (const char* text : {"0x", "", "0xg", "0x1g", "0x10000000000000000", "0x-1"})
    EXPECT_FALSE(parse_hex(text)) << text;
}

TEST(ReadDigits, CountsAndAddsUpEveryLength) {
  const std::string digits = "1234567890987654321";
  for (size_t length = 0; length <= digits.size(); ++length) {
    for (const char* behind : {"", ",", "/", ":", ".", "\xb0", "\xff"}) {
      const Padded text(digits.substr(0, length) + behind);
      const Digits read = read_digits(text.begin());
      ASSERT_EQ(read.count, length) << behind;
      ASSERT_EQ(read.value, length == 0 ? 0 : std::stoull(digits.substr(0, length))) << behind;
    }
  }
}

TEST(ReadDigits, NineteenAreTheMost) {
  const Padded text("99999999999999999999999");
  EXPECT_EQ(read_digits(text.begin()).count, 19u);
  EXPECT_EQ(read_digits(text.begin()).value, 9999999999999999999u);
}

// Every byte but ten must stop it, at every place of the eight that are read at once.
TEST(ReadDigits, OnlyDigitsAreDigits) {
  for (size_t place = 0; place < 17; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      if (byte >= '0' && byte <= '9') continue;
      std::string digits(20, '7');
      digits[place] = static_cast<char>(byte);
      const Padded text(digits);
      ASSERT_EQ(read_digits(text.begin()).count, place) << byte;
    }
  }
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
