#include "ingest/kineto_json/scan.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "ingest/kineto_json/test_padded.h"

namespace skyline::ingest::kineto_json {
namespace {

// What skip_container promises, in one obvious loop.
const char* skip_container_obviously(const char* p, const char* end) {
  int depth = 0;
  bool in_string = false;
  for (; p < end; ++p) {
    if (in_string) {
      if (*p == '\\')
        ++p;
      else if (*p == '"')
        in_string = false;
      continue;
    }
    if (*p == '"') in_string = true;
    if (*p == '[' || *p == '{') ++depth;
    if ((*p == ']' || *p == '}') && --depth == 0) return p + 1;
  }
  return nullptr;
}

std::string random_string(std::mt19937& random, bool with_escapes) {
  static constexpr std::string_view kPlain[] = {"a", "[", "]", "{",        "}",
                                                ",", ":", " ", "\xc3\xbc", "xyzxyzxyzxyzxyz"};
  static constexpr std::string_view kEscapes[] = {"\\\"", "\\\\", "\\n", "\\u005d", "\\]"};
  std::string text = "\"";
  for (uint64_t i = 0, count = random() % 12; i < count; ++i) {
    text += with_escapes && random() % 4 == 0 ? kEscapes[random() % std::size(kEscapes)]
                                              : kPlain[random() % std::size(kPlain)];
  }
  return text + '"';
}

std::string random_value(std::mt19937& random, int depth, bool with_escapes) {
  switch (random() % (depth > 0 ? 5 : 3)) {
    case 0:
      return "12.5e3";
    case 1:
      return "null";
    case 2:
      return random_string(random, with_escapes);
    default:
      break;
  }
  const bool object = random() % 2 == 0;
  std::string text(1, object ? '{' : '[');
  for (uint64_t i = 0, count = random() % 5; i < count; ++i) {
    if (i > 0) text += ", ";
    if (object) text += random_string(random, with_escapes) + ": ";
    text += random_value(random, depth - 1, with_escapes);
  }
  return text + (object ? '}' : ']');
}

TEST(SkipContainer, AgreesWithAnObviousLoopOnRandomValuesAtEveryAlignment) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::string value = "[" + random_value(random, 5, round % 2 == 0) + "]";
    const std::string before(random() % 64, ' '), behind = random() % 2 == 0 ? ", {\"a\\\"\": [[[" : "";
    const Padded text(before + value + behind);
    const char* const p = text.begin() + before.size();
    ASSERT_EQ(skip_container(p, text.end()), p + value.size()) << value;
    ASSERT_EQ(skip_container_obviously(p, text.end()), p + value.size()) << value;
  }
}

TEST(SkipContainer, AgreesWithAnObviousLoopOnAnyBytes) {
  static constexpr char kBytes[] = "[]{}\"\\,a \n";
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = "[";
    for (uint64_t i = 0, count = random() % 200; i < count; ++i)
      bytes += kBytes[random() % (sizeof kBytes - 1)];
    const Padded text(bytes);
    ASSERT_EQ(skip_container(text.begin(), text.end()), skip_container_obviously(text.begin(), text.end()))
        << bytes;
  }
}

TEST(SkipContainer, EveryPrefixIsIncomplete) {
  const std::string value =
      R"([{"a": "b]", "c\"": [1, {"d": "\\"}]}, "a long string without any bracket that matters: ]]]]"])";
  for (size_t size = 1; size < value.size(); ++size) {
    const Padded text(value.substr(0, size));
    ASSERT_EQ(skip_container(text.begin(), text.end()), nullptr) << size;
  }
}

TEST(SkipContainer, StopsAtTheEndEvenIfMoreTextFollows) {
  const Padded text("[[1], [2]] and on");
  for (size_t size = 1; size < 10; ++size)
    EXPECT_EQ(skip_container(text.begin(), text.begin() + size), nullptr) << size;
  EXPECT_EQ(skip_container(text.begin(), text.begin() + 10), text.begin() + 10);
}

TEST(SkipContainer, AMillionLevelsAreAsGoodAsOne) {
  for (const char* fill : {"", "\"x\\\\\","}) {
    std::string deep;
    for (int i = 0; i < 1000000; ++i) (deep += '[') += fill;
    const Padded open(deep), closed(deep + std::string(1000000, ']') + "]");
    EXPECT_EQ(skip_container(open.begin(), open.end()), nullptr);
    EXPECT_EQ(skip_container(closed.begin(), closed.end()), closed.end() - 1);
  }
}

TEST(SkipSpace, FindsTheFirstOtherByteAtEveryAlignment) {
  static constexpr char kSpaces[] = " \n\t\r";
  std::mt19937 random(3);
  for (size_t start = 0; start < 20; ++start) {
    for (size_t length = 0; length < 100; ++length) {
      std::string bytes(start, 'x');
      // Kineto's own layout mostly: one newline, then blanks.
      for (size_t i = 0; i < length; ++i) bytes += random() % 4 == 0 ? kSpaces[random() % 4] : ' ';
      for (const char* behind : {"x", "\"", "\x01", "\x7f", "\xff", ""}) {
        const Padded text(bytes + behind);
        ASSERT_EQ(skip_space(text.begin() + start), text.begin() + start + length) << length << behind;
      }
    }
  }
}

TEST(SkipSpace, StopsAtThePaddingWhenTheTextEndsInSpace) {
  const Padded text("   \n  ");
  EXPECT_EQ(skip_space(text.begin()), text.end());
  EXPECT_EQ(skip_space(text.end()), text.end());
}

TEST(FindStringEnd, FindsTheClosingQuoteAtEveryAlignment) {
  for (size_t start = 0; start < 20; ++start) {
    for (size_t length = 0; length < 70; ++length) {
      const Padded text(std::string(start, '"') + std::string(length, 'x') + "\"\"");
      ASSERT_EQ(find_string_end(text.begin() + start, text.end()), text.begin() + start + length);
    }
  }
}

TEST(FindStringEnd, EscapesHideTheQuoteBehindThem) {
  for (const auto& [inside, closes_at] : {std::pair<std::string, size_t>{R"(\"")", 2},
                                          {R"(\\")", 2},
                                          {R"(\\\"")", 4},
                                          {R"(a\"b\\\"c\\")", 11},
                                          {R"(\u0022")", 6}}) {
    const Padded text(inside);
    EXPECT_EQ(find_string_end(text.begin(), text.end()), text.begin() + closes_at) << inside;
  }
}

TEST(FindStringEnd, AStringThatNeverClosesEndsWithTheText) {
  for (const char* inside :
       {"", "a", "abc\\", "abc\\\"", "a long string that fills more than sixteen bytes"}) {
    const Padded text(inside);
    EXPECT_EQ(find_string_end(text.begin(), text.end()), text.end()) << inside;
  }
  const Padded beyond("abc\\\"def\"");
  EXPECT_EQ(find_string_end(beyond.begin(), beyond.begin() + 4), beyond.begin() + 4);  // cut inside an escape
}

TEST(SkipValue, KnowsStringsContainersAndBareWords) {
  for (const char* value : {"\"a, b\"", "[1, 2]", "{\"a\": 1}", "12.5", "-nan", "N/A", "null"}) {
    for (const char* behind : {",", "}", "]", " "}) {
      const Padded text(std::string(value) + behind);
      EXPECT_EQ(skip_value(text.begin(), text.end()), text.end() - 1) << value << behind;
    }
    const Padded cut(value);
    if (*value == '"' || *value == '[' || *value == '{') {
      EXPECT_EQ(skip_value(cut.begin(), cut.end()), cut.end()) << value;
    } else {
      EXPECT_EQ(skip_value(cut.begin(), cut.end()), nullptr) << value << ": more digits may follow";
    }
  }
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
