#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tracefile/test_file.h"

namespace skyline::tracefile {
namespace {

Reader write_and_read(const ChunkBuilder& chunk) {
  TestFolder folder;
  const std::string path = folder / "x.skyline";
  Result<Writer> writer = Writer::create(path);
  EXPECT_TRUE(writer.value().append(chunk).ok());
  EXPECT_TRUE(writer.value().finish().ok());
  Result<Reader> reader = Reader::open(path);
  EXPECT_TRUE(reader.ok()) << reader.error().sentence;
  return std::move(reader).value();
}

template <typename T>
std::vector<T> nasty_numbers(size_t count, std::mt19937_64& random) {
  std::vector<T> values;
  for (size_t i = 0; i < count; ++i) {
    switch (random() % 5) {
      case 0:
        values.push_back(std::numeric_limits<T>::max());
        break;
      case 1:
        values.push_back(std::numeric_limits<T>::min());
        break;
      case 2:
        values.push_back(static_cast<T>(i));
        break;
      default:
        values.push_back(static_cast<T>(random()));
        break;
    }
  }
  return values;
}

template <typename T>
void expect_round_trip(size_t rows, Encoding encoding, std::mt19937_64& random) {
  const auto column = number<T>(TableId::kEvents, 9, "x", kPlain, T{}, "");
  const std::vector<T> values = nasty_numbers<T>(rows, random);
  ChunkBuilder chunk(TableId::kEvents);
  chunk.add(column, values, encoding);
  const Reader reader = write_and_read(chunk);
  ASSERT_EQ(reader.chunks().size(), 1u);
  const Result<Column<T>> read = reader.chunks()[0].column(column);
  ASSERT_TRUE(read.ok()) << read.error().sentence;
  EXPECT_EQ(std::vector<T>(read.value().begin(), read.value().end()), values);
}

TEST(RoundTrip, NumbersOfEveryTypeComeBackExactly) {
  std::mt19937_64 random(1);
  for (const size_t rows : {0, 1, 2, 7, 1000, 70'000}) {
    for (const Encoding encoding : {kPlain, kDelta, kSplit, kDeltaSplit}) {
      expect_round_trip<uint8_t>(rows, encoding, random);
      expect_round_trip<uint16_t>(rows, encoding, random);
      expect_round_trip<uint32_t>(rows, encoding, random);
      expect_round_trip<uint64_t>(rows, encoding, random);
      expect_round_trip<int32_t>(rows, encoding, random);
      expect_round_trip<int64_t>(rows, encoding, random);
    }
    expect_round_trip<double>(rows, kPlain, random);
    expect_round_trip<double>(rows, kSplit, random);
  }
}

TEST(RoundTrip, TextsMayBeEmptyLongAndHoldAnyByte) {
  const std::vector<std::string> kept = {"", "aten::mm", std::string(100'000, 'x'),
                                         std::string("a\0b\xff", 4), ""};
  const std::vector<std::string_view> texts(kept.begin(), kept.end());
  ChunkBuilder chunk(TableId::kStrings);
  chunk.add(strings::kText, texts);
  const Reader reader = write_and_read(chunk);
  const Result<Texts> read = reader.chunks()[0].texts(strings::kText);
  ASSERT_TRUE(read.ok()) << read.error().sentence;
  ASSERT_EQ(read.value().size(), texts.size());
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(read.value()[i], texts[i]);
}

TEST(RoundTrip, TextsGivenAsLengthsAndOneBlockAreTheSame) {
  const uint32_t lengths[] = {3, 0, 2};
  const std::string_view texts[] = {"abc", "", "de"};
  ChunkBuilder from_block(TableId::kStrings), from_views(TableId::kStrings);
  from_block.add(strings::kText, lengths, "abcde");
  from_views.add(strings::kText, texts);
  const Result<Texts> read = write_and_read(from_block).chunks()[0].texts(strings::kText);
  ASSERT_TRUE(read.ok());
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(read.value()[i], texts[i]);
  EXPECT_EQ(from_block.packed_bytes(), from_views.packed_bytes());
}

TEST(RoundTrip, AColumnThatIsAbsentReadsAsMissing) {
  const Reader reader = write_and_read(events_chunk(3));
  const Chunk& chunk = reader.chunks()[0];
  EXPECT_FALSE(chunk.has(events::kSequence));
  const Result<Column<int64_t>> sequences = chunk.column(events::kSequence);
  for (const int64_t sequence : sequences.value()) EXPECT_EQ(sequence, -1);
  const Result<Texts> texts = chunk.texts(text(TableId::kEvents, 999, "new", ""));
  EXPECT_EQ(texts.value().size(), 3u);
  EXPECT_EQ(texts.value()[2], "");
}

TEST(RoundTrip, UnknownTablesAreListedAndCanBeSkipped) {
  ChunkBuilder chunk(static_cast<TableId>(60'000));
  const uint32_t values[] = {1, 2};
  chunk.add(number<uint32_t>(static_cast<TableId>(60'000), 1, "new", kPlain, 0, ""), values);
  const Reader reader = write_and_read(chunk);
  ASSERT_EQ(reader.chunks().size(), 1u);
  EXPECT_EQ(reader.chunks()[0].rows(), 2u);
  EXPECT_EQ(reader.ending().kind, Ending::Kind::kComplete);
}

TEST(RoundTrip, AColumnOfAnotherTypeIsAnErrorOfThatColumnOnly) {
  const Reader reader = write_and_read(events_chunk(3));
  const auto wrong = number<uint32_t>(TableId::kEvents, events::kStartTicks.id, "start_ticks", kPlain, 0, "");
  EXPECT_FALSE(reader.chunks()[0].column(wrong).ok());
  EXPECT_TRUE(reader.chunks()[0].column(events::kStartTicks).ok());
}

TEST(RoundTrip, TheCreatorIsKept) {
  const Result<Reader> reader = Reader::over(sample_bytes(), "sample");
  EXPECT_EQ(reader.value().creator(), "a test");
}

TEST(RoundTrip, TheSameChunksGiveTheSameBytes) { EXPECT_EQ(sample_bytes(), sample_bytes()); }

}  // namespace
}  // namespace skyline::tracefile
