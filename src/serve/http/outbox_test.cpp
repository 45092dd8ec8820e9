#include "serve/http/outbox.h"

#include <gtest/gtest.h>

namespace skyline::serve {
namespace {

Outgoing message(const std::string& text, const std::string& kind = "") {
  return {std::make_shared<const std::string>(text), false, kind};
}

std::string drain(Outbox& outbox) {
  std::string all;
  for (; !outbox.empty(); outbox.pop()) all += *outbox.front().bytes + " ";
  return all;
}

TEST(Outbox, AnswersAllComeInOrder) {
  Outbox outbox;
  for (const char* text : {"a", "b", "c"}) outbox.put(message(text));
  EXPECT_EQ(outbox.bytes(), 3u);
  EXPECT_EQ(drain(outbox), "a b c ");
  EXPECT_EQ(outbox.bytes(), 0u);
}

TEST(Outbox, OfWaitingEventsOnlyTheNewestOfEachKindComes) {
  Outbox outbox;
  outbox.put(message("answer"));
  outbox.put(message("session1", "session"));
  outbox.put(message("result1", "result"));
  outbox.put(message("session2", "session"));
  outbox.put(message("session3", "session"));
  EXPECT_EQ(outbox.bytes(), 6u + 7u + 8u);
  EXPECT_EQ(drain(outbox), "answer result1 session3 ");
}

TEST(Outbox, WhatIsBeingSentIsNotTakenBack) {
  Outbox outbox;
  outbox.put(message("session1", "session"));
  outbox.put(message("session2", "session"));
  outbox.put(message("session3", "session"));
  EXPECT_EQ(drain(outbox), "session1 session3 ");
}

}  // namespace
}  // namespace skyline::serve
