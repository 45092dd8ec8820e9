#include "ingest/kineto_json/file_parser.h"

#include <gtest/gtest.h>

#include "trace/test_dump.h"

namespace skyline::ingest::kineto_json {
namespace {

struct Parsed {
  Parsed(std::string_view text, size_t chunk_bytes) {
    TraceBuilder builder;
    FileParser parser(builder, "t.json");
    Status status = Done{};
    for (size_t at = 0; at < text.size() && status.ok(); at += chunk_bytes) {
      status = parser.add(text.substr(at, chunk_bytes), nullptr, nullptr);
    }
    if (status.ok()) status = parser.finish();
    if (!status.ok()) {
      error = status.error().sentence;
      return;
    }
    trace = std::move(builder).freeze(1);
  }

  std::string outcome() const { return trace ? text_of(*trace) : error; }

  std::unique_ptr<const Trace> trace;
  std::string error;
};

// Reads the text in one piece, and makes sure that every way of cutting it gives the same.
Parsed parse(std::string_view text) {
  Parsed whole(text, std::max<size_t>(1, text.size()));
  for (const size_t chunk_bytes : {1, 2, 3, 7, 64, 500}) {
    const Parsed cut(text, chunk_bytes);
    EXPECT_EQ(cut.outcome(), whole.outcome()) << "in chunks of " << chunk_bytes << ":\n"
                                              << text.substr(0, 2000);
  }
  return whole;
}

// Reads a text that must be a trace; gives the names of its slices, each followed by a comma.
struct Read {
  explicit Read(std::string_view text) : parsed(parse(text)) {
    EXPECT_TRUE(parsed.trace) << parsed.error;
    if (!parsed.trace) return;
    std::vector<SliceId> in_file(parsed.trace->slices.size());
    for (uint32_t s = 0; s < in_file.size(); ++s) in_file[s] = SliceId(s);
    const Column<uint64_t>& offset = parsed.trace->slices.source_place;
    std::sort(in_file.begin(), in_file.end(),
              [&](SliceId a, SliceId b) { return offset[a.value] < offset[b.value]; });
    for (const SliceId slice : in_file) (names += parsed.trace->slice_name(slice)) += ',';
    for (const LossKind& kind : kLosses) {
      const uint64_t count = parsed.trace->losses[kind.loss].count;
      if (count > 0) (losses += kind.name) += " " + std::to_string(count) + ";";
    }
  }

  const TraceInfo& info() const { return parsed.trace->info; }
  uint64_t place(Loss loss) const { return parsed.trace->losses[loss].first_offset; }

  Parsed parsed;
  std::string names, losses;
};

std::string event(std::string_view name, int ts) {
  return R"({
    "ph": "X", "cat": "cpu_op", "name": ")" +
         std::string(name) + R"(", "pid": 1, "tid": 1,
    "ts": )" +
         std::to_string(ts) + R"(, "dur": 2
  })";
}

std::string events(std::initializer_list<std::string_view> names) {
  std::string text;
  int ts = 0;
  for (const std::string_view name : names) text += (text.empty() ? "" : ",\n  ") + event(name, ts += 10);
  return text;
}

TEST(FileParser, MetadataMayStandBeforeAndBehindTheEvents) {
  const Read read(R"({"schemaVersion": 1, "with_stack": 1, "traceEvents": [)" + events({"a", "b"}) +
                  R"(], "baseTimeNanoseconds": 1727367894000000000, "traceName": "/x/y.json"
})");
  EXPECT_EQ(read.names, "a,b,");
  EXPECT_EQ(read.losses, "");
  EXPECT_EQ(read.info().schema_version, 1);
  EXPECT_EQ(read.info().with_stack, 1);
  EXPECT_EQ(read.info().base_ns, 1727367894000000000);
  EXPECT_EQ(read.info().trace_name, "/x/y.json");
}

TEST(FileParser, ABareArrayIsATraceToo) {
  EXPECT_EQ(Read("[" + events({"a", "b"}) + "]").names, "a,b,");
  EXPECT_EQ(Read("[]").losses, "");
  EXPECT_EQ(Read(" \n[ ] \n ").losses, "");
}

TEST(FileParser, AByteOrderMarkIsPassedOver) {
  EXPECT_EQ(Read("\xef\xbb\xbf {\"traceEvents\": [" + events({"a"}) + "]}").names, "a,");
  EXPECT_EQ(Read("\xef\xbb\xbf[]").losses, "");
}

TEST(FileParser, KeysMayBeEscaped) {
  EXPECT_EQ(Read(R"({"tr\u0061ceEvents": [)" + events({"a"}) + "]}").names, "a,");
}

TEST(FileParser, AnEmptyListOfEventsIsATrace) {
  const Read read(R"({"traceEvents": []})");
  EXPECT_EQ(read.names, "");
  EXPECT_EQ(read.parsed.trace->event_count, 0u);
}

TEST(FileParser, WhatIsNoTraceIsSaidInOneSentence) {
  const std::pair<const char*, const char*> cases[] = {
      {"<html><body>Not found</body></html>", "is not a trace: it begins with `<html><body>Not found</b`"},
      {"\x7f"
       "ELF\x02\x01",
       "begins with `.ELF..`"},
      {"hello", "begins with `hello`"},
      {"\xef\xbb", "begins with `..`"},
      {"", "nothing but white space"},
      {" \n\t ", "nothing but white space"},
      {"{}", "has no traceEvents"},
      {R"({"a": 1, "b": [1, 2], "c": {"traceEvents": []}})", "has no traceEvents"},
      {R"({"traceEvents": {"a": 1}})", "traceEvents is `{\"a\": 1}}`, not a list"},
      {R"({"traceEvents": null})", "traceEvents is `null}`"},
      {"[1, 2, 3]", "a list, but not of events"},
      {R"(["a"])", "a list, but not of events"},
      {"{", "has no traceEvents"},
      {R"({"traceEv)", "has no traceEvents"},
  };
  for (const auto& [text, sentence] : cases) {
    const Parsed parsed = parse(text);
    EXPECT_FALSE(parsed.trace) << text;
    EXPECT_NE(parsed.error.find(sentence), std::string::npos) << parsed.error;
    EXPECT_TRUE(parsed.error.starts_with("t.json ")) << parsed.error;
    EXPECT_FALSE(parsed.error.ends_with('.')) << parsed.error;
  }
}

TEST(FileParser, CutAnywhereItGivesTheEventsBeforeTheCutOrAnError) {
  const std::string text =
      R"({"schemaVersion": 1, "deviceProperties": [{"id": 0}, {"id": 1}], "traceEvents": [)" +
      events({"a", "b", "c"}) + R"(], "traceName": "x"})";
  const size_t array = text.find("traceEvents\"") + 13;
  for (size_t size = 0; size < text.size(); ++size) {
    const Parsed parsed = parse(text.substr(0, size));
    if (size <= array + 1) {
      ASSERT_TRUE(!parsed.trace || parsed.trace->event_count == 0) << size;
      continue;
    }
    ASSERT_TRUE(parsed.trace) << text.substr(0, size) << parsed.error;
    ASSERT_EQ(parsed.trace->losses[Loss::kTruncated].count, 1u) << text.substr(0, size);
    ASSERT_LE(parsed.trace->losses[Loss::kTruncated].first_offset, size);
    ASSERT_EQ(parsed.trace->losses[Loss::kMalformedEvent].count, 0u) << text.substr(0, size);
    size_t whole = 0;  // events that end before the cut
    for (size_t at = text.find("2\n  }", array); at != std::string::npos && at + 5 <= size;
         at = text.find("2\n  }", at + 1))
      ++whole;
    ASSERT_EQ(parsed.trace->event_count, whole) << text.substr(0, size);
  }
}

TEST(FileParser, TruncationIsPlacedWhereTheFileEnds) {
  const std::string text = R"({"traceEvents": [)" + events({"a"});
  EXPECT_EQ(Read(text).place(Loss::kTruncated), text.size());
  EXPECT_EQ(Read(text + "\n").place(Loss::kTruncated), text.size() + 1);
}

TEST(FileParser, DamagedEventsCostOnlyThemselves) {
  const Read read(R"({"traceEvents": [)" + event("a", 10) + ",\n" + event("say \"b\"", 20) + "\n" +
                  event("c", 30) + ", 5,\n" + R"({"ph": "X", 5 6 : : }},)" + event("d", 40) + ",,\n" +
                  event("e", 50) + R"(,], "traceName": "x"})");
  EXPECT_EQ(read.names, "a,say \"b\",c,d,e,");
  EXPECT_EQ(
      read.losses,
      "event.malformed 1;event.repaired 1;json.missing_comma 1;json.extra_comma 2;event.not_an_object 1;");
  EXPECT_EQ(read.info().trace_name, "x");
}

TEST(FileParser, ListsOfObjectsInADamagedEventDoNotEndTheArray) {
  const Read read(R"({"traceEvents": [)" + event("a", 10) +
                  R"(, {"ph": "X", "name": "b, "args": {"x": [{"k": 1}, {"k": 2}], "y": 3}}, )" +
                  events({"c", "d"}) + R"(], "traceName": "x"})");
  EXPECT_TRUE(read.names.ends_with("c,d,")) << read.names;
  EXPECT_TRUE(read.names.starts_with("a,")) << read.names;
  EXPECT_EQ(read.info().trace_name, "x");
}

TEST(FileParser, AStrayBracketDoesNotEndTheEvents) {
  const Read read(R"({"traceEvents": [)" + events({"a", "b"}) + "], " + events({"c", "d"}) +
                  R"(], "traceName": "x"})");
  EXPECT_EQ(read.names, "a,b,c,d,");
  EXPECT_EQ(read.info().trace_name, "x");
}

// Kineto's own log lines, in arrays beside the events, were written unescaped until 2026.
TEST(FileParser, LogLinesWithBareQuotesDoNotHideWhatStandsBehindThem) {
  for (const char* log : {R"(["x "y" z"])", R"(["x "y z"])", R"(["x", "y", z])", R"(["x " "])",
                          R"("x "y" z")", R"(["x]", "y " z [{"])",
                          R"(["x",
    "INFO:2023-05-01 12:00:00 1:1 a.cpp:1] "quoted" and "unbalanced",
    "y"])"}) {
    for (const char* between : {", ", ",\n  "}) {
      const std::string keys = std::string("\"INFO\": ") + log + between + "\"WARNING\": " + log + between;
      const std::string behind = R"("baseTimeNanoseconds": 1727367894000000000, "traceName": "x.json"})";
      const std::string list = "\"traceEvents\": [" + events({"a", "b"}) + "]" + between;
      for (const std::string& text : {"{" + keys + list + behind, "{" + list + keys + behind}) {
        const Read read(text);
        EXPECT_EQ(read.names, "a,b,") << text;
        EXPECT_EQ(read.info().base_ns, 1727367894000000000) << text;
        EXPECT_EQ(read.info().trace_name, "x.json") << text;
        EXPECT_TRUE(read.losses.starts_with("metadata.unreadable")) << read.losses << text;
        EXPECT_EQ(read.losses.find("truncated"), std::string::npos) << read.losses << text;
      }
    }
  }
}

TEST(FileParser, BrokenMetadataAtTheEndIsNoTruncation) {
  const Read read(R"({"traceEvents": [)" + events({"a"}) + R"(], "INFO": ["x "y z"], "other": 1})");
  EXPECT_EQ(read.losses, "metadata.unreadable 1;");
}

TEST(FileParser, BytesBehindTheTraceAreCounted) {
  const Read read("{\"traceEvents\": []}\n  x y\n z  \n");
  EXPECT_EQ(read.losses, "file.trailing_bytes 3;");
  EXPECT_EQ(read.place(Loss::kTrailingBytes), 22u);
  EXPECT_EQ(Read("[]" + std::string(1000, ' ')).losses, "");
  EXPECT_EQ(Read(std::string("[]\0\0\0\0", 6)).losses, "file.trailing_bytes 4;");
}

TEST(FileParser, DeepNestingBesideTheEventsIsPassedOver) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  const std::string text = R"({"deep": )" + deep + R"(, "traceEvents": [)" + events({"a"}) + "]}";
  const Parsed parsed(text, 4096);
  ASSERT_TRUE(parsed.trace) << parsed.error;
  EXPECT_EQ(parsed.trace->slices.size(), 1u);
  EXPECT_EQ(parsed.trace->losses[Loss::kBadMetadata].count, 1u);
}

TEST(FileParser, AnEndlessKeyIsDamage) {
  const std::string text =
      "{\"" + std::string(100000, 'k') + R"(": 1, "traceEvents": [)" + events({"a"}) + "]}";
  for (const size_t chunk_bytes : {1000u, 4095u, 4096u, 4097u, 1000000u}) {
    const Parsed parsed(text, chunk_bytes);
    ASSERT_TRUE(parsed.trace) << parsed.error;
    EXPECT_EQ(parsed.trace->slices.size(), 1u);
    EXPECT_EQ(parsed.trace->losses[Loss::kBadMetadata].count, 1u);
  }
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
