#include <gtest/gtest.h>

#include <algorithm>

#include "ingest/native/test_recording.h"

namespace skyline::ingest::native {
namespace {

using tracefile::EventKind;

TEST(RecordedReader, EventsBecomeNestedSlicesOfTheirThreads) {
  TestRecording r;
  const uint32_t main = r.thread(100, "MainThread"), other = r.thread(101);
  r.event(EventKind::kOp, "aten::mm", main, 30, 10);
  r.event(EventKind::kOp, "aten::linear", main, 20, 50);
  r.event(EventKind::kUserRange, "forward", main, 10, 100);
  r.event(EventKind::kBackward, "MmBackward0", other, 200, 10);
  const auto trace = r.read();
  ASSERT_EQ(trace->slices.size(), 4u);
  EXPECT_EQ(trace->slice_name(SliceId(0)), "forward");
  EXPECT_EQ(trace->slice_name(SliceId(1)), "aten::linear");
  EXPECT_EQ(trace->slice_name(SliceId(2)), "aten::mm");
  EXPECT_EQ(trace->slices.parent[2], SliceId(1));
  EXPECT_EQ(trace->category(SliceId(0)), Category::kUserAnnotation);
  EXPECT_EQ(trace->category(SliceId(3)), Category::kCpuOp);
  EXPECT_EQ(trace->slices.start_ns[0] + trace->info.base_ns, TestRecording::kStartNs + 10);
  EXPECT_EQ(trace->slices.dur_ns[1], 50);
  ASSERT_EQ(trace->tracks.size(), 2u);
  EXPECT_EQ(trace->strings[trace->tracks[0].process], "77");
  EXPECT_EQ(trace->strings[trace->tracks[0].thread], "100");
  EXPECT_EQ(trace->strings[trace->tracks[0].thread_name], "MainThread");
  EXPECT_EQ(trace->info.format, "skyline");
  EXPECT_EQ(trace->info.producer, "skyline test, PyTorch 2.13.0");
  EXPECT_EQ(trace->losses.total(Severity::kDataLoss), 0u);
}

TEST(RecordedReader, BackwardOpsFindTheirForwardOp) {
  TestRecording r;
  const uint32_t main = r.thread(100), autograd = r.thread(101);
  r.event(EventKind::kOp, "aten::mm", main, 10, 10).sequence = 5;
  TestRecording::Event& backward = r.event(EventKind::kBackward, "MmBackward0", autograd, 50, 10);
  backward.sequence = 5;
  backward.fwd_thread = 1;
  const auto trace = r.read();
  EXPECT_EQ(trace->ops.forward[1], SliceId(0));
}

TEST(RecordedReader, StepsComeFromTheirRanges) {
  TestRecording r;
  const uint32_t main = r.thread(100);
  r.event(EventKind::kStep, "ProfilerStep#3", main, 100, 50);
  r.event(EventKind::kStep, "ProfilerStep#4", main, 150, 60);
  const auto trace = r.read();
  ASSERT_EQ(trace->steps.size(), 2u);
  EXPECT_EQ(trace->steps[1].number, 4);
  EXPECT_EQ(trace->steps[1].dur_ns(), 60);
}

TEST(RecordedReader, OpsKnowTheirShapesStackAndModule) {
  TestRecording r;
  const uint32_t main = r.thread(100);
  const uint32_t linear = r.module("encoder.fc1", "Linear");
  const uint32_t outer = r.stack(tracefile::kNoId, "train.py", "main", 12);
  const uint32_t inner = r.stack(outer, "model.py", "forward", 34, linear);
  TestRecording::Event& op = r.event(EventKind::kOp, "aten::linear", main, 10, 10);
  op.shapes = r.shape("[[2,3]]", "[\"float\"]", "[[3,1]]");
  op.stack = inner;
  r.event(EventKind::kOp, "aten::add", main, 30, 1);
  const auto trace = r.read();
  EXPECT_EQ(trace->strings[trace->input_dims(0)], "[[2,3]]");
  EXPECT_EQ(trace->strings[trace->input_types(0)], "[\"float\"]");
  const StackId stack = trace->ops.stack_of(0);
  ASSERT_TRUE(stack.exists());
  const FrameId frame = trace->stacks.frame[stack.value];
  EXPECT_EQ(trace->strings[trace->frames.file[frame.value]], "model.py");
  EXPECT_EQ(trace->frames.line[frame.value], 34);
  EXPECT_TRUE(trace->stacks.parent[stack.value].exists());
  const ModuleId module = trace->ops.module_of(0);
  ASSERT_TRUE(module.exists());
  EXPECT_EQ(trace->strings[trace->modules.name[module.value]], "encoder.fc1");
  EXPECT_EQ(trace->strings[trace->modules.class_name[module.value]], "Linear");
  EXPECT_FALSE(trace->ops.stack_of(1).exists());
  EXPECT_FALSE(trace->ops.module_of(1).exists());
}

TEST(RecordedReader, TensorsThatTheProgramNamedAreKept) {
  TestRecording r;
  r.tensor(0, "fc.weight", "fc", 0x1000, 24, 40);
  r.tensor(4, "inputs[0]", "", 0x2000, 48, 50);
  r.tensor(200, "of a later program", "", 0x3000, 48, 50);
  const auto trace = r.read();
  const TensorTable& tensors = trace->tensors;
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors.role[0], TensorRole::kWeight);
  EXPECT_EQ(tensors.role[1], TensorRole::kInput);
  EXPECT_EQ(trace->strings[tensors.name[1]], "inputs[0]");
  EXPECT_EQ(trace->strings[tensors.module[0]], "fc");
  EXPECT_EQ(trace->strings[tensors.dims[0]], "[2,3]");
  EXPECT_EQ(tensors.address[1], 0x2000u);
  EXPECT_EQ(tensors.bytes[1], 48);
  EXPECT_EQ(tensors.time_ns[0] + trace->info.base_ns, TestRecording::kStartNs + 40);
  EXPECT_EQ(trace->losses[Loss::kUnknownId].count, 1u);
  EXPECT_EQ(trace->event_count, 0u);
}

TEST(RecordedReader, MemoryAndCollectivesAreKept) {
  TestRecording r;
  const uint32_t main = r.thread(100);
  r.memory(main, 15, 0x1000, 512, 512);
  r.memory(main, 25, 0x1000, -512, 0);
  r.event(EventKind::kOp, "record_param_comms", main, 10, 10).collective = r.collective("allreduce", 1024);
  const auto trace = r.read();
  ASSERT_EQ(trace->memory.size(), 2u);
  EXPECT_EQ(trace->memory.bytes[1], -512);
  EXPECT_EQ(trace->memory.total_reserved[0], kUnknownBytes);
  EXPECT_EQ(trace->memory.time_ns[0] + trace->info.base_ns, TestRecording::kStartNs + 15);
  ASSERT_EQ(trace->collectives.size(), 1u);
  EXPECT_EQ(trace->strings[trace->collectives.name[0]], "allreduce");
  EXPECT_EQ(trace->collectives.in_elements[0], 1024);
  EXPECT_EQ(trace->event_count, 3u);
}

TEST(RecordedReader, ReleasesAndTotalsAreCompletedAcrossThreadsAndRecordings) {
  TestRecording r;
  const uint32_t main = r.thread(100), other = r.thread(101);
  r.live_block(0x3000, 64);
  r.memory(main, 15, 0x1000, 512, tracefile::kNotSaid);
  r.memory(main, 35, 0x3000, 0, tracefile::kNotSaid);
  r.memory(other, 25, 0x1000, 0, tracefile::kNotSaid);
  r.memory(other, 45, 0x9000, 0, tracefile::kNotSaid);  // from before the first recording
  const auto trace = r.read();
  ASSERT_EQ(trace->memory.size(), 3u);
  EXPECT_EQ(trace->event_count, 3u);
  std::vector<std::pair<int64_t, int64_t>> rows;
  for (size_t i = 0; i < 3; ++i) rows.emplace_back(trace->memory.bytes[i], trace->memory.total_allocated[i]);
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(rows, (std::vector<std::pair<int64_t, int64_t>>{{-512, 64}, {-64, 0}, {512, 576}}));
}

TEST(RecordedReader, TheTextOfAnEventIsKinetos) {
  TestRecording r;
  r.meta["process.id"] = "77";
  const uint32_t main = r.thread(100);
  r.event(EventKind::kUserRange, "say \"hi\"\n", main, 5, 1);
  TestRecording::Event& op = r.event(EventKind::kOp, "aten::mm", main, 10, 1500);
  op.sequence = 3;
  op.shapes = r.shape("[[2,3]]", "[\"float\"]", "[[3,1]]");
  op.stack = r.stack(r.stack(tracefile::kNoId, "a.py", "main", 1), "b.py", "f", 2, r.module("fc", "Linear"));
  op.flags = tracefile::kFlagUnfinished;
  const auto trace = r.read();
  EXPECT_EQ(
      trace->args->event_text(trace->slices.source_place[1]).value(),
      "{\n"
      "    \"ph\": \"X\",\n"
      "    \"cat\": \"cpu_op\",\n"
      "    \"name\": \"aten::mm\",\n"
      "    \"pid\": 77,\n"
      "    \"tid\": 100,\n"
      "    \"ts\": 3813830000000.010,\n"
      "    \"dur\": 1.500\n"
      "    ,\n"
      "    \"args\": {\n"
      "      \"External id\": 2, \"Record function id\": 0, \"Sequence number\": 3, \"Fwd thread id\": 0, "
      "\"Input type\": [\"float\"], \"Input Strides\": [[3,1]], \"Input Dims\": [[2,3]], "
      "\"Call stack\": \"b.py(2): f;a.py(1): main\", \"Module Hierarchy\": \"fc\", \"finished\": false, "
      "\"Ev Idx\": 1\n"
      "    }\n"
      "  }");
  EXPECT_NE(trace->args->event_text(0).value().find(R"("name": "say \"hi\"\n")"), std::string::npos);
  EXPECT_FALSE(trace->args->event_text(2).ok());
}

TEST(RecordedReader, WhatTheRecorderLostIsCounted) {
  TestRecording r;
  r.losses = {{"recorder.dropped", 12}, {"recorder.new_kind", 3}};
  const auto trace = r.read();
  EXPECT_EQ(trace->losses[Loss::kDroppedEvents].count, 12u);
  EXPECT_EQ(trace->losses[Loss::kRecorderOther].count, 3u);
}

TEST(RecordedReader, ARecordingThatWasCutIsUsedAndSaysSo) {
  TestRecording r;
  r.event(EventKind::kOp, "aten::mm", r.thread(100), 10, 10);
  r.finished = false;
  const auto trace = r.read();
  EXPECT_EQ(trace->slices.size(), 1u);
  EXPECT_EQ(trace->losses[Loss::kTruncated].count, 1u);
}

TEST(RecordedReader, IdsThatNothingDefinesAreCountedAndTheEventsStay) {
  TestRecording r;
  const uint32_t main = r.thread(100);
  TestRecording::Event& op = r.event(EventKind::kOp, "aten::mm", main, 10, 10);
  op.name = 4'000'000'000;
  op.thread = 3'999'999'999;
  op.shapes = 99;
  op.collective = 98;
  const auto trace = r.read();
  ASSERT_EQ(trace->slices.size(), 1u);
  EXPECT_EQ(trace->slice_name(SliceId(0)), "unknown");
  EXPECT_EQ(trace->strings[trace->tracks[trace->slices.track[0].value].thread], "unknown 3999999999");
  EXPECT_EQ(trace->losses[Loss::kUnknownId].count, 4u);
}

TEST(RecordedReader, AbsurdTimesAreCountedAndNamesAreMadeValid) {
  TestRecording r;
  const uint32_t main = r.thread(100);
  r.event(EventKind::kOp, "aten::long", main, 10, UINT64_MAX);
  r.event(EventKind::kOp, "bad \xff name", main, UINT64_MAX - 5, 100);
  const auto trace = r.read();
  EXPECT_EQ(trace->losses[Loss::kBadTime].count, 1u);
  ASSERT_EQ(trace->slices.size(), 1u);
  EXPECT_EQ(trace->slice_name(SliceId(0)), "bad \xef\xbf\xbd name");
  EXPECT_EQ(trace->losses[Loss::kRepairedText].count, 1u);
}

TEST(RecordedReader, EveryPrefixOfAFileIsATraceOrOneSentence) {
  TestRecording r;
  const uint32_t main = r.thread(100);
  for (uint64_t i = 0; i < 20; ++i) r.event(EventKind::kOp, "aten::mm", main, i * 10, 5).stack = 0;
  r.stack(tracefile::kNoId, "a.py", "main", 1);
  const std::string bytes = r.bytes();
  for (size_t size = 8; size < bytes.size(); ++size) {
    const Result<std::unique_ptr<const Trace>> trace =
        read_trace_bytes(bytes.substr(0, size), "x", {.threads = 1});
    ASSERT_EQ(trace.ok(), size >= 64) << size;
    if (!trace.ok()) continue;
    ASSERT_EQ(trace.value()->losses[Loss::kTruncated].count, 1u) << size;
  }
}

TEST(RecordedReader, EveryFlippedByteIsCountedOrHarmless) {
  TestRecording r;
  const uint32_t main = r.thread(100);
  r.event(EventKind::kOp, "aten::mm", main, 10, 5).stack = r.stack(tracefile::kNoId, "a.py", "main", 1);
  r.memory(main, 15, 0x1000, 512, 512);
  const std::string bytes = r.bytes();
  for (size_t at = 64; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    const Result<std::unique_ptr<const Trace>> trace = read_trace_bytes(flipped, "x", {.threads = 1});
    ASSERT_TRUE(trace.ok());
    const Trace& t = *trace.value();
    const bool same =
        t.slices.size() == 1 && t.memory.size() == 1 && t.stacks.size() == 1 && t.tracks.size() == 1;
    ASSERT_TRUE(same || t.losses.total(Severity::kDataLoss) > 0) << at;
  }
}

}  // namespace
}  // namespace skyline::ingest::native
