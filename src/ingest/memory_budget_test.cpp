// Files that would need more memory than they may have: refused with a sentence, and before it is allocated.
#include <gtest/gtest.h>

#include "base/test_folder.h"
#include "ingest/ingest.h"
#include "ingest/native/stored_columns.h"
#include "ingest/text/test_pack.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest {
namespace {

constexpr uint64_t kMb = 1 << 20;

IngestOptions with_memory(uint64_t bytes, bool is_chosen = true) {
  IngestOptions options;
  options.threads = 2;
  options.memory = {bytes, is_chosen ? "--max-memory" : "three quarters of this machine's RAM", is_chosen};
  return options;
}

std::string outcome(std::string bytes, const IngestOptions& options) {
  const auto trace = read_trace_bytes(std::move(bytes), "t", options);
  return trace.ok() ? std::to_string(trace.value()->event_count) + " events" : trace.error().sentence;
}

std::string events(int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) {
    text += (i > 0 ? ",\n" : "") +
            std::string(R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":)") + std::to_string(i) +
            R"(,"dur":1})";
  }
  return text + "]";
}

TEST(MemoryBudget, TextWhoseTablesDoNotFitIsRefused) {
  const std::string text = events(100'000);
  for (const std::string& bytes : {text, gzip(text), zstd(text)}) {
    const std::string refusal = outcome(bytes, with_memory(2 * kMb));
    EXPECT_TRUE(refusal.starts_with("t would need about ")) << refusal;
    EXPECT_NE(refusal.find("may have 2.0 MiB (--max-memory); allow more with --max-memory"), refusal.npos)
        << refusal;
    EXPECT_EQ(outcome(bytes, with_memory(64 * kMb)), "100000 events");
  }
}

TEST(MemoryBudget, ATraceHoldsAboutWhatItWasAllowed) {
  const auto trace = read_trace_bytes(events(100'000), "t", with_memory(64 * kMb)).value();
  EXPECT_GT(held_bytes(*trace), 4 * kMb);
  EXPECT_LT(held_bytes(*trace), 32 * kMb);
}

TEST(MemoryBudget, TextThatUnpacksAThousandfoldIsNoTrace) {
  const std::string frame = zstd(std::string(8 * kMb, ' '));
  std::string bomb;
  for (int i = 0; i < 40; ++i) bomb += frame;  // 320 MB
  ASSERT_LT(bomb.size(), 100'000u);
  EXPECT_NE(outcome(bomb, {}).find("unpacks to more than a thousand times its size"), std::string::npos);
}

// A frame that says how much it holds is refused before it is unpacked: this one is not even whole.
TEST(MemoryBudget, AFrameThatPromisesTooMuchIsNotUnpacked) {
  std::string promise("\x28\xb5\x2f\xfd\xe0", 5);  // the size follows in 8 bytes, one segment
  for (const uint64_t size = uint64_t{3} << 30; promise.size() < 13;) {
    promise += static_cast<char>(size >> 8 * (promise.size() - 5) & 0xff);
  }
  EXPECT_NE(outcome(promise + std::string(100, '\0'), {}).find("a thousand times its size"),
            std::string::npos);
}

// Chunks of sixteen million rows each, in one column of zeros.
std::string many_rows(tracefile::TableId table, int chunks) {
  const TestFolder folder;
  const std::string path = folder / "rows.skyline";
  Result<tracefile::Writer> writer = tracefile::Writer::create(path);
  CHECK(writer.ok());
  const std::vector<uint8_t> zeros(tracefile::kMaxRows);
  if (table != tracefile::TableId::kEvents) {
    tracefile::ChunkBuilder info(tracefile::TableId::kTraceInfo);
    const std::string_view texts[] = {"a"};
    info.add(tracefile::trace_info::kKey, texts);
    info.add(tracefile::trace_info::kValue, texts);
    CHECK(writer.value().append(info).ok());
  }
  tracefile::ChunkBuilder chunk(table);
  if (table == tracefile::TableId::kEvents) {
    chunk.add(tracefile::events::kKind, zeros);
  } else {
    const auto slices = static_cast<uint16_t>(tracefile::TableId::kTraceSlices);
    chunk.add(native::file_column(slices, SliceTable::columns::category), zeros);
  }
  for (int i = 0; i < chunks; ++i) CHECK(writer.value().append(chunk).ok());
  CHECK(writer.value().finish().ok());
  return read_file(path);
}

TEST(MemoryBudget, AFewBytesThatAreBillionsOfRowsAreRefusedAtOnce) {
  const IngestOptions machine = with_memory(18 * 1024 * kMb, false);
  const std::string recording = many_rows(tracefile::TableId::kEvents, 20);
  ASSERT_LT(recording.size(), 50'000u);
  const std::string refusal = outcome(recording, machine);
  EXPECT_TRUE(refusal.starts_with("t would need about ")) << refusal;
  EXPECT_NE(refusal.find("a thousand times the file's size"), refusal.npos) << refusal;
  const std::string tables = many_rows(tracefile::TableId::kTraceSlices, 20);
  EXPECT_TRUE(outcome(tables, machine).starts_with("t would need about ")) << outcome(tables, machine);
}

}  // namespace
}  // namespace skyline::ingest
