#include "collect/log/file_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "collect/log/file_clock.h"
#include "collect/log/test_recording.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

std::string value_of(const table::Chunk& chunk, const std::string& key) {
  const std::vector<std::string> keys = texts_of(chunk, table::meta::kKey);
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found == keys.end()) return "(none)";
  return texts_of(chunk, table::meta::kValue)[static_cast<size_t>(found - keys.begin())];
}

TEST(FileFacts, SettingsSayWhatIsRecordedBesideWhatPythonTold) {
  TestRecording recording;
  Options options;
  options.meta = {{"torch.version", "2.13.0"}};
  options.shapes = true;
  write_settings(options, recording.sink());
  const table::Reader reader = recording.read();
  const table::Chunk& meta = reader.chunks()[0];
  EXPECT_EQ(value_of(meta, "torch.version"), "2.13.0");
  EXPECT_EQ(value_of(meta, "record.shapes"), "1");
  EXPECT_EQ(value_of(meta, "record.memory"), "0");
}

TEST(FileFacts, OnlyLossesThatHappenedAreTold) {
  TestRecording recording;
  write_losses(std::array{Loss{"a", 0, "nothing"}}, recording.sink());
  EXPECT_TRUE(recording.read().chunks().empty());
  write_losses(std::array{Loss{"a", 0, "nothing"}, Loss{"b", 3, "three"}}, recording.sink());
  const table::Reader reader = recording.read();
  ASSERT_EQ(reader.chunks().size(), 1u);
  EXPECT_EQ(texts_of(reader.chunks()[0], table::losses::kName), std::vector<std::string>{"b"});
  EXPECT_EQ(values_of(reader.chunks()[0], table::losses::kCount), std::vector<uint64_t>{3});
}

TEST(FileFacts, ACostThatIsNotKnownIsNotZero) {
  TestRecording recording;
  write_cost({.calls = 20, .ns = 0, .way = {}}, recording.sink());
  write_cost({.calls = 2000, .ns = 9, .way = {}}, recording.sink());
  const table::Reader reader = recording.read();
  EXPECT_EQ(value_of(reader.chunks()[0], "collector.calls"), "20");
  EXPECT_EQ(value_of(reader.chunks()[0], "collector.cost_ns"), "(none)");
  EXPECT_EQ(value_of(reader.chunks()[1], "collector.cost_ns"), "9");
}

TEST(FileFacts, TheFileSaysWhichWayOperatorsCame) {
  TestRecording recording;
  write_cost({.calls = 1, .ns = 0, .way = {.direct = true, .why_not = {}}}, recording.sink());
  write_cost({.calls = 1, .ns = 0, .way = {.direct = false, .why_not = "not tried"}}, recording.sink());
  const table::Reader reader = recording.read();
  EXPECT_EQ(value_of(reader.chunks()[0], "collector.way"), "direct");
  EXPECT_EQ(value_of(reader.chunks()[0], "collector.not_direct"), "(none)");
  EXPECT_EQ(value_of(reader.chunks()[1], "collector.way"), "observers");
  EXPECT_EQ(value_of(reader.chunks()[1], "collector.not_direct"), "not tried");
}

TEST(FileClock, PairsGoOnTogether) {
  TestRecording recording;
  FileClock clock;
  clock.write_to(recording.sink());
  clock.write_to(recording.sink());
  const table::Reader reader = recording.read();
  ASSERT_EQ(reader.chunks().size(), 2u);
  const uint64_t first = values_of(reader.chunks()[0], table::clock::kTicks)[0];
  EXPECT_EQ(clock.first_ticks(), first);
  EXPECT_GT(values_of(reader.chunks()[1], table::clock::kTicks)[0], first);
  EXPECT_GE(values_of(reader.chunks()[1], table::clock::kUnixNs)[0],
            values_of(reader.chunks()[0], table::clock::kUnixNs)[0]);
  EXPECT_GT(clock.ns_per_tick(), 0);
}

}  // namespace
}  // namespace skyline::collect
