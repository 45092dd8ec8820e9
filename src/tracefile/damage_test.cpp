#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tracefile/checksum.h"
#include "tracefile/test_file.h"

namespace skyline::tracefile {
namespace {

// Everything that can be read of some bytes, as text; what is damaged is left out and counted.
struct Contents {
  std::vector<std::string> columns;
  size_t damaged = 0;
  Ending ending;
};

Contents contents_of(const Reader& reader) {
  Contents contents;
  contents.ending = reader.ending();
  for (const Chunk& chunk : reader.chunks()) {
    for (const ColumnEntry& entry : chunk.entries()) {
      const Result<Column<char>> raw = chunk.raw(entry);
      contents.damaged += raw.ok() ? 0 : 1;
      if (raw.ok()) contents.columns.emplace_back(raw.value().data(), raw.value().size());
    }
  }
  return contents;
}

TEST(Damage, EveryPrefixIsReadableUpToItsLastWholeChunk) {
  const std::string bytes = sample_bytes();
  const Result<Reader> whole = Reader::over(bytes, "whole");
  std::vector<uint64_t> ends;
  for (const Chunk& chunk : whole.value().chunks().subspan(1)) ends.push_back(chunk.offset());
  ends.push_back(bytes.size() - (sizeof(ChunkHeader) + sizeof(ColumnEntry) + 8));
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Result<Reader> reader = Reader::over(bytes.substr(0, size), "prefix");
    ASSERT_EQ(reader.ok(), size >= sizeof(FileHeader)) << size;
    if (!reader.ok()) continue;
    const auto expected = static_cast<size_t>(
        std::count_if(ends.begin(), ends.end(), [&](uint64_t end) { return end <= size; }));
    ASSERT_EQ(reader.value().chunks().size(), expected) << size;
    ASSERT_EQ(contents_of(reader.value()).damaged, 0u) << size;
    ASSERT_EQ(reader.value().ending().kind, Ending::Kind::kTruncated) << size;
  }
}

TEST(Damage, EveryFlippedByteIsDetectedOrHarmless) {
  const std::string bytes = sample_bytes();
  const Contents whole = contents_of(Reader::over(bytes, "whole").value());
  EXPECT_EQ(whole.ending.kind, Ending::Kind::kComplete);
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ flip);
      const Result<Reader> reader = Reader::over(flipped, "flipped");
      if (!reader.ok()) continue;
      const Contents contents = contents_of(reader.value());
      const bool detected = contents.damaged > 0 || contents.ending.kind != Ending::Kind::kComplete;
      ASSERT_TRUE(detected || contents.columns == whole.columns) << at;
    }
  }
}

TEST(Damage, AColumnThatIsDamagedLeavesTheOthersReadable) {
  std::string bytes = sample_bytes();
  const Result<Reader> whole = Reader::over(bytes, "whole");
  const uint64_t last_byte_of_second_chunk = whole.value().chunks()[2].offset() - 8;
  bytes[last_byte_of_second_chunk] = static_cast<char>(bytes[last_byte_of_second_chunk] ^ 1);
  const Result<Reader> reader = Reader::over(bytes, "damaged");
  ASSERT_EQ(reader.value().chunks().size(), 3u);
  const Chunk& chunk = reader.value().chunks()[1];
  EXPECT_TRUE(chunk.column(events::kStartTicks).ok());
  const Result<Column<uint8_t>> kinds = chunk.column(events::kKind);
  ASSERT_FALSE(kinds.ok());
  EXPECT_NE(kinds.error().sentence.find("wrong checksum"), std::string::npos);
  EXPECT_TRUE(reader.value().chunks()[2].column(events::kKind).ok());
}

TEST(Damage, AChunkOfAnotherPlaceDoesNotStandIn) {
  const std::string bytes = sample_bytes();
  const Result<Reader> whole = Reader::over(bytes, "whole");
  const uint64_t second = whole.value().chunks()[1].offset(), third = whole.value().chunks()[2].offset();
  const std::string without_second = bytes.substr(0, second) + bytes.substr(third);
  const Result<Reader> reader = Reader::over(without_second, "without");
  EXPECT_EQ(reader.value().chunks().size(), 1u);
  EXPECT_EQ(reader.value().ending().kind, Ending::Kind::kDamaged);
}

TEST(Damage, BytesBehindTheEndAreCounted) {
  const Result<Reader> reader = Reader::over(sample_bytes() + "tail", "longer");
  EXPECT_EQ(reader.value().ending().kind, Ending::Kind::kComplete);
  EXPECT_EQ(reader.value().ending().rest_bytes, 4u);
}

// The bytes of the sample with its first chunk's header and entries changed and signed again.
template <typename Change>
Result<Reader> forged(Change change) {
  std::string bytes = sample_bytes();
  char* at = bytes.data() + sizeof(FileHeader);
  ChunkHeader header;
  std::memcpy(&header, at, sizeof header);
  std::vector<ColumnEntry> entries(header.columns);
  std::memcpy(entries.data(), at + sizeof header, entries.size() * sizeof(ColumnEntry));
  change(header, entries);
  header.checksum = 0;
  std::memcpy(at, &header, sizeof header);
  std::memcpy(at + sizeof header, entries.data(), entries.size() * sizeof(ColumnEntry));
  header.checksum = checksum(at, sizeof header + entries.size() * sizeof(ColumnEntry));
  std::memcpy(at, &header, sizeof header);
  return Reader::over(bytes, "forged");
}

TEST(Damage, LyingSizesAreNotBelieved) {
  using Entries = std::vector<ColumnEntry>;
  const auto lies = {
      +[](ChunkHeader&, Entries& entries) { entries[0].raw_bytes = UINT64_MAX; },
      +[](ChunkHeader&, Entries& entries) { entries[0].raw_bytes = 1 << 30; },
      +[](ChunkHeader&, Entries& entries) { entries[0].raw_bytes = 0; },
      +[](ChunkHeader&, Entries& entries) { entries[0].stored_bytes = UINT64_MAX - 3; },
      +[](ChunkHeader&, Entries& entries) { entries[0].stored_bytes += 1; },
      +[](ChunkHeader&, Entries& entries) { entries[0].type = 200; },
      +[](ChunkHeader&, Entries& entries) { entries[0].encoding = 1; },
      +[](ChunkHeader&, Entries& entries) { entries[0].encoding = 77; },
      +[](ChunkHeader&, Entries& entries) { entries[0].packing = 77; },
      +[](ChunkHeader&, Entries& entries) { entries[0].packing = 1 - entries[0].packing; },
      +[](ChunkHeader& header, Entries&) { header.rows = 1 << 20; },
      +[](ChunkHeader& header, Entries&) { header.rows = UINT64_MAX; },
      +[](ChunkHeader& header, Entries&) { header.bytes = UINT64_MAX - 7; },
      +[](ChunkHeader& header, Entries&) { header.bytes = 8; },
  };
  for (const auto& lie : lies) {
    const Result<Reader> reader = forged(lie);
    ASSERT_TRUE(reader.ok());
    const Contents contents = contents_of(reader.value());
    EXPECT_TRUE(contents.damaged > 0 || contents.ending.kind != Ending::Kind::kComplete);
  }
}

// Columns that are not there are made up, as long as the rows are: so somebody must hold these.
TEST(Damage, RowsThatNoColumnHoldsGetNoMemory) {
  const Result<Reader> reader = forged([](ChunkHeader& header, std::vector<ColumnEntry>& entries) {
    header.rows = kMaxRows;
    for (ColumnEntry& entry : entries) entry.raw_bytes = kMaxRows * 4;
  });
  ASSERT_TRUE(reader.ok());
  const Chunk& chunk = reader.value().chunks()[0];
  EXPECT_EQ(chunk.rows(), kMaxRows);
  EXPECT_FALSE(chunk.has_proof_of_rows());
  EXPECT_FALSE(chunk.column(events::kStartTicks).ok());
  EXPECT_FALSE(chunk.texts(sources::kText).ok());
  EXPECT_FALSE(chunk.texts(meta::kKey).ok());
}

TEST(Damage, TextLengthsThatDoNotAddUpAreRefused) {
  const Result<Reader> reader =
      forged([](ChunkHeader& header, std::vector<ColumnEntry>&) { header.rows = 1; });
  EXPECT_FALSE(reader.value().chunks()[0].texts(meta::kKey).ok());
}

TEST(Damage, OtherFormatsAndNewerVersionsAreOneSentence) {
  EXPECT_NE(
      Reader::over("{\"traceEvents\": []}", "x.json").error().sentence.find("x.json is not a .skyline file"),
      std::string::npos);
  std::string newer = sample_bytes();
  newer[8] = 2;
  const uint64_t sum = checksum(newer.data(), 56);
  std::memcpy(newer.data() + 56, &sum, 8);
  EXPECT_EQ(
      Reader::over(newer, "x.skyline").error().sentence,
      "x.skyline is in version 2 of the format and this program reads version 1; use the version of Skyline "
      "that wrote it, or a newer one");
}

}  // namespace
}  // namespace skyline::tracefile
