#include "ingest/native/part_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ingest/native/test_recording.h"

namespace skyline::ingest::native {
namespace {

using tracefile::EventKind;

// A recording with the id "one", whose process 77 has the thread 100.
TestRecording main_recording() {
  TestRecording r;
  r.meta["recording.id"] = "one";
  r.event(EventKind::kOp, "aten::mm", r.thread(100, "python"), 10, 100);
  return r;
}

// A part of a process, which has met its own thread once.
TestRecording part_of(const std::string& process, int64_t thread, const std::string& role) {
  TestRecording r;
  r.meta = {
      {"recording.id", "one"}, {"process.id", process}, {"process.role", role}, {"process.parent_id", "5"}};
  const uint32_t number = r.thread(thread);
  const uint32_t outer = r.stack(tracefile::kNoId, "train.py", "main", 3);
  r.sample(number, 50, r.stack(outer, "data.py", "__getitem__", 7));
  return r;
}

TEST(PartReader, WhatTheTrainersPartTellsOfAThreadIsOnTheThreadsTrack) {
  TestRecording r = main_recording();
  TestRecording part = part_of("77", 100, "trainer");
  part.pause(0, 40, 6);
  part.count(60, "cpu.user_ns", 12);
  part.settings = {{"torch.threads", "4"}};
  r.parts["trainer-77.part"] = part.bytes();
  const auto trace = r.read();
  ASSERT_EQ(trace->tracks.size(), 1u);
  ASSERT_EQ(trace->samples.size(), 1u);
  EXPECT_EQ(trace->samples.track[0], TrackId(0));
  EXPECT_EQ(trace->samples.time_ns[0] + trace->info.base_ns, TestRecording::kStartNs + 50);
  const StackId stack = trace->samples.stack[0];
  EXPECT_EQ(trace->strings[trace->frames.function[trace->stacks.frame[stack.value].value]], "__getitem__");
  EXPECT_TRUE(trace->stacks.parent[stack.value].exists());
  ASSERT_EQ(trace->gc_pauses.size(), 1u);
  EXPECT_EQ(trace->gc_pauses.dur_ns[0], 6);
  ASSERT_EQ(trace->process_counters.size(), 1u);
  EXPECT_EQ(trace->process_counters.value[0], 12);
  ASSERT_EQ(trace->settings.size(), 1u);
  EXPECT_EQ(trace->strings[trace->settings.value[0]], "4");
  ASSERT_EQ(trace->processes.size(), 1u);
  EXPECT_EQ(trace->processes.parent_pid[0], 5);
  EXPECT_EQ(trace->losses.total(Severity::kDataLoss), 0u);
}

TEST(PartReader, AWorkerIsAProcessWithTracksOfItsOwn) {
  TestRecording r = main_recording();
  TestRecording worker = part_of("80", 80, "DataLoader worker");
  worker.event(EventKind::kUserRange, "DataLoader.fetch", 0, 20, 30);
  r.parts["worker-80.part"] = worker.bytes();
  r.parts["trainer-77.part"] = part_of("77", 100, "trainer").bytes();
  const auto trace = r.read();
  ASSERT_EQ(trace->processes.size(), 2u);
  EXPECT_EQ(trace->strings[trace->processes.role[0]], "trainer");
  EXPECT_EQ(trace->processes.pid[1], 80);
  ASSERT_EQ(trace->tracks.size(), 2u);
  EXPECT_EQ(trace->strings[trace->tracks[1].process], "80");
  ASSERT_EQ(trace->slices.size(), 2u);
  EXPECT_EQ(trace->slice_name(SliceId(1)), "DataLoader.fetch");
  EXPECT_EQ(trace->slices.dur_ns[1], 30);
}

TEST(PartReader, PartsOfAnotherRecordingAreNoneOfOurs) {
  TestRecording r = main_recording();
  TestRecording part = part_of("77", 100, "trainer");
  part.meta["recording.id"] = "two";
  r.parts["trainer-77.part"] = part.bytes();
  const auto trace = r.read();
  EXPECT_EQ(trace->samples.size(), 0u);
  EXPECT_EQ(trace->processes.size(), 0u);
}

TEST(PartReader, APartThatWasCutTellsWhatItHasAndOneThatIsDamagedIsCounted) {
  TestRecording r = main_recording();
  TestRecording cut = part_of("77", 100, "trainer");
  cut.finished = false;
  r.parts["trainer-77.part"] = cut.bytes();
  r.parts["worker-9.part"] = "no part at all";
  const auto trace = r.read();
  EXPECT_EQ(trace->samples.size(), 1u);
  EXPECT_EQ(trace->losses[Loss::kDamagedChunk].count, 1u);
}

TEST(PartReader, PartsOfARecordingThatWasKilledLieBesideIt) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "part_reader_test";
  fs::remove_all(folder);
  fs::create_directories(folder / "run.skyline.parts");
  TestRecording r = main_recording();
  r.finished = false;
  r.write((folder / "run.skyline").string());
  part_of("77", 100, "trainer").write((folder / "run.skyline.parts/trainer-77.part").string());
  std::ofstream(folder / "run.skyline.parts/notes.txt") << "not a part";
  const Result<std::unique_ptr<const Trace>> trace =
      read_trace((folder / "run.skyline").string(), {.threads = 1});
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace.value()->samples.size(), 1u);
  const Result<std::vector<std::string>> found = find_traces({folder.string()});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().size(), 1u) << "a part is no trace";
  fs::remove_all(folder);
}

}  // namespace
}  // namespace skyline::ingest::native
