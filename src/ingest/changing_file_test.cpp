// Files that somebody else changes while they are read.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_folder.h"
#include "ingest/native/native_reader.h"
#include "ingest/native/test_recording.h"
#include "ingest/text/test_pack.h"

namespace skyline::ingest {
namespace {

constexpr int kEvents = 5000;

native::TestRecording recording() {
  native::TestRecording made;
  const uint32_t thread = made.thread(100, "main");
  for (uint64_t i = 0; i < kEvents; ++i)
    made.event(tracefile::EventKind::kOp, "op " + std::to_string(i * i), thread, 10 * i * i, 5 + i % 7);
  return made;
}

std::string json_text() {
  std::string text = "[";
  for (int i = 0; i < kEvents; ++i) {
    text += R"({"ph": "X", "cat": "cpu_op", "name": "op )" + std::to_string(i * 7919) +
            R"(", "pid": 1, "tid": 1, "ts": )" + std::to_string(i) + R"(, "dur": 1},)";
  }
  return text + "{}]";
}

std::shared_ptr<const tracefile::Reader> open(const std::string& path) {
  return std::make_shared<const tracefile::Reader>(tracefile::Reader::open(path).value());
}

TEST(ChangingTrace, ARecordingThatIsCutWhileItIsReadIsOneSentence) {
  TestFolder folder;
  const std::string path = folder / "x.skyline", converted = folder / "converted.skyline";
  recording().write(path);
  ASSERT_TRUE(write_skyline(*read_trace(path, {}).value(), converted, {}).ok());
  for (const std::string& name : {path, converted}) {
    const std::shared_ptr<const tracefile::Reader> file = open(name);
    std::filesystem::resize_file(name, 100);
    const Result<std::unique_ptr<const Trace>> trace = native::read_opened(file, name, {.threads = 2});
    ASSERT_FALSE(trace.ok());
    EXPECT_EQ(trace.error().sentence, name + " was cut or rewritten while it was read; read it again");
  }
}

TEST(ChangingTrace, TheArgsOfARecordingThatWasCutAreAnErrorAndNoMore) {
  TestFolder folder;
  const std::string path = folder / "x.skyline";
  recording().write(path);
  const std::unique_ptr<const Trace> trace = read_trace(path, {}).value();
  ASSERT_TRUE(trace->args->event_text(trace->slices.source_place[0]).ok());
  const std::unique_ptr<const Trace> cut = read_trace(path, {}).value();
  std::filesystem::resize_file(path, 0);
  const Result<std::string> text = cut->args->event_text(cut->slices.source_place[0]);
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().sentence, "the file was cut or rewritten while it was read; read it again");
  EXPECT_EQ(write_skyline(*cut, folder / "copy.skyline", {}).error().sentence,
            "the file was cut or rewritten while it was read; read it again");
}

// Progress is told while the file is read: there it is cut.
TEST(ChangingTrace, ATextThatIsCutWhileItIsReadHasLostSomethingAndSaysWhy) {
  TestFolder folder;
  const std::string text = json_text();
  for (const std::string& bytes : {text, gzip(text), zstd(text)}) {
    const std::string path = folder.write("x.json", bytes);
    IngestOptions options = {.threads = 2, .chunk_bytes = 1000};
    options.progress = [&](uint64_t, uint64_t) { std::filesystem::resize_file(path, bytes.size() / 2); };
    const Result<std::unique_ptr<const Trace>> trace = read_trace(path, options);
    ASSERT_TRUE(trace.ok()) << trace.error().sentence;
    EXPECT_EQ(trace.value()->losses[Loss::kChanged].count, 1u);
    EXPECT_EQ(read_trace(path, {}).value()->losses[Loss::kChanged].count, 0u);
  }
}

}  // namespace
}  // namespace skyline::ingest
