#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <iterator>

#include "base/test_folder.h"
#include "ingest/ingest.h"
#include "ingest/native/test_recording.h"
#include "ingest/native/test_snapshot.h"
#include "ingest/text/test_pack.h"
#include "trace/builder.h"
#include "trace/test_dump.h"

namespace skyline::ingest {
namespace {

namespace fs = std::filesystem;
using native::snapshot;
using native::TestRecording;
using tracefile::EventKind;

size_t files_in(const TestFolder& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
}

using TracePtr = std::unique_ptr<const Trace>;

TracePtr read(const std::string& path, unsigned threads = 2) {
  Result<TracePtr> trace = read_trace(path, {.threads = threads});
  if (!trace.ok()) ADD_FAILURE() << trace.error().sentence;
  return std::move(trace).value();
}

TracePtr read_bytes(const std::string& bytes) {
  Result<TracePtr> trace = read_trace_bytes(bytes, "trace.json", {.threads = 2});
  if (!trace.ok()) ADD_FAILURE() << trace.error().sentence;
  return std::move(trace).value();
}

// One of everything that tables keep.
const std::string kJson = R"({
  "schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A100", "numSms": 108}], "record_shapes": 1,
  "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8}, "mine": "kept", "baseTimeNanoseconds": 1000,
  "traceEvents": [
  {"ph": "M", "name": "process_name", "ts": 0, "pid": 1, "tid": 0, "args": {"name": "python"}},
  {"ph": "M", "name": "thread_name", "ts": 0, "pid": 1, "tid": 2, "args": {"name": "main"}},
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#5", "pid": 1, "tid": 2, "ts": 1.5, "dur": 90.25, "args": {}},
  {"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_0", "pid": 1, "tid": 2, "ts": 2, "dur": 60,
   "args": {"Python id": 7, "Python module id": 0}},
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 3, "dur": 20,
   "args": {"External id": 11, "Sequence number": 4, "Fwd thread id": 0, "Input Dims": [[2, 3]], "Input type": ["float"], "odd": "π"}},
  {"ph": "X", "cat": "cpu_op", "name": "MmBackward0", "pid": 1, "tid": 3, "ts": 60, "dur": 5,
   "args": {"External id": 12, "Sequence number": 4, "Fwd thread id": 1}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 5, "dur": 1, "args": {"correlation": 9}},
  {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 8,
   "args": {"device": 0, "stream": 7, "correlation": 9, "Collective name": "allreduce", "Group size": 8, "Seq": 3,
            "grid": [8, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %": 25, "graph id": 1, "graph node id": 2}},
  {"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7, "ts": 95, "dur": 1,
   "args": {"cuda_sync_kind": "Stream Sync", "stream": 7, "correlation": 10}},
  {"ph": "X", "cat": "cpu_op", "name": "triton_0", "pid": 1, "tid": 2, "ts": 30, "dur": 2,
   "args": {"kernel_backend": "triton", "num_warps": 4, "Input Dims": [[2]], "Input Strides": [[1]], "Concrete Inputs": [""]}},
  {"ph": "X", "cat": "kernel", "name": "overlaps", "pid": 0, "tid": 7, "ts": 12, "dur": 80, "args": {"device": 0, "stream": 7}},
  {"ph": "i", "s": "t", "name": "[memory]", "cat": "cpu_instant_event", "pid": 1, "tid": 2, "ts": 4,
   "args": {"Bytes": 64, "Addr": 4096, "Device Type": 0, "Device Id": -1, "Total Allocated": 64}},
  {"ph": "C", "name": "util", "pid": 0, "tid": 0, "ts": 4, "args": {"gpu": 0.5}},
  {"ph": "s", "id": 1, "cat": "fwdbwd", "name": "fwdbwd", "pid": 1, "tid": 2, "ts": 3},
  {"ph": "f", "id": 1, "cat": "fwdbwd", "name": "fwdbwd", "pid": 1, "tid": 3, "ts": 60, "bp": "e"},
  {"ph": "X", "cat": "cpu_op", "name": "cut", "pid": 1, "tid": 2, "ts": 9}
  ],
  "traceName": "t.json"})";

TEST(WriteSkyline, ReadingItGivesTheSameTrace) {
  const TestFolder folder;
  const TracePtr before = read_bytes(kJson);
  ASSERT_TRUE(write_skyline(*before, folder / "t.skyline", {}).ok());
  for (const unsigned threads : {1u, 3u}) {
    const TracePtr after = read(folder / "t.skyline", threads);
    EXPECT_EQ(snapshot(*after), snapshot(*before));
    EXPECT_EQ(after->info.path, folder / "t.skyline");
    for (const uint64_t offset : before->slices.source_place) {
      EXPECT_EQ(after->args->event_text(offset).value(), before->args->event_text(offset).value());
    }
  }
}

TEST(WriteSkyline, TheBytesDoNotDependOnThreads) {
  const TestFolder folder;
  const TracePtr trace = read_bytes(kJson);
  ASSERT_TRUE(write_skyline(*trace, folder / "1", {.threads = 1}).ok());
  ASSERT_TRUE(write_skyline(*trace, folder / "5", {.threads = 5}).ok());
  EXPECT_EQ(read_file(folder / "1"), read_file(folder / "5"));
}

TEST(WriteSkyline, AnEmptyTraceSurvives) {
  const TestFolder folder;
  const TracePtr before = read_bytes(R"({"traceEvents": []})");
  ASSERT_TRUE(write_skyline(*before, folder / "t.skyline", {}).ok());
  EXPECT_EQ(snapshot(*read(folder / "t.skyline")), snapshot(*before));
}

// What no reader fills yet.
TracePtr trace_of_a_later_recorder() {
  TraceBuilder builder;
  Trace& draft = builder.draft;
  const auto text = [&](std::string_view of) { return draft.strings.intern(of); };
  draft.tracks.emplace_back().process = text("1");
  draft.frames.add({.file = text("a.py"), .function = text("f"), .line = 3});
  draft.stacks.add({.frame = FrameId(0)});
  draft.samples.add({.time_ns = 10, .track = TrackId(0), .stack = StackId(0)});
  draft.samples.add({.time_ns = 20, .track = TrackId(0)});
  draft.gc_pauses.add({.start_ns = 12, .dur_ns = 5, .track = TrackId(0), .generation = 2, .collected = 100});
  draft.gc_pauses.add({.start_ns = 30, .dur_ns = 1, .track = TrackId(0)});
  draft.processes.add({.pid = 1, .name = text("python"), .rank = 0, .role = text("trainer")});
  draft.processes.add({.pid = 7, .parent_pid = 1, .role = text("DataLoader worker")});
  draft.settings.add({.key = text("loader.num_workers"), .value = text("0")});
  draft.settings.add({.key = text("OMP_NUM_THREADS")});
  draft.process_counters.add({.time_ns = 15, .process = ProcessId(1), .name = text("rss"), .value = 0});
  draft.summaries = {{"skyline.figures", std::string("\0\xff{}", 4)}, {"empty", ""}};
  return std::move(builder).freeze(1);
}

TEST(WriteSkyline, TablesThatLaterRecordersFillSurvive) {
  const TestFolder folder;
  const TracePtr before = trace_of_a_later_recorder();
  ASSERT_TRUE(write_skyline(*before, folder / "t.skyline", {}).ok());
  const TracePtr after = read(folder / "t.skyline");
  EXPECT_EQ(snapshot(*after), snapshot(*before));
  EXPECT_NE(text_of(*after).find("gc_pauses.dur_ns: 5 1\n"), std::string::npos);
  EXPECT_EQ(after->samples.row(0), before->samples.row(0));
  EXPECT_FALSE(after->samples.stack[1].exists());
  EXPECT_EQ(after->gc_pauses.collected[1], -1);
  EXPECT_EQ(after->strings[after->processes.role[1]], "DataLoader worker");
  EXPECT_EQ(after->processes.rank[1], -1);
  EXPECT_EQ(after->strings[after->settings.value[0]], "0");
  EXPECT_FALSE(after->settings.value[1].exists());
  EXPECT_EQ(after->process_counters.value[0], 0);
  ASSERT_EQ(after->summaries.size(), 2u);
  EXPECT_EQ(after->summaries[0].name, "skyline.figures");
  EXPECT_EQ(after->summaries[0].bytes, std::string("\0\xff{}", 4));

  // Once more from the copy.
  ASSERT_TRUE(write_skyline(*after, folder / "again.skyline", {}).ok());
  EXPECT_EQ(snapshot(*read(folder / "again.skyline")), snapshot(*before));
}

TEST(WriteSkyline, SummariesAreTheLastThatStandsInTheFile) {
  const TestFolder folder;
  ASSERT_TRUE(write_skyline(*trace_of_a_later_recorder(), folder / "t.skyline", {}).ok());
  const Result<tracefile::Reader> file = tracefile::Reader::open(folder / "t.skyline");
  ASSERT_TRUE(file.ok());
  const auto chunks = file.value().chunks();
  ASSERT_GE(chunks.size(), 2u);
  EXPECT_EQ(chunks[chunks.size() - 1].table(), tracefile::TableId::kTraceSummaries);
  EXPECT_EQ(chunks[chunks.size() - 2].table(), tracefile::TableId::kTraceSummaries);
}

TEST(WriteSkyline, ARecordingKeepsEverythingThatWasRecorded) {
  TestRecording r;
  const uint32_t main = r.thread(100, "main");
  TestRecording::Event& op = r.event(EventKind::kOp, "aten::mm", main, 10, 20);
  op.stack = r.stack(tracefile::kNoId, "a.py", "f", 3, r.module("fc", "Linear"));
  op.shapes = r.shape("[[2,3]]", "[\"float\"]", "[[3,1]]");
  r.memory(main, 15, 0x1000, 512, 512);
  r.tensor(2, "fc.weight.grad", "fc", 0x1000, 512, 40);
  r.finished = false;
  const TracePtr before = r.read();
  const TestFolder folder;
  ASSERT_TRUE(write_skyline(*before, folder / "t.skyline", {}).ok());
  const TracePtr after = read(folder / "t.skyline");
  EXPECT_EQ(snapshot(*after), snapshot(*before));
  EXPECT_EQ(after->losses[Loss::kTruncated].count, 1u);
  EXPECT_EQ(after->args->event_text(0).value(), before->args->event_text(0).value());

  // Once more from the copy.
  ASSERT_TRUE(write_skyline(*after, folder / "again.skyline", {}).ok());
  EXPECT_EQ(snapshot(*read(folder / "again.skyline")), snapshot(*before));
}

// The counts of what is missing from a trace, by kind.
std::string lost(const Trace& trace) {
  std::string text;
  for (const LossKind& kind : kLosses) {
    const uint64_t count = trace.losses[kind.loss].count;
    if (kind.severity == Severity::kDataLoss && count > 0)
      text += std::string(kind.name) + " " + std::to_string(count) + "\n";
  }
  return text;
}

// From format to format, and never more or less of it.
void expect_kept_losses(const Trace& trace, const std::string& losses) {
  const TestFolder folder;
  EXPECT_EQ(lost(trace), losses);
  ASSERT_TRUE(write_kineto_json(trace, folder / "1.json", {}).ok());
  const TracePtr one = read(folder / "1.json");
  EXPECT_EQ(lost(*one), losses);
  ASSERT_TRUE(write_skyline(*one, folder / "2.skyline", {}).ok());
  const TracePtr two = read(folder / "2.skyline");
  EXPECT_EQ(lost(*two), losses);
  ASSERT_TRUE(write_kineto_json(*two, folder / "3.json.gz", {}).ok());
  EXPECT_EQ(lost(*read(folder / "3.json.gz")), losses);
}

TEST(WriteKinetoJson, ACutRecordingStaysCut) {
  TestRecording r;
  r.event(EventKind::kOp, "aten::mm", r.thread(100, "main"), 10, 20);
  r.losses = {{"recorder.dropped", 12}};
  r.finished = false;
  expect_kept_losses(*r.read(), "file.truncated 1\nrecorder.dropped 12\n");
}

TEST(WriteKinetoJson, DamagedTextStaysDamaged) {
  const std::string cut = kJson.substr(0, kJson.find("\"traceName\"") - 10);
  expect_kept_losses(*read_bytes(cut), "file.truncated 1\n");
  std::string unknown = kJson;
  for (size_t at = 0; (at = unknown.find("\"kernel\"", at)) != std::string::npos;)
    unknown.replace(at, 8, "\"work\"");
  expect_kept_losses(*read_bytes(unknown), "event.unknown_category 2\nslice.no_duration 1\n");
  expect_kept_losses(*read_bytes("[" + kJson.substr(kJson.find("{\"ph\"")) + " x"), "slice.no_duration 1\n");
}

// The text is whole then; what it was packed in is not.
TEST(WriteKinetoJson, ABrokenChecksumIsNotForgotten) {
  std::string packed = gzip(kJson);
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
  expect_kept_losses(*read_bytes(packed), "file.corrupt_stream 1\nslice.no_duration 1\n");
}

TEST(WriteKinetoJson, WhatACopyTellsOfLossesIsNotBelievedBlindly) {
  EXPECT_EQ(
      lost(*read_bytes(R"({"skylineLosses": {"file.truncated": 3, "none.such": 5}, "traceEvents": []})")),
      "file.truncated 3\n");
  EXPECT_EQ(lost(*read_bytes(R"({"skylineLosses": [1], "traceEvents": []})")), "");
  EXPECT_EQ(lost(*read_bytes(R"({"skylineLosses": {"file.truncated": -1}, "traceEvents": []})")), "");
}

TEST(WriteSkyline, DamagedTablesAreReadAgainFromTheText) {
  const TestFolder folder;
  const TracePtr before = read_bytes(kJson);
  ASSERT_TRUE(write_skyline(*before, folder / "t.skyline", {}).ok());
  const std::string bytes = read_file(folder / "t.skyline");
  size_t told = 0;
  for (size_t at = bytes.size() / 2; at < bytes.size(); at += 7) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    const Result<TracePtr> trace = read_trace_bytes(damaged, "t.skyline", {.threads = 1});
    ASSERT_TRUE(trace.ok()) << at << " " << trace.error().sentence;
    EXPECT_EQ(trace.value()->slices.size(), before->slices.size()) << at;
    told += trace.value()->losses[Loss::kCorruptStream].count;
  }
  EXPECT_GT(told, 10u);
}

TEST(WriteSkyline, EveryPrefixIsATraceOrOneSentence) {
  const TestFolder folder;
  ASSERT_TRUE(write_skyline(*read_bytes(kJson), folder / "t.skyline", {}).ok());
  const std::string bytes = read_file(folder / "t.skyline");
  for (size_t size = 8; size < bytes.size(); size += 5) {
    const Result<TracePtr> trace = read_trace_bytes(bytes.substr(0, size), "t.skyline", {.threads = 1});
    if (!trace.ok()) continue;
    EXPECT_GT(trace.value()->losses.total(Severity::kDataLoss), 0u) << size;
  }
}

TEST(WriteKinetoJson, GoodTextComesBackByteForByte) {
  const TestFolder folder;
  const std::string good =
      kJson.substr(0, kJson.find(",\n  {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"cut\"")) +
      "], \"traceName\": \"t.json\"}";
  const TracePtr trace = read_bytes(good);
  ASSERT_TRUE(write_skyline(*trace, folder / "t.skyline", {}).ok());
  const TracePtr kept = read(folder / "t.skyline");
  ASSERT_TRUE(write_kineto_json(*kept, folder / "t.json", {}).ok());
  EXPECT_EQ(read_file(folder / "t.json"), good);
  ASSERT_TRUE(write_kineto_json(*kept, folder / "t.json.gz", {}).ok());
  EXPECT_EQ(read_file(folder / "t.json.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(snapshot(*read(folder / "t.json.gz")), snapshot(*trace));
}

TEST(WriteKinetoJson, BrokenTextIsMadeWhole) {
  const std::string bad = R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "a "quoted" name", "pid": 1, "tid": 2, "ts": 3, "dur": 20, "args": {"External id": 5}}
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5.125, "dur": 1, "args": {"correlation": 3, "x": "kept"}},,
    {"ph": "i", "name": "[memory]", "pid": 1, "tid": 2, "ts": 4, "args": {"Bytes": 64}},
    {"ph": "X", "cat": "cpu_op", "na)";
  const TestFolder folder;
  const TracePtr before = read_bytes(bad);
  EXPECT_GT(before->losses.total(Severity::kDataLoss), 0u);
  ASSERT_TRUE(write_kineto_json(*before, folder / "t.json", {}).ok());
  const TracePtr after = read(folder / "t.json");
  EXPECT_EQ(lost(*after), "file.truncated 1\n") << "which cannot be mended";
  EXPECT_EQ(after->losses.total(Severity::kNotice), 0u);
  ASSERT_EQ(after->slices.size(), 2u);
  EXPECT_EQ(after->slice_name(SliceId(0)), "a \"quoted\" name");
  EXPECT_EQ(after->ops.external_id[0], 5u);
  EXPECT_EQ(after->slices.start_ns[1], 5125);
  EXPECT_EQ(after->memory.bytes[0], 64);
  EXPECT_NE(read_file(folder / "t.json").find("\"x\": \"kept\""), std::string::npos);
}

TEST(WriteKinetoJson, ARecordingReadsTheSameAsJson) {
  TestRecording r;
  const uint32_t main = r.thread(100, "main"), autograd = r.thread(101);
  r.meta["distributed.rank"] = "2";
  r.meta["record.shapes"] = "1";
  TestRecording::Event& forward = r.event(EventKind::kOp, "aten::mm", main, 30, 20);
  forward.sequence = 4;
  forward.shapes = r.shape("[[2,3]]", "[\"float\"]", "[[3,1]]");
  forward.stack = r.stack(tracefile::kNoId, "a \"b\".py", "f", 3);
  r.event(EventKind::kStep, "ProfilerStep#1", main, 10, 1000);
  TestRecording::Event& backward = r.event(EventKind::kBackward, "MmBackward0", autograd, 100, 50);
  backward.sequence = 4;
  backward.fwd_thread = 1;
  r.memory(main, 35, 0x1000, 512, 512);
  const TracePtr before = r.read();
  const TestFolder folder;
  ASSERT_TRUE(write_kineto_json(*before, folder / "t.json", {}).ok());
  const TracePtr after = read(folder / "t.json");
  EXPECT_EQ(after->losses.total(Severity::kDataLoss) + after->losses.total(Severity::kNotice), 0u);
  EXPECT_EQ(after->info.rank, 2);
  EXPECT_EQ(after->info.record_shapes, 1);
  EXPECT_EQ(after->info.base_ns, before->info.base_ns);
  ASSERT_EQ(after->slices.size(), before->slices.size());
  for (uint32_t i = 0; i < after->slices.size(); ++i) {
    EXPECT_EQ(after->slice_name(SliceId(i)), before->slice_name(SliceId(i)));
    EXPECT_EQ(after->slices.start_ns[i], before->slices.start_ns[i]);
    EXPECT_EQ(after->slices.dur_ns[i], before->slices.dur_ns[i]);
    EXPECT_EQ(after->slices.category[i], before->slices.category[i]);
    EXPECT_EQ(after->slices.parent[i], before->slices.parent[i]);
  }
  EXPECT_EQ(after->ops.forward[2], before->ops.forward[2]);
  EXPECT_TRUE(after->ops.forward[2].exists());
  EXPECT_EQ(after->strings[after->input_dims(1)], "[[2,3]]");
  EXPECT_EQ(after->steps.size(), 1u);
  EXPECT_EQ(after->memory.total_allocated[0], 512);
  EXPECT_EQ(after->strings[after->tracks[0].thread_name], "main");
}

TEST(WriteTrace, FilesAreNotReplacedUnlessAllowedAndNothingIsLeftBehind) {
  const TestFolder folder;
  const TracePtr trace = read_bytes(kJson);
  write_file(folder / "old.json", "precious");
  for (const auto write : {write_skyline, write_kineto_json}) {
    const Status refused = write(*trace, folder / "old.json", {});
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().sentence.find("exists already"), std::string::npos);
    EXPECT_EQ(read_file(folder / "old.json"), "precious");
    EXPECT_FALSE(write(*trace, folder / "no/such/folder.json", {}).ok());
  }
  ASSERT_TRUE(write_kineto_json(*trace, folder / "old.json", {.replace = true}).ok());
  EXPECT_NE(read_file(folder / "old.json"), "precious");
  EXPECT_EQ(files_in(folder), 1u);
}

}  // namespace
}  // namespace skyline::ingest
