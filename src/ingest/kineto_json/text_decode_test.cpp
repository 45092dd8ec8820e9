#include "ingest/kineto_json/text_decode.h"

#include <gtest/gtest.h>

#include <random>

namespace skyline::ingest::kineto_json {
namespace {

constexpr const char* kFffd = "\xef\xbf\xbd";

std::string decoded(std::string_view raw, bool expect_clean) {
  std::string out = "left over";
  EXPECT_EQ(decode_string(raw, out), expect_clean) << raw;
  return out;
}

TEST(DecodeString, ResolvesEveryEscapeOfJson) {
  EXPECT_EQ(decoded(R"(a\"b\\c\/d\be\ff\ng\rh\ti)", true), "a\"b\\c/d\be\ff\ng\rh\ti");
  EXPECT_EQ(decoded(R"(\u0041\u00e4\u20ac\uFFFD)", true), "A\xc3\xa4\xe2\x82\xac\xef\xbf\xbd");
  EXPECT_EQ(decoded(R"(\u0000x)", true), std::string("\0x", 2));
}

TEST(DecodeString, SurrogatePairsAreOneCharacter) {
  EXPECT_EQ(decoded(R"(\ud83d\ude00)", true), "\xf0\x9f\x98\x80");
  EXPECT_EQ(decoded(R"(\uD800\uDC00)", true), "\xf0\x90\x80\x80");
  EXPECT_EQ(decoded(R"(\udbff\udfff)", true), "\xf4\x8f\xbf\xbf");
}

TEST(DecodeString, LoneSurrogatesBecomeTheReplacementCharacter) {
  EXPECT_EQ(decoded(R"(\ud83d)", false), kFffd);
  EXPECT_EQ(decoded(R"(\ude00x)", false), std::string(kFffd) + "x");
  EXPECT_EQ(decoded(R"(\ud83d\n)", false), std::string(kFffd) + "\n");
  EXPECT_EQ(decoded(R"(\ud83d\u0041)", false), std::string(kFffd) + "A");
  EXPECT_EQ(decoded(R"(\ud83d\ud83d\ude00)", false), std::string(kFffd) + "\xf0\x9f\x98\x80");
  EXPECT_EQ(decoded("\\ud83d\\u", false), std::string(kFffd) + "\\u");
}

TEST(DecodeString, UnknownEscapesStayAsWritten) {
  EXPECT_EQ(decoded(R"(C:\Users\code)", false), R"(C:\Users\code)");
  EXPECT_EQ(decoded(R"(\u12)", false), R"(\u12)");
  EXPECT_EQ(decoded(R"(\u12g4)", false), R"(\u12g4)");
  EXPECT_EQ(decoded("\\\xc3\xa4", false), "\\\xc3\xa4");
}

TEST(DecodeString, ValidUtf8PassesThrough) {
  for (const char* text : {"\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "gr\xc3\xbc\xc3\x9f"}) {
    EXPECT_EQ(decoded(text, true), text);
  }
}

TEST(DecodeString, EveryInvalidByteBecomesOneReplacementCharacter) {
  const std::pair<std::string, size_t> cases[] = {
      {"\x80", 1},              // continuation without a lead
      {"\xc0\x80", 2},          // overlong
      {"\xc1\xbf", 2},          // overlong
      {"\xe0\x80\x80", 3},      // overlong
      {"\xe0\x9f\xbf", 3},      // overlong
      {"\xf0\x80\x80\x80", 4},  // overlong
      {"\xf0\x8f\xbf\xbf", 4},  // overlong
      {"\xed\xa0\x80", 3},      // a surrogate
      {"\xf4\x90\x80\x80", 4},  // beyond Unicode
      {"\xf5\x80\x80\x80", 4},
      {"\xff\xfe", 2},
      {"\xc3", 1},          // cut
      {"\xe2\x82", 2},      // cut
      {"\xf0\x9f\x98", 3},  // cut
  };
  for (const auto& [bytes, replacements] : cases) {
    std::string expected;
    for (size_t i = 0; i < replacements; ++i) expected += kFffd;
    EXPECT_EQ(decoded("a" + bytes, false), "a" + expected);
    EXPECT_EQ(decoded(bytes + "z", false), expected + "z");
  }
}

TEST(DecodeString, ControlCharactersAreKeptAndSaidSo) {
  EXPECT_EQ(decoded("a\nb", false), "a\nb");
  EXPECT_EQ(decoded(std::string_view("a\0b", 3), false), std::string("a\0b", 3));
  EXPECT_EQ(decoded("a\x7f", true), "a\x7f");
}

// Whatever comes in, what goes out can stand in any UTF-8 document.
TEST(DecodeString, AnyBytesBecomeValidUtf8) {
  std::mt19937 random(9);
  for (int round = 0; round < 20000; ++round) {
    std::string raw, once, twice;
    for (uint64_t i = 0, count = random() % 12; i < count; ++i) {
      raw += random() % 3 == 0 ? "\\ud8ef\x90\xe2"[random() % 9] : static_cast<char>(random());
    }
    decode_string(raw, once);
    std::string unescaped = once;
    for (char& c : unescaped) {
      if (c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
    }
    ASSERT_TRUE(decode_string(unescaped, twice)) << once;
    ASSERT_EQ(twice, unescaped);
  }
}

TEST(IsPlain, OnlyPrintableAsciiWithoutEscapes) {
  EXPECT_TRUE(is_plain(""));
  EXPECT_TRUE(is_plain("aten::mm <x> 'y' /z ~"));
  for (const char* raw : {"a\\n", "a\n", "\xc3\xa4", "\x1f", "a\xff"}) EXPECT_FALSE(is_plain(raw)) << raw;
  EXPECT_FALSE(is_plain(std::string_view("\0", 1)));
}

TEST(StandsFor, WithOrWithoutEscapes) {
  EXPECT_TRUE(stands_for("[memory]", "[memory]"));
  EXPECT_TRUE(stands_for(R"(\u005bmemory])", "[memory]"));
  EXPECT_TRUE(stands_for(R"([m\u0065m\u006fry])", "[memory]"));
  for (const char* raw : {"", "[memory", "[memory]x", R"([memory]\n)", R"(\[memory])"}) {
    EXPECT_FALSE(stands_for(raw, "[memory]")) << raw;
  }
}

std::string compacted(std::string_view raw) {
  std::string out = "left over";
  compact_json(raw, out);
  return out;
}

TEST(CompactJson, DropsTheSpaceBetweenTokensOnly) {
  EXPECT_EQ(compacted("[ [1, 2],\n\t[ ] , \"a b\" ]"), "[[1,2],[],\"a b\"]");
  EXPECT_EQ(compacted(R"({ "a \" b" : 1 })"), R"({"a \" b":1})");
  EXPECT_EQ(compacted(R"(["\\", 1])"), R"(["\\",1])");
  EXPECT_EQ(compacted(""), "");
}

TEST(CompactJson, SurvivesTextThatIsCut) {
  EXPECT_EQ(compacted("[\"a b"), "[\"a b");
  EXPECT_EQ(compacted("[\"a\\"), "[\"a\\");
}

TEST(CompactJson, IsValidUtf8Too) {
  EXPECT_EQ(compacted("[\"a\xff\", \xc3\xa4\xe2]"),
            std::string("[\"a") + kFffd + "\",\xc3\xa4" + kFffd + "]");
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
