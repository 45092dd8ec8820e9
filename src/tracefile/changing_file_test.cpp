// Files that somebody else changes after they were opened.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tracefile/test_file.h"

namespace skyline::tracefile {
namespace {

size_t unreadable_columns(const Reader& reader) {
  size_t count = 0;
  for (const Chunk& chunk : reader.chunks()) {
    for (const ColumnEntry& entry : chunk.entries()) count += chunk.raw(entry).ok() ? 0 : 1;
  }
  return count;
}

std::string said_of(const Reader& reader) {
  const Status same = reader.check_unchanged("x.skyline");
  return same.ok() ? "" : same.error().sentence;
}

constexpr std::string_view kSentence = "x.skyline was cut or rewritten while it was read; read it again";

TEST(ChangingFile, OneThatIsCutLosesItsColumnsAndSaysSo) {
  TestFolder folder;
  const std::string bytes = sample_bytes();
  for (size_t size = 0; size < bytes.size(); size += 50) {
    const std::string path = folder.write("x.skyline", bytes);
    const Result<Reader> reader = Reader::open(path);
    ASSERT_EQ(unreadable_columns(reader.value()), 0u);
    std::filesystem::resize_file(path, size);
    const bool lost_some = unreadable_columns(reader.value()) > 0;
    EXPECT_EQ(said_of(reader.value()), lost_some ? kSentence : "") << size;
    EXPECT_TRUE(lost_some || size > bytes.size() / 2) << size;
    EXPECT_EQ(reader.value().chunks()[0].payload().ok(), size >= reader.value().chunks()[1].offset());
  }
}

TEST(ChangingFile, OneThatIsRewrittenSaysSo) {
  TestFolder folder;
  const std::string path = folder.write("x.skyline", sample_bytes());
  const Result<Reader> reader = Reader::open(path);
  std::string longer = sample_bytes();
  longer.insert(longer.size() / 3, 1000, 'x');
  write_file(path, longer);
  EXPECT_GT(unreadable_columns(reader.value()), 0u);
  EXPECT_EQ(said_of(reader.value()), kSentence);
}

TEST(ChangingFile, OneThatGrowsIsReadAsItWas) {
  TestFolder folder;
  const std::string path = folder / "x.skyline";
  Result<Writer> writer = Writer::create(path);
  ASSERT_TRUE(writer.value().append(events_chunk(100)).ok());
  const Result<Reader> reader = Reader::open(path);
  ASSERT_TRUE(writer.value().append(events_chunk(200)).ok() && writer.value().finish().ok());
  EXPECT_EQ(reader.value().chunks().size(), 1u);
  EXPECT_EQ(unreadable_columns(reader.value()), 0u);
  EXPECT_EQ(said_of(reader.value()), "");
}

TEST(ChangingFile, DamageThatWasThereBeforeIsNoChange) {
  TestFolder folder;
  std::string bytes = sample_bytes();
  const uint64_t second = Reader::over(bytes, "whole").value().chunks()[1].offset();
  bytes[second - 9] = static_cast<char>(bytes[second - 9] ^ 1);
  const Result<Reader> reader = Reader::open(folder.write("x.skyline", bytes));
  EXPECT_EQ(unreadable_columns(reader.value()), 1u);
  EXPECT_EQ(said_of(reader.value()), "");
}

}  // namespace
}  // namespace skyline::tracefile
