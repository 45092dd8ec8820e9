#include "ingest/ingest.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/test_folder.h"
#include "ingest/test_traces.h"
#include "ingest/text/test_pack.h"
#include "trace/test_dump.h"

namespace skyline::ingest {
namespace {

std::string outcome(std::string bytes, unsigned threads, size_t chunk_bytes) {
  IngestOptions options;
  options.threads = threads;
  options.chunk_bytes = chunk_bytes;
  const Result<std::unique_ptr<const Trace>> trace = read_trace_bytes(std::move(bytes), "t.json", options);
  return trace.ok() ? text_of(*trace.value()) : trace.error().sentence;
}

std::unique_ptr<const Trace> read_whole(std::string bytes) {
  Result<std::unique_ptr<const Trace>> trace = read_trace_bytes(std::move(bytes), "t.json", {});
  EXPECT_TRUE(trace.ok()) << trace.error().sentence;
  return trace.ok() ? std::move(trace).value() : nullptr;
}

void expect_same_for_any_threads_and_chunks(const std::string& text) {
  const std::string one = outcome(text, 1, 1 << 20);
  for (const unsigned threads : {1u, 2u, 8u}) {
    for (const size_t chunk_bytes : {1, 7, 64, 4096, 1 << 20}) {
      ASSERT_EQ(outcome(text, threads, chunk_bytes), one)
          << threads << " threads, chunks of " << chunk_bytes << "\n"
          << text;
    }
  }
}

TEST(ReadTrace, IsTheSameForAnyNumberOfThreadsAndAnyChunks) {
  for (unsigned seed = 0; seed < 6; ++seed)
    expect_same_for_any_threads_and_chunks(TestTraces(seed).trace(60, false));
}

TEST(ReadTrace, IsTheSameForAnyNumberOfThreadsAndAnyChunksOfADamagedFile) {
  for (unsigned seed = 0; seed < 15; ++seed)
    expect_same_for_any_threads_and_chunks(TestTraces(seed).trace(30, true));
}

TEST(ReadTrace, ALongerFileIsTheSameForManyThreads) {
  const std::string text = TestTraces(99).trace(20000, false);
  const std::string one = outcome(text, 1, 1 << 20);
  EXPECT_TRUE(outcome(text, 4, 5000) == one);
  EXPECT_TRUE(outcome(text, 2, 100000) == one);
}

TEST(ReadTrace, IsTheSameFromPlainGzipAndZstd) {
  const std::string text = TestTraces(5).trace(3000, false);
  const std::string plain = outcome(text, 2, 1 << 16);
  EXPECT_TRUE(outcome(gzip(text), 2, 1 << 16) == plain);
  EXPECT_TRUE(outcome(zstd(text), 2, 1 << 16) == plain);
}

TEST(ReadTrace, RepairedTextsAreCountedOncePerEventWhateverTheChunks) {
  std::string text = "[";
  for (int i = 0; i < 10; ++i)
    text += R"({"ph": "X", "name": "a", "pid": "\ud83d", "tid": 1, "ts": 1, "dur": 1}, )";
  text += "{}]";
  EXPECT_EQ(read_whole(text)->losses[Loss::kRepairedText].count, 10u);
  expect_same_for_any_threads_and_chunks(text);
}

std::string slice_of(const std::string& category) {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}, )";
}

TEST(ReadTrace, UnknownCategoriesAreCountedAndTheMostFrequentNamed) {
  const std::string arrow = R"({"ph": "s", "cat": "ac3g", "id": 1, "pid": 1, "tid": 1, "ts": 1}, )";
  const std::string text = "[" + slice_of("b") + slice_of("gpu_kernel") + slice_of("cpu_op") +
                           slice_of("gpu_kernel") + slice_of("") + slice_of("c") + slice_of("d") + arrow +
                           "{}]";
  const std::unique_ptr<const Trace> trace = read_whole(text);
  EXPECT_EQ(trace->losses[Loss::kUnknownCategory].count, 7u);
  EXPECT_EQ(trace->losses[Loss::kUnknownCategory].first_offset, 1u);
  EXPECT_EQ(trace->losses[Loss::kUnknownCategory].detail, "gpu_kernel 2, b 1, c 1, d 1 and 2 more");
  expect_same_for_any_threads_and_chunks(text);
}

TEST(ReadTrace, WhatNeedsNoCategoryOrHasAKnownOneIsNotCounted) {
  const std::unique_ptr<const Trace> trace = read_whole(
      "[" + slice_of("Kernel") + slice_of("collective_comm") +
      R"({"ph": "i", "cat": "my_marks", "name": "[memory]", "pid": 1, "tid": 1, "ts": 1, "args": {"Bytes": 1}},
         {"ph": "C", "cat": "my_counters", "name": "c", "pid": 1, "tid": 1, "ts": 1, "args": {"v": 1}},
         {"ph": "M", "cat": "__metadata", "name": "process_name", "pid": 1, "args": {"name": "p"}},
         {"ph": "s", "id": 1, "pid": 1, "tid": 1, "ts": 1}, {"ph": "s", "cat": "async_cpu_to_gpu", "id": 1, "ts": 1}])");
  EXPECT_EQ(trace->losses[Loss::kUnknownCategory].count, 0u);
  EXPECT_EQ(trace->losses[Loss::kUnknownCategory].detail, "");
}

TEST(ReadTrace, ALongEventIsTheSameForAnyChunks) {
  std::string text = "[" + slice_of("cpu_op") + R"({"ph": "X", "args": {"list": [)";
  while (text.size() < (16u << 20) + 5000) text += R"({"a": "x"}, )";
  text += "1]}}, " + slice_of("cpu_op") + "{}]";
  const std::string one = outcome(text, 1, 32 << 20);
  EXPECT_NE(one.find("loss event.too_long 1 at "), std::string::npos);
  EXPECT_EQ(one.find("event.malformed"), std::string::npos);
  for (const size_t chunk_bytes : {100'000, 1 << 20}) EXPECT_TRUE(outcome(text, 2, chunk_bytes) == one);
}

TEST(ReadTrace, EveryPrefixGivesATraceOrAnError) {
  const std::string text = TestTraces(3).trace(6, false);
  for (size_t size = 0; size < text.size(); ++size) {
    const std::string one = outcome(text.substr(0, size), 1, 1 << 14);
    ASSERT_FALSE(one.empty());
    ASSERT_EQ(outcome(text.substr(0, size), 2, 50), one) << text.substr(0, size);
  }
}

TEST(ReadTrace, AGzipCutAnywhereGivesATraceOrAnError) {
  const std::string packed = gzip(TestTraces(3).trace(6, false));
  for (size_t size = 0; size < packed.size(); size += 3) {
    const std::string one = outcome(packed.substr(0, size), 1, 1 << 14);
    ASSERT_FALSE(one.empty());
    ASSERT_EQ(outcome(packed.substr(0, size), 2, 50), one) << size;
  }
}

TEST(ReadTrace, ADamagedGzipIsSaidToBeOne) {
  const std::string text = TestTraces(3).trace(400, false), packed = gzip(text);
  const std::unique_ptr<const Trace> truncated = read_whole(packed.substr(0, packed.size() / 2));
  ASSERT_TRUE(truncated);
  EXPECT_GT(truncated->event_count, 0u);
  EXPECT_EQ(truncated->losses[Loss::kTruncated].count, 1u);
  std::string flipped = packed;
  flipped[packed.size() - 6] = static_cast<char>(flipped[packed.size() - 6] ^ 1);  // in the checksum
  const std::unique_ptr<const Trace> corrupt = read_whole(flipped);
  ASSERT_TRUE(corrupt);
  EXPECT_EQ(corrupt->losses[Loss::kCorruptStream].count, 1u);
  EXPECT_EQ(outcome(packed.substr(0, 30), 1, 100),
            "t.json is cut off or damaged before its first event (gzip data); copy or record it again");
}

TEST(ReadTrace, EveryEventsTextCanBeHadAgain) {
  const std::string text = TestTraces(8).trace(300, false);
  for (const std::string& bytes : {text, gzip(text), zstd(text)}) {
    const std::unique_ptr<const Trace> trace = read_whole(bytes);
    ASSERT_TRUE(trace && trace->slices.size() > 50);
    for (const uint64_t offset : trace->slices.source_place) {
      const Result<std::string> event = trace->args->event_text(offset);
      ASSERT_TRUE(event.ok()) << event.error().sentence;
      ASSERT_EQ(text.substr(offset, event.value().size()), event.value());
      ASSERT_TRUE(event.value().starts_with('{') && event.value().ends_with('}'));
    }
    EXPECT_FALSE(trace->args->event_text(text.size() + 5).ok());
    EXPECT_FALSE(trace->args->event_text(1).ok());
  }
}

TEST(ReadTrace, ARepairedEventsTextIsTheRepairedOne) {
  const std::unique_ptr<const Trace> trace = read_whole(
      R"([{"ph": "X", "name": "a "b" {[", "pid": 1, "tid": 1, "ts": 1, "dur": 2}, {"ph": "X", "ts": 1, "dur": 1}])");
  ASSERT_EQ(trace->slices.size(), 2u);
  for (uint32_t s = 0; s < 2; ++s) {
    if (trace->slices.source_place[s] != 1) continue;
    EXPECT_EQ(trace->args->event_text(1).value(),
              R"({"ph": "X", "name": "a \"b\" {[", "pid": 1, "tid": 1, "ts": 1, "dur": 2})");
  }
}

TEST(ReadTrace, ProgressGrowsToTheSizeOfTheSource) {
  const std::string packed = gzip(TestTraces(5).trace(5000, false));
  uint64_t last = 0, total = 0;
  std::atomic<int> at_once = 0;
  IngestOptions options;
  options.threads = 4;
  options.chunk_bytes = 10000;
  options.progress = [&](uint64_t done_bytes, uint64_t total_bytes) {
    EXPECT_EQ(++at_once, 1);
    EXPECT_GE(done_bytes, last);
    last = done_bytes;
    total = total_bytes;
    --at_once;
  };
  ASSERT_TRUE(read_trace_bytes(packed, "t", options).ok());
  EXPECT_EQ(total, packed.size());
  EXPECT_LE(last, total);
  EXPECT_GT(last, 0u);
}

TEST(ReadTrace, TimesOutOfRangeAreCountedNotAddedUp) {
  const std::unique_ptr<const Trace> trace = read_whole(R"([
    {"ph": "X", "name": "late", "pid": 1, "tid": 1, "ts": 4611686018427387.903, "dur": 9007199254740.991},
    {"ph": "X", "name": "early", "pid": 1, "tid": 1, "ts": -2305843009213693.951, "dur": 1},
    {"ph": "X", "name": "too late", "pid": 1, "tid": 1, "ts": 4611686018427387.904, "dur": 1},
    {"ph": "X", "name": "too early", "pid": 1, "tid": 1, "ts": -2305843009213693.952, "dur": 1},
    {"ph": "X", "name": "too long", "pid": 1, "tid": 1, "ts": 1, "dur": 9007199254740.992},
    {"ph": "X", "name": "huge", "pid": 1, "tid": 1, "ts": 1e300, "dur": 1e300}])");
  EXPECT_EQ(trace->slices.size(), 2u);
  EXPECT_EQ(trace->losses[Loss::kBadTime].count, 4u);
  EXPECT_GT(trace->last_ns - trace->first_ns, 0);  // does not overflow
}

TEST(ReadTrace, NumbersThatAreNoneAreCountedNotRead) {
  const std::unique_ptr<const Trace> trace = read_whole(R"([
    {"ph": "C", "name": "c", "pid": 1, "tid": 1, "ts": 1, "args": {"a": 1e400, "b": NaN, "c": inf, "d": "5", "e": -2.5e-3}},
    {"ph": "C", "name": "c", "pid": 1, "tid": 1, "ts": 2, "args": {"a": nan}}])");
  ASSERT_EQ(trace->counters.size(), 1u);
  EXPECT_EQ(trace->counters.value[0], -2.5e-3);
  EXPECT_EQ(trace->losses[Loss::kBadCounter].count, 1u);
}

TEST(ReadTrace, FilesThatDoNotExistAreNamed) {
  const Result<std::unique_ptr<const Trace>> trace = read_trace("/no/such/trace.json", {});
  ASSERT_FALSE(trace.ok());
  EXPECT_NE(trace.error().sentence.find("/no/such/trace.json"), std::string::npos);
}

TEST(ReadTraces, AFileOfOneProcessIsAListOfOne) {
  const TestFolder folder;
  folder.write("t.json", R"({"traceEvents": []})");
  const Result<Traces> traces = read_traces(folder / "t.json", {.threads = 1});
  ASSERT_TRUE(traces.ok());
  ASSERT_EQ(traces.value().size(), 1u);
  EXPECT_EQ(traces.value()[0]->info.path, folder / "t.json");
  EXPECT_FALSE(read_traces(folder / "none.json", {}).ok());
}

}  // namespace
}  // namespace skyline::ingest
