#include "serve/methods/registry.h"

#include <gtest/gtest.h>

namespace skyline::serve {
namespace {

std::string ask(std::string_view request) {
  OpenedTraces traces;
  const Context context = {.program = "skyline test", .traces = traces};
  return answer_request(context, request).body;
}

TEST(Methods, EveryAnswerCarriesItsRequestsNumber) {
  EXPECT_TRUE(ask(R"({"id": 7, "method": "hello", "params": {}})").starts_with(R"({"id":7,"result":{)"));
  EXPECT_TRUE(ask(R"({"id": 8, "method": "overview", "params": {"trace": "9"}})")
                  .starts_with(R"({"id":8,"error":{"sentence":)"));
}

TEST(Methods, WhatIsNoRequestIsAnsweredWithASentence) {
  for (const char* request :
       {"", "[", "[]", "7", "{}", R"({"id": 1})", R"({"id": "1", "method": "hello", "params": {}})",
        R"({"id": 1, "method": 3, "params": {}})",
        R"({"id": 99999999999, "method": "hello", "params": {}})"}) {
    EXPECT_TRUE(ask(request).starts_with(R"({"id":-1,"error":)")) << request;
  }
  EXPECT_NE(ask(R"({"id": 1, "method": "nope", "params": {}})").find("there is no method nope"),
            std::string::npos);
  EXPECT_NE(ask(R"({"id": 1, "method": "overview", "params": {"trace": 3}})").find("params"),
            std::string::npos);
}

TEST(Methods, NamesAreUnique) {
  for (const Method& a : methods()) {
    for (const Method& b : methods()) EXPECT_TRUE(&a == &b || a.name != b.name) << a.name;
  }
}

}  // namespace
}  // namespace skyline::serve
