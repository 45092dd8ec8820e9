#include "ingest/kineto_json/event_scanner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "ingest/kineto_json/test_padded.h"
#include "trace/tables.h"

namespace skyline::ingest::kineto_json {
namespace {

// Scans one event that must be complete. Views point into `text`.
struct Scanned {
  explicit Scanned(std::string_view json, ScanStatus expected = ScanStatus::kOk) : text(json) {
    const ScanResult result = scan_event(text.begin(), text.end(), event);
    EXPECT_EQ(result.status, expected) << json;
    if (expected == ScanStatus::kOk) {
      EXPECT_EQ(result.position, text.end()) << json;
    }
  }

  Padded text;
  RawEvent event;
};

constexpr std::string_view kKernel = R"({
    "ph": "X", "cat": "kernel", "name": "gemm<float, 4>", "pid": 0, "tid": 7,
    "ts": 5921412086513.217, "dur": 12.001,
    "args": {
      "External id": 42,"queued": 0, "device": 0, "context": 1,
      "stream": 7, "correlation": 4711, "blocks per SM": 0.5, "grid": [64, 1, 1], "est. achieved occupancy %": 33
    }
  })";

TEST(ScanEvent, ReadsAnEventInKinetosOwnLayout) {
  const Scanned scanned(kKernel);
  const RawEvent& event = scanned.event;
  EXPECT_EQ(event.phase, 'X');
  EXPECT_EQ(event.category, "kernel");
  EXPECT_EQ(event.name, "gemm<float, 4>");
  EXPECT_EQ(event.process, "0");
  EXPECT_EQ(event.thread, "7");
  EXPECT_EQ(event.time_ns, 5921412086513217);
  EXPECT_EQ(event.duration_ns, 12001);
  EXPECT_TRUE(event.time == Seen::kGood && event.duration == Seen::kGood);
  EXPECT_EQ(event.args.external_id, 42u);
  EXPECT_EQ(event.args.device, 0);
  EXPECT_EQ(event.args.stream, 7);
  EXPECT_EQ(event.args.correlation, 4711u);
  EXPECT_EQ(event.bad_numbers + event.quoted_numbers + event.bare_tokens, 0u);
}

TEST(ScanEvent, ReadsEveryArgTheTablesKeep) {
  const Scanned scanned(
      R"({"args": {"External id": 1, "Sequence number": 2, "Fwd thread id": 3, "Python id": 4,
    "Python parent id": 5, "Python module id": 6, "Device Type": 1, "Device Id": 7, "Addr": 140000000000000, "Bytes": -8,
    "Total Allocated": 9, "Total Reserved": 10, "bytes": 11, "device": 12, "stream": 13, "correlation": 14,
    "Input Dims": [[1, 2], []], "Input type": ["float", ""], "Input Strides": [[2, 1], []], "Concrete Inputs": ["", "1"], "name": "python", "labels": "GPU 0",
    "Collective name": "allreduce"}})");
  const RawArgs& args = scanned.event.args;
  const RawInputs& inputs = scanned.event.inputs;
  EXPECT_EQ(args.external_id, 1u);
  EXPECT_EQ(args.sequence, 2);
  EXPECT_EQ(args.fwd_thread, 3u);
  EXPECT_EQ(args.python_id, 4);
  EXPECT_EQ(args.python_parent_id, 5);
  EXPECT_EQ(args.python_module_id, 6);
  EXPECT_EQ(args.device_type, 1);
  EXPECT_EQ(args.device_id, 7);
  EXPECT_EQ(args.address, 140000000000000u);
  EXPECT_EQ(args.bytes, -8);
  EXPECT_EQ(args.total_allocated, 9);
  EXPECT_EQ(args.total_reserved, 10);
  EXPECT_EQ(args.copy_bytes, 11);
  EXPECT_EQ(args.device, 12);
  EXPECT_EQ(args.stream, 13);
  EXPECT_EQ(args.correlation, 14u);
  EXPECT_EQ(inputs.dims, "[[1, 2], []]");
  EXPECT_EQ(inputs.types, R"(["float", ""])");
  EXPECT_EQ(inputs.strides, "[[2, 1], []]");
  EXPECT_EQ(inputs.concrete, R"(["", "1"])");
  EXPECT_TRUE(args.inputs.starts_with("\"Input Dims\": ") && args.inputs.ends_with(inputs.concrete));
  EXPECT_EQ(args.name, "python");
  EXPECT_EQ(args.labels, "GPU 0");
  EXPECT_TRUE(args.has_collective);
}

TEST(ScanEvent, KeysMayComeInAnyOrderAndLayout) {
  std::vector<std::string> members = {R"("ph": "X")",
                                      R"("cat": "cpu_op")",
                                      R"("name": "a")",
                                      R"("pid": "p")",
                                      R"("tid": 3)",
                                      R"("ts": 4)",
                                      R"("dur": 0.5)",
                                      R"("id": 6)",
                                      R"("bp": "e")",
                                      R"("s": "t")",
                                      R"("unknown": {"ph": "Y", "ts": [9]})",
                                      R"("args": {"External id": 7})"};
  std::mt19937 random(1);
  static constexpr const char* kSpaces[] = {"", " ", "\n    ", "\t", "\r\n"};
  for (int round = 0; round < 500; ++round) {
    std::shuffle(members.begin(), members.end(), random);
    const char* space = kSpaces[random() % std::size(kSpaces)];
    std::string json = "{";
    for (const std::string& member : members) (json += json.size() > 1 ? "," : "") += space + member + space;
    const Scanned scanned(json + "}");
    const RawEvent& event = scanned.event;
    ASSERT_EQ(event.phase, 'X');
    ASSERT_EQ(event.category, "cpu_op");
    ASSERT_EQ(event.name, "a");
    ASSERT_EQ(event.process, "p");
    ASSERT_EQ(event.thread, "3");
    ASSERT_EQ(event.time_ns, 4000);
    ASSERT_EQ(event.duration_ns, 500);
    ASSERT_EQ(event.id, 6u);
    ASSERT_EQ(event.args.external_id, 7u);
  }
}

TEST(ScanEvent, OfKeysThatComeTwiceTheLastCounts) {
  const Scanned scanned(R"({"ts": 1, "ph": "i", "name": "a", "args": {"stream": 1, "stream": 2, "device": 5},
                            "ts": 2.5, "ph": "X", "name": "b", "args": {"stream": 3}})");
  EXPECT_EQ(scanned.event.time_ns, 2500);
  EXPECT_EQ(scanned.event.phase, 'X');
  EXPECT_EQ(scanned.event.name, "b");
  EXPECT_EQ(scanned.event.args.stream, 3);
  EXPECT_EQ(scanned.event.args.device, -1);
}

TEST(ScanEvent, AGoodTimeBehindABadOneCounts) {
  const Scanned good_last(R"({"ts": NaN, "ts": 5, "dur": "x", "dur": 7})");
  EXPECT_TRUE(good_last.event.time == Seen::kGood && good_last.event.duration == Seen::kGood);
  EXPECT_EQ(good_last.event.time_ns, 5000);
  const Scanned bad_last(R"({"ts": 5, "ts": NaN, "dur": 1})");
  EXPECT_EQ(bad_last.event.time, Seen::kBad);
  EXPECT_EQ(bad_last.event.duration, Seen::kGood);
}

TEST(ScanEvent, ABadNumberBehindAGoodOneCounts) {
  const Scanned scanned(
      R"({"args": {"stream": 1, "stream": "x", "correlation": 2, "correlation": 1.5, "External id": 3,
      "External id": null, "Bytes": 4, "Bytes": [], "Sequence number": 5, "Sequence number": 1e40, "device": "x", "device": 6}})");
  EXPECT_EQ(scanned.event.args.stream, -1);
  EXPECT_EQ(scanned.event.args.correlation, kNoCorrelation);
  EXPECT_EQ(scanned.event.args.external_id, 0u);
  EXPECT_EQ(scanned.event.args.bytes, kUnknownBytes);
  EXPECT_EQ(scanned.event.args.sequence, -1);
  EXPECT_EQ(scanned.event.args.device, 6);
}

TEST(ScanEvent, EscapedKeysAreTheSameKeys) {
  const Scanned scanned(
      R"({"\u0070h": "X", "t\u0073": 5, "\"": 1, "args": {"str\u0065am": 3, "a\\": {"}": "{"}}})");
  EXPECT_EQ(scanned.event.phase, 'X');
  EXPECT_EQ(scanned.event.time_ns, 5000);
  EXPECT_EQ(scanned.event.args.stream, 3);
}

TEST(ScanEvent, AnEscapedPhaseIsAPhase) {
  EXPECT_EQ(Scanned(R"({"ph": "\u0058"})").event.phase, 'X');
  EXPECT_EQ(Scanned(R"({"ph": "\u0058\u0058"})").event.phase, '\0');
  EXPECT_EQ(Scanned(R"({"ph": "\u00e4"})").event.phase, '\0');
}

TEST(ScanEvent, NumbersMayStandInQuotes) {
  const Scanned scanned(
      R"({"ts": "12.5", "dur": "3", "id": "0x1f", "args": {"stream": "0x7f", "bytes": "1024", "correlation": " 5"}})");
  EXPECT_EQ(scanned.event.time_ns, 12500);
  EXPECT_EQ(scanned.event.duration_ns, 3000);
  EXPECT_EQ(scanned.event.quoted_numbers, 2u);
  EXPECT_EQ(scanned.event.id, 0x1fu);
  EXPECT_EQ(scanned.event.args.stream, 0x7f);
  EXPECT_EQ(scanned.event.args.copy_bytes, 1024);
  EXPECT_EQ(scanned.event.args.correlation, UINT64_MAX);
  EXPECT_EQ(scanned.event.bad_numbers, 1u);
}

TEST(ScanEvent, BareWordsAreReadOverAndCounted) {
  const Scanned scanned(
      R"({"ts": NaN, "dur": inf, "args": {"stream": N/A, "device": -nan, "blocks per SM": inf, "x": nan}})");
  EXPECT_TRUE(scanned.event.time == Seen::kBad && scanned.event.duration == Seen::kBad);
  EXPECT_GE(scanned.event.bare_tokens, 3u);
  EXPECT_EQ(scanned.event.bad_numbers, 2u);
}

TEST(ScanEvent, NullIsAsIfTheKeyWereNotThere) {
  const Scanned scanned(R"({"name": null, "cat": null, "args": {"stream": null, "correlation": null}})");
  EXPECT_EQ(scanned.event.name, "");
  EXPECT_EQ(scanned.event.args.stream, -1);
  EXPECT_EQ(scanned.event.args.correlation, UINT64_MAX);
  EXPECT_EQ(scanned.event.bad_numbers, 0u);
}

TEST(ScanEvent, ValuesOfTheWrongKindAreReadOver) {
  const Scanned scanned(
      R"({"ph": 5, "name": ["a", {"b": "}"}], "cat": {}, "ts": [1], "dur": {"x": 2}, "args": "text", "id": []})");
  EXPECT_EQ(scanned.event.phase, '\0');
  EXPECT_EQ(scanned.event.name, "");
  EXPECT_TRUE(scanned.event.time == Seen::kBad && scanned.event.duration == Seen::kBad);
  EXPECT_TRUE(scanned.event.args.text.empty());
  const Scanned long_phase(R"({"ph": "XX"})"), empty_phase(R"({"ph": ""})");
  EXPECT_EQ(long_phase.event.phase, '\0');
  EXPECT_EQ(empty_phase.event.phase, '\0');
}

TEST(ScanEvent, IdsHave64Bits) {
  const Scanned scanned(R"({"pid": 18446744073709551615, "tid": -1, "id": 18446744073709551615,
      "args": {"correlation": 18446744073709551614, "stream": 4294967295, "External id": -1, "Addr": 9223372036854775808,
               "Bytes": -9223372036854775807, "Total Allocated": 18446744073709551616}})");
  EXPECT_EQ(scanned.event.process, "18446744073709551615");
  EXPECT_EQ(scanned.event.thread, "-1");
  EXPECT_EQ(scanned.event.id, UINT64_MAX);
  EXPECT_EQ(scanned.event.args.correlation, UINT64_MAX - 1);
  EXPECT_EQ(scanned.event.args.stream, 4294967295);
  EXPECT_EQ(scanned.event.args.external_id, UINT64_MAX);
  EXPECT_EQ(scanned.event.args.address, uint64_t{1} << 63);
  EXPECT_EQ(scanned.event.args.bytes, -INT64_MAX);
  EXPECT_EQ(scanned.event.args.total_allocated, INT64_MIN);  // as if missing
  EXPECT_EQ(scanned.event.bad_numbers, 1u);
}

TEST(ScanEvent, EveryFormOfATimeIsExact) {
  const std::pair<const char*, int64_t> cases[] = {{"0", 0},
                                                   {"999999999999999", 999999999999999000},
                                                   {"1712345678901234", 1712345678901234000},
                                                   {"1712345678901234.567", 1712345678901234567},
                                                   {"2251799813685247.999", 2251799813685247999},
                                                   {"2251799813685248.001", 2251799813685248001},
                                                   {"1.5", 1500},
                                                   {"1.50", 1500},
                                                   {"1.0010", 1001},
                                                   {"-3.5", -3500},
                                                   {"1e3", 1000000},
                                                   {"1.5E+2", 150000}};
  for (const auto& [digits, ns] : cases) {
    for (const char* behind : {"}", " }", "\n}", ",\"x\": 1}"}) {
      const Scanned scanned(std::string("{\"ts\": ") + digits + behind);
      EXPECT_EQ(scanned.event.time, Seen::kGood) << digits;
      EXPECT_EQ(scanned.event.time_ns, ns) << digits << behind;
      EXPECT_FALSE(scanned.event.inexact_time) << digits;
    }
  }
}

TEST(ScanEvent, EmptyObjectsAreEvents) {
  EXPECT_EQ(Scanned("{}").event.phase, '\0');
  EXPECT_EQ(Scanned("{ \n }").event.phase, '\0');
  EXPECT_EQ(Scanned(R"({"args": {}})").event.args.text, "{}");
  EXPECT_EQ(Scanned(R"({"": "", "args": { }})").event.args.text, "{ }");
}

TEST(ScanEvent, DeepNestingInArgsIsReadOver) {
  std::string deep = R"({"args": {"x": )" + std::string(200000, '[') + std::string(200000, ']') +
                     R"(, "stream": 3}, "ts": 1})";
  const Scanned scanned(deep);
  EXPECT_EQ(scanned.event.args.stream, 3);
  EXPECT_EQ(scanned.event.time_ns, 1000);
}

TEST(ScanEvent, BrokenEventsAreMalformed) {
  for (const char* json : {
           R"({"name": "a "quoted" name", "ts": 1})",  // quotes that were not escaped
           R"({"name": "a" "ts": 1})",                 // no comma
           R"({"name": "a",, "ts": 1})",
           R"({"name": "a",})",
           R"({"name"})",
           R"({"name": })",
           R"({"name": , "ts": 1})",
           R"({name: "a"})",
           R"({"args": {"x": 1,}})",
           R"({"ts": 1]})",
           R"({{}})",
           R"({5})",
       }) {
    RawEvent event;
    const Padded text(std::string(json) + ", {\"ph\": \"X\"}");
    EXPECT_EQ(scan_event(text.begin(), text.end(), event).status, ScanStatus::kMalformed) << json;
  }
}

TEST(ScanEvent, EveryPrefixIsIncomplete) {
  for (const std::string& json :
       {std::string(kKernel),
        std::string(R"({"ph":"X","args":{"a":[1,{"b":"c\"d"}],"correlation":12345678901234567890,)"
                    R"("stream":"0x12","Input Dims":[[],[2,3]]},"t\u0073":1.5e3,"dur":0.25,)"
                    R"("pid":"a\\","tid":-1,"name":"\ud83d"})")}) {
    for (size_t size = 1; size < json.size(); ++size) {
      RawEvent event;
      const Padded cut(json.substr(0, size)), whole(json);
      ASSERT_EQ(scan_event(cut.begin(), cut.end(), event).status, ScanStatus::kIncomplete)
          << json.substr(0, size);
      // The same when the text goes on behind the end.
      ASSERT_EQ(scan_event(whole.begin(), whole.begin() + size, event).status, ScanStatus::kIncomplete)
          << size;
    }
  }
}

// Chunks end anywhere: what is seen of an event may only say "incomplete" until it says what the whole says.
TEST(ScanEvent, APrefixNeverContradictsTheWhole) {
  std::mt19937 random(4);
  static constexpr std::string_view kPieces[] = {
      "\"",   "\\",   "{",           "}", "[",   "]",  ",",       ":",          " ",
      "1",    "-",    ".",           "e", "NaN", "\n", "\"ts\":", "\"args\":{", "\"ph\":\"X\"",
      "\x01", "\xff", "\"name\":\"a"};
  for (int round = 0; round < 5000; ++round) {
    std::string json = R"({"ph":"X","ts":12.5,"args":{"stream":7,"x":[1,"]"]},"name":"a"})";
    for (uint64_t i = 0, edits = 1 + random() % 3; i < edits; ++i) {
      const size_t at = 1 + random() % (json.size() - 1);
      if (random() % 2 == 0) json.erase(at, random() % 3);
      json.insert(std::min(at, json.size()), kPieces[random() % std::size(kPieces)]);
    }
    json += ", {\"ph\": \"X\"}]";
    const Padded whole(json);
    RawEvent event;
    const ScanResult result = scan_event(whole.begin(), whole.end(), event);
    for (size_t size = 1; size < json.size(); ++size) {
      const ScanResult prefix = scan_event(whole.begin(), whole.begin() + size, event);
      ASSERT_TRUE(prefix.status == ScanStatus::kIncomplete ||
                  (prefix.status == result.status && prefix.position == result.position))
          << json << "\n"
          << size << " " << static_cast<int>(prefix.status) << static_cast<int>(result.status);
    }
  }
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
