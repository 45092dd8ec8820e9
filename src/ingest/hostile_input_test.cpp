// Files made to exhaust time or memory, scaled down: what matters is that they end, and end right. At full
// size (a million of each, bombs of 10 GB) they were measured to take seconds and less than 300 MB.
#include <gtest/gtest.h>

#include <set>

#include "ingest/ingest.h"
#include "ingest/text/test_pack.h"

namespace skyline::ingest {
namespace {

std::unique_ptr<const Trace> read(std::string bytes) {
  IngestOptions options;
  options.threads = 2;
  Result<std::unique_ptr<const Trace>> trace = read_trace_bytes(std::move(bytes), "t.json", options);
  EXPECT_TRUE(trace.ok()) << trace.error().sentence;
  return trace.ok() ? std::move(trace).value() : nullptr;
}

std::string error_of(std::string bytes) {
  const Result<std::unique_ptr<const Trace>> trace = read_trace_bytes(std::move(bytes), "t.json", {});
  return trace.ok() ? "a trace" : trace.error().sentence;
}

// `count` events that differ in their number.
template <typename Event>
std::string list_of(int count, Event event) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += (i > 0 ? ",\n" : "") + event(std::to_string(i));
  return text + "]";
}

std::string op(const std::string& category, const std::string& thread, const std::string& name,
               const std::string& time) {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name + R"(", "pid": 1, "tid": )" +
         thread + R"(, "ts": )" + time + R"(, "dur": 1})";
}

constexpr int kMany = 20000;

TEST(HostileInput, EveryEventOnAThreadOfItsOwn) {
  const auto trace = read(list_of(kMany, [](const std::string& i) { return op("cpu_op", i, "a", i); }));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->tracks.size(), static_cast<size_t>(kMany));
  EXPECT_EQ(trace->slices.size(), static_cast<size_t>(kMany));
}

TEST(HostileInput, EveryEventInACategoryOfItsOwn) {
  const auto trace = read(list_of(kMany, [](const std::string& i) { return op("c" + i, "1", "a", i); }));
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->event_counts.size(), static_cast<size_t>(kMany));
  for (const EventCount& count : trace->event_counts) ASSERT_EQ(count.count, 1u);
}

TEST(HostileInput, EveryEventWithANameOfItsOwn) {
  const auto trace =
      read(list_of(kMany, [](const std::string& i) { return op("cpu_op", "1", "name \\u0041" + i, i); }));
  ASSERT_TRUE(trace);
  std::set<std::string_view> names;
  for (const StringId name : trace->slices.name) names.insert(trace->strings[name]);
  EXPECT_EQ(names.size(), static_cast<size_t>(kMany));
}

TEST(HostileInput, EveryEventOverlapsAllOthers) {
  const auto trace = read(list_of(kMany, [](const std::string& i) {
    return R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": )" + i +
           R"(, "dur": 1000000, "args": {"correlation": 5}})";
  }));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->slices.size(), static_cast<size_t>(kMany));
  EXPECT_LE(trace->tracks[0].lanes, 256);
}

TEST(HostileInput, EveryEventIsBroken) {
  const auto trace =
      read(list_of(kMany, [](const std::string& i) { return op("cpu_op", "1", "a \"b\" c", i); }));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->slices.size(), static_cast<size_t>(kMany));
  EXPECT_EQ(trace->losses[Loss::kRepairedEvent].count, static_cast<uint64_t>(kMany));
}

TEST(HostileInput, EveryEventIsBeyondRepair) {
  const auto trace =
      read(list_of(kMany, [](const std::string& i) { return op("cpu_op", "1", "a\", \"b", i) + "}"; }));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->losses[Loss::kMalformedEvent].count, static_cast<uint64_t>(kMany));
}

TEST(HostileInput, KeysWithoutEndBesideTheEvents) {
  std::string text = "{";
  for (int i = 0; i < kMany; ++i) text += "\"key" + std::to_string(i) + "\": [1, {\"a\": 2}], ";
  const auto trace = read(text + R"("traceEvents": [{}]})");
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->event_count, 1u);
}

TEST(HostileInput, BracketsWithoutEnd) {
  for (const char* head : {"", "[", R"({"traceEvents": [)", R"({"a": )"}) {
    for (const char brace : {'[', '{', '"'}) {
      const std::string sentence = error_of(head + std::string(300000, brace));
      EXPECT_FALSE(sentence.empty()) << head << brace;
    }
  }
}

// A hundred megabytes of nothing in a hundred kilobytes.
TEST(HostileInput, GzipBombsEnd) {
  const std::string spaces = gzip(std::string(100 << 20, ' ')), zeros = gzip(std::string(100 << 20, '\0'));
  EXPECT_EQ(read(gzip("[") + spaces + gzip("]"))->event_count, 0u);
  EXPECT_EQ(read(spaces + gzip("[{}]"))->event_count, 1u);
  EXPECT_NE(error_of(spaces).find("nothing but white space"), std::string::npos);
  EXPECT_NE(error_of(zeros).find("is not a trace"), std::string::npos);
  EXPECT_NE(error_of(gzip("{\"a\"") + spaces).find("has no traceEvents"), std::string::npos);
  EXPECT_NE(error_of(gzip("[") + zeros).find("not of events"), std::string::npos);
}

}  // namespace
}  // namespace skyline::ingest
