#include "ingest/kineto_json/json_validator.h"

#include <gtest/gtest.h>

namespace skyline::ingest::kineto_json {
namespace {

bool is_json_in_pieces(std::string_view text, size_t piece) {
  JsonValidator validator;
  for (size_t at = 0; at < text.size(); at += piece) {
    if (!validator.take(text.substr(at, piece))) return false;
  }
  return validator.is_complete();
}

TEST(JsonValidator, AcceptsWhatTheStandardAllows) {
  for (const std::string_view good :
       {"0", "-0", "12", "-1.5e+10", "1E5", "0.25", "\"\"", "\"a\\\"b\\u12aF\\n\"", "true", "false", "null",
        "[]", "{}", " [ 1 , [ ] , { } ] ", "{\"a\":1,\"b\":[{}]}",
        "{\"\xc3\xa9\":\"\xe2\x82\xac\xf0\x9f\x98\x80\"}", "[1]\n\r\t "}) {
    for (const size_t piece : {size_t{1}, size_t{3}, size_t{1000}})
      EXPECT_TRUE(is_json_in_pieces(good, piece)) << good;
  }
}

TEST(JsonValidator, RefusesEverythingElse) {
  for (const std::string_view bad : {"",
                                     " ",
                                     "01",
                                     "-",
                                     "1.",
                                     ".5",
                                     "1e",
                                     "1e+",
                                     "+1",
                                     "NaN",
                                     "N/A",
                                     "inf",
                                     "tru",
                                     "truE",
                                     "\"",
                                     "\"a",
                                     "\"\t\"",
                                     "\"\\x\"",
                                     "\"\\u12g4\"",
                                     "[",
                                     "[1",
                                     "[1,]",
                                     "[,1]",
                                     "[1 2]",
                                     "[1]]",
                                     "{",
                                     "{1:2}",
                                     "{\"a\"}",
                                     "{\"a\":}",
                                     "{\"a\":1,}",
                                     "{,}",
                                     "{\"a\":1 \"b\":2}",
                                     "{]",
                                     "[}",
                                     "1 2",
                                     "\"\xff\"",
                                     "\"\xc0\xaf\"",
                                     "\"\xed\xa0\x80\"",
                                     "\"\xe2\x82\"",
                                     "\"\xf5\x80\x80\x80\"",
                                     "'a'",
                                     "[1]x",
                                     "// a\n1"}) {
    for (const size_t piece : {size_t{1}, size_t{3}, size_t{1000}})
      EXPECT_FALSE(is_json_in_pieces(bad, piece)) << bad;
  }
}

TEST(JsonValidator, DepthIsNoTrouble) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_TRUE(is_json_in_pieces(deep, 4096));
  EXPECT_FALSE(is_json_in_pieces(deep + "]", 4096));
  EXPECT_TRUE(is_json(deep));
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
