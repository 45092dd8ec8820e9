#include "ingest/kineto_json/event_repair.h"

#include <gtest/gtest.h>

#include <random>

#include "ingest/kineto_json/event_scanner.h"
#include "ingest/kineto_json/test_padded.h"
#include "ingest/kineto_json/text_decode.h"

namespace skyline::ingest::kineto_json {
namespace {

constexpr std::string_view kNext = ",\n  {\n    \"ph\": \"X\"";

// Repairs `json`, which is followed by another event, and reads the result.
struct Repaired {
  explicit Repaired(const std::string& json) {
    const Padded text(json + std::string(kNext));
    RawEvent untouched;
    EXPECT_NE(scan_event(text.begin(), text.end(), untouched).status, ScanStatus::kOk)
        << "not broken: " << json;
    const Repair repair = repair_event(text.begin(), text.end(), false);
    EXPECT_EQ(repair.end, text.begin() + json.size()) << json;
    readable = repair.status == Repair::Status::kRepaired;
    if (!readable) return;
    mended = Padded(repair.text);
    const ScanResult result = scan_event(mended.begin(), mended.end(), event);
    EXPECT_EQ(result.status, ScanStatus::kOk) << repair.text;
    EXPECT_EQ(result.position, mended.end()) << repair.text;
  }

  std::string name() const {
    std::string decoded;
    decode_string(event.name, decoded);
    return decoded;
  }

  Padded mended{""};
  RawEvent event;
  bool readable = false;
};

TEST(RepairEvent, UnescapedQuotesInANameAreMeantLiterally) {
  const Repaired repaired(
      R"({"ph": "X", "cat": "python_function", "name": "<eval "quoted" frame>", "pid": 1, "ts": 2})");
  ASSERT_TRUE(repaired.readable);
  EXPECT_EQ(repaired.name(), R"(<eval "quoted" frame>)");
  EXPECT_EQ(repaired.event.process, "1");
  EXPECT_EQ(repaired.event.time_ns, 2000);
}

TEST(RepairEvent, ACodeObjectWithFileNameInQuotesIsReadable) {
  const Repaired repaired(
      R"({"ph": "X", "name": "<code object f at 0x7f, file "/a/b.py", line 12>", "pid": 1, "tid": 2, "ts": 3, "dur": 4})");
  ASSERT_TRUE(repaired.readable);
  EXPECT_EQ(repaired.name(), R"(<code object f at 0x7f, file "/a/b.py", line 12>)");
  EXPECT_EQ(repaired.event.duration_ns, 4000);
}

TEST(RepairEvent, QuotesAtTheEndsOfANameAreKept) {
  const Repaired repaired(R"({"name": ""both"", "ts": 2})");
  ASSERT_TRUE(repaired.readable);
  EXPECT_EQ(repaired.name(), R"("both")");
}

TEST(RepairEvent, AMissingCommaBetweenMembersIsPutIn) {
  const Repaired repaired(R"({"ph": "X" "name": "a", "args": {"stream": 7 "device": 1}
 "ts": 5})");
  ASSERT_TRUE(repaired.readable);
  EXPECT_EQ(repaired.event.phase, 'X');
  EXPECT_EQ(repaired.event.args.stream, 7);
  EXPECT_EQ(repaired.event.args.device, 1);
  EXPECT_EQ(repaired.event.time_ns, 5000);
}

TEST(RepairEvent, CommasWithoutAMemberAreDropped) {
  const Repaired repaired(R"({"ph": "X", "args": {"stream": 7, }, "ts": 5,})");
  ASSERT_TRUE(repaired.readable);
  EXPECT_EQ(repaired.event.args.stream, 7);
  EXPECT_EQ(repaired.event.time_ns, 5000);
}

TEST(RepairEvent, AListInArgsIsNotTheEndOfTheArray) {
  const Repaired repaired(R"({"name": "a "{}" b", "args": {"x": {"y": [{}, {}]}}, "ts": 1})");
  ASSERT_TRUE(repaired.readable);
  EXPECT_EQ(repaired.name(), R"(a "{}" b)");
}

TEST(RepairEvent, WhatCannotBeMendedEndsWhereTheNextEventBegins) {
  const Repaired repaired(R"({"name": "a", 5 6 : : }})");
  EXPECT_FALSE(repaired.readable);
}

TEST(RepairEvent, TheEndOfTheArrayEndsTheEventToo) {
  const Padded text(R"({"name": "a "b" c", "ts": 1} ], "traceName": "x"})");
  const Repair repair = repair_event(text.begin(), text.end(), false);
  EXPECT_EQ(repair.status, Repair::Status::kRepaired);
  EXPECT_EQ(std::string_view(text.begin(), repair.end), R"({"name": "a "b" c", "ts": 1})");
}

TEST(RepairEvent, WithoutAVisibleEndThereIsNoHopeAtTheEndOfTheFile) {
  const Padded text(R"({"name": "a "b" c", "ts": 1, "args": {"a": 1)");
  EXPECT_EQ(repair_event(text.begin(), text.end(), false).status, Repair::Status::kIncomplete);
  const Repair repair = repair_event(text.begin(), text.end(), true);
  EXPECT_EQ(repair.status, Repair::Status::kHopeless);
  EXPECT_EQ(repair.end, text.end());
}

TEST(RepairEvent, AnEventThatIsLostEndsBeforeTheNextOneNotAtAListInItsArgs) {
  const std::string json = R"({"name": "a, "args": {"x": [{}]}, "ts": 1})";  // a quote is missing
  const Repaired repaired(json);
  EXPECT_FALSE(repaired.readable);
}

TEST(RepairEvent, TheLastEventEndsAtTheListEvenIfItIsLost) {
  const std::string json = R"({"name": "a, "ts": 1})";
  const Padded text(json + "], \"traceName\": \"x\"}");
  EXPECT_EQ(repair_event(text.begin(), text.end(), false).status, Repair::Status::kIncomplete);
  const Repair repair = repair_event(text.begin(), text.end(), true);
  EXPECT_EQ(repair.status, Repair::Status::kLost);
  EXPECT_EQ(repair.end, text.begin() + json.size());
}

TEST(RepairEvent, PagesOfWhiteSpaceAreNotWaitedFor) {
  const Padded text(R"({"name": "a "b" c"})" + std::string(10000, ' '));
  EXPECT_EQ(repair_event(text.begin(), text.end(), true).status, Repair::Status::kHopeless);
  EXPECT_EQ(find_next_event(text.begin(), text.end(), false), text.end());
}

TEST(FindNextEvent, GivesTheBraceBeforeIt) {
  const Padded text(R"(x}] }{5} , }, x {"a": "}", {"b" } , { "ph": 1})");
  const char* const found = find_next_event(text.begin(), text.end(), false);
  EXPECT_EQ(std::string_view(found, text.end()), R"(} , { "ph": 1})");
  EXPECT_TRUE(next_event_follows(found + 1, text.end()));
}

TEST(FindNextEvent, WaitsWhereOneMayBegin) {
  for (const char* json : {"x }", "x } ", "x },", "x }, {", "x }, { "}) {
    const Padded text(json);
    EXPECT_EQ(find_next_event(text.begin(), text.end(), false), text.begin() + 2) << json;
    EXPECT_EQ(find_next_event(text.begin(), text.end(), true), text.end()) << json;
  }
}

// Chunks end anywhere: a repair may only wait for more, never decide otherwise than with the whole text.
TEST(RepairEvent, APrefixNeverContradictsTheWhole) {
  std::mt19937 random(6);
  static constexpr std::string_view kPieces[] = {"\"", "\\", "{", "}",      "[",   "]",
                                                 ",",  ":",  " ", "}, {\"", "} ]", "1"};
  for (int round = 0; round < 5000; ++round) {
    std::string json = R"({"ph":"X","ts":12.5,"args":{"stream":7,"x":[1,"]"]},"name":"a "b" c"})";
    for (uint64_t i = 0, edits = random() % 4; i < edits; ++i)
      json.insert(1 + random() % (json.size() - 1), kPieces[random() % std::size(kPieces)]);
    json += kNext;
    const Padded whole(json);
    const Repair repair = repair_event(whole.begin(), whole.end(), false);
    for (size_t size = 1; size < json.size(); ++size) {
      const Repair prefix = repair_event(whole.begin(), whole.begin() + size, false);
      if (prefix.status == Repair::Status::kIncomplete) continue;
      ASSERT_EQ(prefix.status, repair.status) << json;
      ASSERT_EQ(prefix.end, repair.end) << json;
      ASSERT_EQ(prefix.text, repair.text) << json;
    }
  }
}

TEST(RepairEvent, LongDamageIsMendedInOnePass) {
  std::string json = R"({"name": ")";
  for (int i = 0; i < 200000; ++i) json += "\" \" , x";
  const Repaired repaired(json + R"(", "ts": 1})");
  EXPECT_TRUE(repaired.readable);
  EXPECT_EQ(repaired.event.time_ns, 1000);
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
