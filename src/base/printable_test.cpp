#include "base/printable.h"

#include <fmt/format.h>
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

TEST(Printable, NoControlCharacterPasses) {
  for (char32_t value = 0; value < 0xa0; ++value) {
    std::string text;
    append_utf8(text, value);
    const bool is_control = value < 0x20 || value >= 0x7f;
    EXPECT_EQ(printable(text) != text, is_control) << static_cast<uint32_t>(value);
  }
}

TEST(Printable, NoDirectionMarkOrLineSeparatorPasses) {
  for (const char32_t value : {0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e,
                               0x2066, 0x2067, 0x2068, 0x2069, 0x200b, 0x2060, 0xfeff}) {
    std::string text;
    append_utf8(text, value);
    EXPECT_EQ(printable(text), fmt::format("\\u{:04x}", static_cast<uint32_t>(value)));
  }
  EXPECT_EQ(printable("\U000e0041"), "\\U000e0041");
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

}  // namespace
}  // namespace skyline
