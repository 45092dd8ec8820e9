#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace skyline {
namespace {

using Layout = JsonWriter::Layout;

template <typename Value>
std::string json_of(const Value& value) {
  JsonWriter json;
  json.value(value);
  std::string text = std::move(json).finish();
  text.pop_back();
  return text;
}

TEST(JsonWriter, IntegersAreExact) {
  EXPECT_EQ(json_of(std::numeric_limits<int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(json_of(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(json_of(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(json_of(true), "true");
}

TEST(JsonWriter, DoublesReadBackAsTheSameNumber) {
  EXPECT_EQ(json_of(0.1), "0.1");
  EXPECT_EQ(json_of(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(json_of(1e300), "1e+300");
  EXPECT_EQ(json_of(-0.0), "-0");
  EXPECT_EQ(json_of(std::numeric_limits<double>::denorm_min()), "5e-324");
}

TEST(JsonWriter, WhatIsNoNumberIsNull) {
  EXPECT_EQ(json_of(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(json_of(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, TextIsEscaped) {
  EXPECT_EQ(json_of("say \"hi\" \\ \n\t"), R"("say \"hi\" \\ \n\t")");
  EXPECT_EQ(json_of("\x1b[31m\x7f"), R"("\u001b[31m\u007f")");
  EXPECT_EQ(json_of("\xc2\x9b"), R"("\u009b")");
  EXPECT_EQ(json_of("a\u202e\u2066\u2028"), R"("a\u202e\u2066\u2028")");
  EXPECT_EQ(json_of("\U000e0041"), R"("\udb40\udc41")");
  EXPECT_EQ(json_of("µs 日本 😀"), "\"µs 日本 😀\"");
  EXPECT_EQ(json_of(std::string("a\0b", 3)), R"("a\u0000b")");
}

TEST(JsonWriter, InvalidBytesBecomeTheReplacementCharacter) { EXPECT_EQ(json_of("a\xff"), "\"a\uFFFD\""); }

TEST(JsonWriter, ContainersNest) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.key("rows");
  json.begin_array();
  json.begin_object(Layout::kInline);
  json.field("name", "mm");
  json.key("list");
  json.begin_array();
  json.value(1);
  json.value(2);
  json.end_array();
  json.end_object();
  json.end_array();
  json.key("none");
  json.begin_array();
  json.end_array();
  json.key("nothing");
  json.null();
  json.end_object();
  EXPECT_EQ(std::move(json).finish(),
            "{\n"
            "  \"schema\": 1,\n"
            "  \"rows\": [\n"
            "    {\"name\": \"mm\", \"list\": [1, 2]}\n"
            "  ],\n"
            "  \"none\": [],\n"
            "  \"nothing\": null\n"
            "}\n");
}

}  // namespace
}  // namespace skyline
