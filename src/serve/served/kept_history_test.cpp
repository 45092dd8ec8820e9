#include "serve/served/kept_history.h"

#include <gtest/gtest.h>

#include "base/test_folder.h"

namespace skyline::serve {
namespace {

protocol::HistoryEntry entry(int64_t save) {
  protocol::HistoryEntry entry;
  entry.save = save;
  entry.time_ms = 1'700'000'000'000 + save;
  entry.changed = {"a \"name\"\nwith two lines.py"};
  entry.samples_per_second = 100.5;
  return entry;
}

class KeptHistory : public testing::Test, public TestFolder {
 protected:
  const std::string path_ = *this / "session/history";
};

TEST_F(KeptHistory, IsReadAsItWasKeptAndMarkedAsEarlier) {
  keep_history(path_, {entry(1), entry(2)});
  const std::vector<protocol::HistoryEntry> read = read_history(path_);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].save, 2);
  EXPECT_EQ(read[1].time_ms, 1'700'000'000'002);
  EXPECT_EQ(read[1].changed, entry(2).changed);
  EXPECT_DOUBLE_EQ(read[1].samples_per_second, 100.5);
  EXPECT_TRUE(read[1].is_earlier);
}

TEST_F(KeptHistory, IsBoundedAndHasOnlyProfilesWithAResult) {
  std::vector<protocol::HistoryEntry> many;
  for (int64_t save = 1; save <= 300; ++save) many.push_back(entry(save));
  many.back().samples_per_second = 0;
  keep_history(path_, many);
  const std::vector<protocol::HistoryEntry> read = read_history(path_);
  ASSERT_EQ(read.size(), kMostKeptProfiles);
  EXPECT_EQ(read.front().save, 100);
  EXPECT_EQ(read.back().save, 299);
}

TEST_F(KeptHistory, DamagedLinesAreLeftOut) {
  keep_history(path_, {entry(1)});
  write_file(path_, "{\n" + read_file(path_) + "[]\nnothing\n{\"save\": \"x\"}\n");
  EXPECT_EQ(read_history(path_).size(), 1u);
  EXPECT_TRUE(read_history(*this / "none").empty());
  EXPECT_TRUE(read_history("").empty());
}

}  // namespace
}  // namespace skyline::serve
