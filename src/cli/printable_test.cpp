#include "cli/printable.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace skyline {
namespace {

TEST(Printable, OrdinaryTextIsUntouched) {
  EXPECT_EQ(printable("aten::mm [32, 64] → µs 日本"), "aten::mm [32, 64] → µs 日本");
}

TEST(Printable, EscapeSequencesCannotReachTheTerminal) {
  EXPECT_EQ(printable("\x1b]0;owned\x07"), "\\x1b]0;owned\\x07");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // the one-character form of ESC [
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, DirectionMarksAreVisible) {
  EXPECT_EQ(printable("a\u202e"
                      "b"),
            "a\\u202eb");
}

TEST(Printable, InvalidBytesAreShownOneByOne) {
  EXPECT_EQ(printable("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong slash
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
}

TEST(Utf8, EncodingAndDecodingAgree) {
  for (char32_t value : {U'a', U'µ', U'…', U'日', U'\U0001f600', U'\U0010ffff'}) {
    std::string text;
    append_utf8(text, value);
    const CodePoint point = decode_utf8(text, 0);
    EXPECT_TRUE(point.valid);
    EXPECT_EQ(point.value, value);
    EXPECT_EQ(point.bytes, text.size());
  }
}

TEST(DisplayWidth, CountsCellsNotBytes) {
  EXPECT_EQ(display_width("µs"), 2u);
  EXPECT_EQ(display_width("日本"), 4u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
  EXPECT_EQ(display_width("😀"), 2u);
}

TEST(CutMiddle, ShortTextStays) { EXPECT_EQ(cut_middle("aten::mm", 8), "aten::mm"); }

TEST(CutMiddle, LongTextKeepsBothEnds) {
  EXPECT_EQ(cut_middle("aten::convolution_backward", 11), "aten:…kward");
  EXPECT_EQ(cut_middle("abcdef", 1), "…");
  EXPECT_EQ(cut_middle("abcdef", 0), "");
}

TEST(CutMiddle, WideCharactersAreNotSplit) {
  const std::string cut = cut_middle("日本語日本語", 8);
  EXPECT_LE(display_width(cut), 8u);
  EXPECT_EQ(cut, "日本…語");
}

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("short", 80), (std::vector<std::string>{"short"}));
}

TEST(Wrap, NumbersStayWithTheirUnits) {
  EXPECT_EQ(wrap("copies take 12 % of it", 15), (std::vector<std::string>{"copies take", "12 % of it"}));
  EXPECT_EQ(wrap("all 1 234 567 of it", 12), (std::vector<std::string>{"all", "1 234 567 of", "it"}));
}

TEST(Wrap, BreaksWordsThatDoNotFit) {
  EXPECT_EQ(wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
}

TEST(Pad, FillsUpToCells) {
  EXPECT_EQ(pad_left("µs", 4), "  µs");
  EXPECT_EQ(pad_right("日", 4), "日  ");
  EXPECT_EQ(pad_right("long", 2), "long");
}

}  // namespace
}  // namespace skyline
