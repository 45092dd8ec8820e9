#include "serve/served/opened_traces.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <thread>

#include "base/out_of_memory.h"
#include "ingest/ingest.h"
#include "serve/methods/test_context.h"

namespace skyline::serve {
namespace {

using ReadResult = Result<std::shared_ptr<const Trace>>;

// A file that counts how often it was read.
struct CountedFile {
  OpenedTraces::Read read() {
    return [this](const MemoryBudget&) -> ReadResult {
      ++count;
      return TestContext::make();
    };
  }
  std::atomic<int> count = 0;
};

std::string held(const OpenedTraces& traces) {
  std::string ids;
  for (const protocol::TraceSummary& each : traces.summaries()) ids += each.is_held ? each.id : "";
  return ids;
}

// Room for two small traces among those that are held.
MemoryBudget room_for_two() {
  static const uint64_t bytes = ingest::held_bytes(*TestContext::make());
  return {bytes * 5, "the test", true};
}

TEST(OpenedTraces, AFileIsReadWhenItIsAskedForAndOnce) {
  OpenedTraces traces;
  CountedFile file;
  traces.put_unread("0", "a.json", file.read());
  EXPECT_FALSE(traces.summary("0").is_read);
  EXPECT_EQ(traces.summary("0").name, "a.json");
  EXPECT_EQ(traces.summary("0").rank, -1);
  EXPECT_EQ(file.count, 0);

  ASSERT_TRUE(traces.find("0").ok());
  ASSERT_TRUE(traces.find("0").ok());
  EXPECT_EQ(file.count, 1);
  EXPECT_TRUE(traces.summary("0").is_read && traces.summary("0").is_held);
  EXPECT_EQ(traces.summary("0").steps, 1);
  EXPECT_FALSE(traces.find("moon").ok());
}

TEST(OpenedTraces, ManyWhoAskForOneFileWaitForOneReadAndOthersDoNotWait) {
  OpenedTraces traces;
  CountedFile other;
  std::promise<void> begun, go;
  std::atomic<int> count = 0;
  traces.put_unread("slow", "slow.json", [&](const MemoryBudget&) -> ReadResult {
    ++count;
    begun.set_value();
    go.get_future().wait();
    return TestContext::make();
  });
  traces.put_unread("other", "other.json", other.read());

  const auto ask = [&] { return traces.find("slow").value(); };
  std::vector<std::future<OpenedTracePtr>> asking;
  asking.push_back(std::async(std::launch::async, ask));
  begun.get_future().wait();
  EXPECT_TRUE(traces.is_reading());
  for (int i = 0; i < 4; ++i) asking.push_back(std::async(std::launch::async, ask));
  EXPECT_TRUE(traces.find("other").ok());  // while the slow one is being read
  EXPECT_FALSE(traces.summary("slow").is_read);
  go.set_value();
  const OpenedTracePtr first = asking[0].get();
  for (size_t i = 1; i < asking.size(); ++i) EXPECT_EQ(asking[i].get(), first);
  EXPECT_EQ(count, 1);
  EXPECT_FALSE(traces.is_reading());
}

TEST(OpenedTraces, WhatCannotBeReadSaysWhyAndIsTriedAgainByTheNext) {
  OpenedTraces traces;
  int count = 0;
  traces.put_unread("0", "bad.json", [&](const MemoryBudget&) -> ReadResult {
    if (++count == 1) return Error{"bad.json is no trace; name one that is"};
    return TestContext::make();
  });
  const Result<OpenedTracePtr> bad = traces.find("0");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().sentence, "bad.json is no trace; name one that is");
  EXPECT_FALSE(traces.summary("0").is_read);
  EXPECT_TRUE(traces.find("0").ok());
  EXPECT_EQ(count, 2);
}

TEST(OpenedTraces, TheLongestUnusedGoesFirstAndIsReadAgain) {
  OpenedTraces traces(room_for_two());
  std::array<CountedFile, 4> files;
  for (size_t i = 0; i < files.size(); ++i) traces.put_unread(std::to_string(i), "x", files[i].read());
  for (const char* id : {"0", "1", "0", "2"}) ASSERT_TRUE(traces.find(id).ok());
  EXPECT_EQ(held(traces), "02");
  EXPECT_TRUE(traces.summary("1").is_read);  // what it is stays known
  ASSERT_TRUE(traces.find("1").ok());
  EXPECT_EQ(held(traces), "12");
  EXPECT_EQ(files[1].count, 2);
}

TEST(OpenedTraces, WhatIsInUseStaysAndWhatWasOnlyGlancedAtGoesFirst) {
  OpenedTraces traces(room_for_two());
  std::array<CountedFile, 5> files;
  for (size_t i = 0; i < files.size(); ++i) traces.put_unread(std::to_string(i), "x", files[i].read());
  OpenedTracePtr used = traces.find("0").value();
  for (const char* id : {"1", "2", "3"}) ASSERT_TRUE(traces.find(id).ok());
  EXPECT_EQ(held(traces), "03");
  used.reset();
  ASSERT_TRUE(traces.glance("4").ok());
  traces.trim();
  EXPECT_EQ(held(traces), "03");
  ASSERT_TRUE(traces.find("2").ok());
  EXPECT_EQ(held(traces), "23");
}

TEST(OpenedTraces, WhatASessionHasRecordedIsNeverLetGoOf) {
  OpenedTraces traces({1, "the test", true});
  traces.put("time", "iteration of save 1", TestContext::make());
  traces.trim();
  EXPECT_EQ(held(traces), "time");
}

TEST(OpenedTraces, WhenMemoryRunsOutItIsTriedOnceMoreWithoutWhatNobodyUses) {
  OpenedTraces traces(room_for_two());
  CountedFile first;
  traces.put_unread("0", "x", first.read());
  std::vector<uint64_t> rooms;
  traces.put_unread("1", "large.json", [&](const MemoryBudget& memory) -> ReadResult {
    rooms.push_back(memory.bytes);
    if (memory.bytes < room_for_two().bytes) return over_budget("large.json", 1, memory);
    return TestContext::make();
  });
  traces.put_unread("2", "huge.json", [&](const MemoryBudget& memory) -> ReadResult {
    rooms.push_back(memory.bytes);
    throw std::bad_alloc();
  });
  ASSERT_TRUE(traces.find("0").ok());
  ASSERT_TRUE(traces.find("1").ok());
  EXPECT_EQ(held(traces), "1");
  EXPECT_EQ(rooms.size(), 2u);
  const Result<OpenedTracePtr> huge = traces.find("2");
  ASSERT_FALSE(huge.ok());
  EXPECT_TRUE(contains(huge.error().sentence, "not enough memory to read huge.json"));
  EXPECT_EQ(rooms.size(), 4u);
  EXPECT_FALSE(traces.is_reading());
}

TEST(OpenedTraces, ChangesAreTold) {
  OpenedTraces traces(room_for_two());
  std::array<CountedFile, 3> files;
  for (size_t i = 0; i < files.size(); ++i) traces.put_unread(std::to_string(i), "x", files[i].read());
  std::vector<std::string> told;
  traces.on_change([&] { told.push_back(held(traces)); });
  for (const char* id : {"0", "0", "1", "2"}) ASSERT_TRUE(traces.find(id).ok());
  EXPECT_EQ(told.front(), "0");
  EXPECT_EQ(told.back(), "12");
  traces.on_change({});
  ASSERT_TRUE(traces.find("0").ok());
  EXPECT_EQ(told.back(), "12");
}

}  // namespace
}  // namespace skyline::serve
