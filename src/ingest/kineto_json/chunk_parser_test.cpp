#include "ingest/kineto_json/chunk_parser.h"

#include <gtest/gtest.h>

#include "ingest/kineto_json/test_padded.h"

namespace skyline::ingest::kineto_json {
namespace {

using Stop = ChunkResult::Stop;

// Reads a piece of traceEvents that begins behind `separator`.
struct ParsedChunk {
  explicit ParsedChunk(std::string_view json, bool at_end_of_file = false,
                       Separator separator = Separator::kFirst, const LongEvent& long_event = {})
      : text(json) {
    batch.clear();
    result = parse_events(text.begin(), text.end(), 1000, separator, at_end_of_file, batch, long_event);
  }

  uint64_t count(Loss loss) const { return batch.losses[loss].count; }
  uint64_t place(Loss loss) const { return batch.losses[loss].first_offset - 1000; }
  size_t used() const { return text.offset_of(result.position); }

  Padded text;
  Batch batch;
  ChunkResult result;
};

constexpr std::string_view kEvent =
    R"({"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2})";

std::string several(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

TEST(ParseEvents, ReadsUpToTheEndOfTheArray) {
  const std::string json = several({kEvent, ",\n", kEvent, "\n], \"traceName\": 1"});
  const ParsedChunk parsed(json);
  EXPECT_EQ(parsed.result.stop, Stop::kEndOfArray);
  EXPECT_EQ(parsed.used(), json.find(']') + 1);
  EXPECT_EQ(parsed.batch.event_count, 2u);
  EXPECT_EQ(parsed.batch.slices.size(), 2u);
  EXPECT_EQ(parsed.batch.slices.source_place[1], 1000 + kEvent.size() + 2);
  for (const LossKind& kind : kLosses) EXPECT_EQ(parsed.count(kind.loss), 0u) << kind.name;
}

TEST(ParseEvents, SaysWhatStoodBeforeTheEndOfTheText) {
  EXPECT_EQ(ParsedChunk(several({kEvent, ", "})).result.separator, Separator::kAfterComma);
  EXPECT_EQ(ParsedChunk(several({kEvent, " "})).result.separator, Separator::kAfterEvent);
  EXPECT_EQ(ParsedChunk(" ").result.separator, Separator::kFirst);
  EXPECT_EQ(ParsedChunk(several({kEvent, ", "})).result.stop, Stop::kEndOfText);
}

TEST(ParseEvents, AnIncompleteEventIsLeftForLater) {
  const std::string whole = several({kEvent, ", "});
  for (size_t size = 1; size < kEvent.size(); ++size) {
    const ParsedChunk parsed(whole + std::string(kEvent.substr(0, size)));
    ASSERT_EQ(parsed.result.stop, Stop::kNeedsMore) << size;
    ASSERT_EQ(parsed.used(), whole.size()) << size;
    ASSERT_EQ(parsed.result.separator, Separator::kAfterComma);
    ASSERT_EQ(parsed.batch.event_count, 1u);
  }
}

TEST(ParseEvents, AtTheEndOfTheFileAnIncompleteEventIsTheOneThatWasCut) {
  const std::string whole = several({kEvent, ", "});
  for (size_t size = 1; size < kEvent.size(); ++size) {
    const ParsedChunk parsed(whole + std::string(kEvent.substr(0, size)), true);
    ASSERT_EQ(parsed.batch.event_count, 1u) << size;
    ASSERT_EQ(parsed.count(Loss::kTruncated), 1u) << size;
    ASSERT_EQ(parsed.place(Loss::kTruncated), whole.size());
    ASSERT_EQ(parsed.count(Loss::kMalformedEvent), 0u) << size;
    ASSERT_EQ(parsed.used(), parsed.text.size());
  }
}

TEST(ParseEvents, CommasAreCountedWhereTheyAreMissingOrTooMany) {
  const ParsedChunk missing(several({kEvent, "\n", kEvent, "]"}));
  EXPECT_EQ(missing.batch.event_count, 2u);
  EXPECT_EQ(missing.count(Loss::kMissingComma), 1u);
  EXPECT_EQ(missing.place(Loss::kMissingComma), kEvent.size() + 1);
  const ParsedChunk extra(several({",", kEvent, ",, ,", kEvent, ",]"}));
  EXPECT_EQ(extra.batch.event_count, 2u);
  EXPECT_EQ(extra.count(Loss::kExtraComma), 4u);
  EXPECT_EQ(extra.place(Loss::kExtraComma), 0u);
}

TEST(ParseEvents, OtherValuesAreCountedAndPassedOver) {
  const ParsedChunk parsed(several({"1, null, \"a, ]\", [1, [2]], ", kEvent, ", } ]"}));
  EXPECT_EQ(parsed.batch.event_count, 1u);
  EXPECT_EQ(parsed.count(Loss::kNotAnObject), 5u);
  EXPECT_EQ(parsed.result.stop, Stop::kEndOfArray);
}

TEST(ParseEvents, ARepairedEventIsReadAndCounted) {
  const std::string broken = R"({"ph": "X", "name": "a "b" c", "pid": 1, "tid": 1, "ts": 1, "dur": 2})";
  const ParsedChunk parsed(several({broken, ", ", kEvent, "]"}));
  EXPECT_EQ(parsed.batch.event_count, 2u);
  EXPECT_EQ(parsed.batch.slices.size(), 2u);
  EXPECT_EQ(parsed.count(Loss::kRepairedEvent), 1u);
  EXPECT_EQ(parsed.batch.strings.entries()[parsed.batch.slices.name[0].value].text, "a \"b\" c");
}

TEST(ParseEvents, AnEventThatCannotBeReadCostsOnlyItself) {
  const ParsedChunk parsed(several({kEvent, R"(, {"ph": "X", 5 6 : : }}, )", kEvent, ", ", kEvent, "]"}));
  EXPECT_EQ(parsed.batch.event_count, 3u);
  EXPECT_EQ(parsed.count(Loss::kMalformedEvent), 1u);
  EXPECT_EQ(parsed.place(Loss::kMalformedEvent), kEvent.size() + 2);
  EXPECT_EQ(parsed.result.stop, Stop::kEndOfArray);
}

TEST(ParseEvents, AnEventBeyondTheLargestSizeIsCalledThatAndPassedOver) {
  const std::string big = R"({"ph": "X", "name": ")" + std::string(kMaxEventBytes + 100, 'x') + "], [\"}";
  const ParsedChunk parsed(several({big, ", ", kEvent, ", ", kEvent, "]"}));
  EXPECT_EQ(parsed.batch.event_count, 2u);
  EXPECT_EQ(parsed.count(Loss::kTooLong), 1u);
  EXPECT_EQ(parsed.place(Loss::kTooLong), 0u);
  EXPECT_EQ(parsed.count(Loss::kMalformedEvent), 0u);
  EXPECT_EQ(parsed.count(Loss::kMissingComma), 0u);
  EXPECT_EQ(parsed.result.stop, Stop::kEndOfArray);
}

// What stands in its args looks like events, and is none.
std::string long_event(std::string_view closing) {
  std::string text = R"({"ph": "X", "args": {"list": [)";
  while (text.size() < kMaxEventBytes + 100) text += R"({"a": "\\", "b": "}, {\"ph\": 1"}, )";
  return text + std::string(closing);
}

TEST(ParseEvents, WhatIsInALongEventIsNoEvent) {
  const ParsedChunk parsed(several({long_event("5]}}"), ", ", kEvent, "]"}));
  EXPECT_EQ(parsed.batch.event_count, 1u);
  EXPECT_EQ(parsed.batch.losses.total(Severity::kDataLoss), 1u);
  EXPECT_EQ(parsed.count(Loss::kTooLong), 1u);
}

TEST(ParseEvents, ALongEventThatIsNotClosedEndsWhereTorchsNextBegins) {
  const ParsedChunk parsed(several({long_event("5]"), ", ", kEvent, ", ", kEvent, "]"}));
  EXPECT_EQ(parsed.batch.event_count, 2u);
  EXPECT_EQ(parsed.count(Loss::kTooLong), 1u);
  EXPECT_EQ(parsed.result.stop, Stop::kEndOfArray);
}

// A large event is judged by its own size, not by how much text happens to be there.
TEST(ParseEvents, ALargeEventIsTheSameInOnePieceAndInTwo) {
  for (const size_t size : {kMaxEventBytes, kMaxEventBytes + 1}) {
    const std::string head = R"({"ph": "X", "name": ")", behind = "\"}";
    const std::string big = head + std::string(size - head.size() - behind.size(), 'x') + behind;
    const std::string json = several({big, ", ", kEvent, "]"});
    const bool fits = size <= kMaxEventBytes;
    const ParsedChunk whole(json);
    EXPECT_EQ(whole.batch.event_count, fits ? 2u : 1u) << size;
    for (const size_t cut : {size / 2, size + 1}) {
      const ParsedChunk first(json.substr(0, cut));
      const ParsedChunk second(json.substr(first.used()), false, first.result.separator,
                               first.result.long_event);
      EXPECT_EQ(first.batch.event_count + second.batch.event_count, whole.batch.event_count)
          << size << " " << cut;
      EXPECT_EQ(first.count(Loss::kTooLong) + second.count(Loss::kTooLong), fits ? 0u : 1u);
    }
  }
}

TEST(ParseEvents, TwoMillionBracesEnd) {
  for (const char* brace : {"{", "[", "{[", "{\"", "}"}) {
    std::string json;
    while (json.size() < 2000000) json += brace;
    const ParsedChunk parsed(json, true);
    EXPECT_EQ(parsed.used(), json.size()) << brace;
    EXPECT_EQ(parsed.batch.event_count, 0u) << brace;
  }
}

TEST(FindLastEventStart, FindsTheBraceBehindTheLastComma) {
  const std::string json = several({kEvent, ",\n  {\n \"ph\"", ": {\"a\": 1}, 5"});
  const Padded text(json);
  const char* found = find_last_event_start(text.begin(), text.begin(), text.end());
  EXPECT_EQ(text.offset_of(found), kEvent.size() + 4);
}

TEST(FindLastEventStart, IsNotTakenInByLookalikes) {
  for (const char* json :
       {"", "{", "}, {", "}, { ", "}, {1", "} {\"", "], {\"", "{\"a\": 1}", "x, {\"a\"", ", {\"a\""}) {
    const Padded text(json);
    EXPECT_EQ(find_last_event_start(text.begin(), text.begin(), text.end()), nullptr) << json;
  }
}

TEST(FindLastEventStart, LooksOnlyBehindFrom) {
  const Padded text("}, {\"a\": 1}, {\"b\": 1");
  EXPECT_EQ(find_last_event_start(text.begin(), text.begin(), text.end()), text.begin() + 13);
  EXPECT_EQ(find_last_event_start(text.begin(), text.begin() + 13, text.end()), text.begin() + 13);
  EXPECT_EQ(find_last_event_start(text.begin(), text.begin() + 14, text.end()), nullptr);
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
