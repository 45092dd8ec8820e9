#include "base/memory_budget.h"

#include <gtest/gtest.h>

#include "base/control_groups.h"
#include "base/test_folder.h"

namespace skyline {
namespace {

class MemoryBudgetTest : public testing::Test {
 protected:
  MemoryBudgetTest() { write("proc/meminfo", "MemTotal:  1000000 kB\nMemAvailable:  100 kB\n"); }

  void write(const std::string& path, const std::string& text) const { root_.write(path, text); }
  MemoryBudget budget() const { return default_memory_budget(root_ / ""); }

  const TestFolder root_;
};

TEST_F(MemoryBudgetTest, AShareOfTheRamWithoutALimit) {
  EXPECT_EQ(budget().bytes, 768'000'000u);
  EXPECT_EQ(budget().source, "three quarters of this machine's RAM");
}

TEST_F(MemoryBudgetTest, TheTightestGroupOfVersionTwo) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/memory.max", "400000\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  EXPECT_EQ(budget().bytes, 300'000u);
  EXPECT_EQ(budget().source, "three quarters of the control group's limit");
}

TEST_F(MemoryBudgetTest, GroupsOfVersionOneAndAContainersOwnView) {
  // In a container the path is the host's, and only the mount's own folder is to be seen.
  write("proc/self/cgroup", "11:cpu,cpuacct:/docker/x\n7:hugetlb,memory:/docker/x\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "800000\n");
  EXPECT_EQ(budget().bytes, 600'000u);
  write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "80000\n");
  EXPECT_EQ(budget().bytes, 60'000u);
}

TEST_F(MemoryBudgetTest, NoLimitOfVersionOneIsNone) {
  write("proc/self/cgroup", "7:memory:/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(budget().source, "three quarters of this machine's RAM");
}

TEST_F(MemoryBudgetTest, NothingKnownLimitsNothing) {
  const TestFolder empty;
  EXPECT_EQ(default_memory_budget(empty / "").bytes, UINT64_MAX);
}

TEST(BudgetForFile, ASmallFileMayNotGrowAThousandfoldUnlessTheUserSaysSo) {
  const MemoryBudget machine = {uint64_t{18} << 30, "three quarters of this machine's RAM"};
  EXPECT_EQ(budget_for_file(machine, 44'000).bytes, (uint64_t{256} << 20) + 44'000'000);
  EXPECT_EQ(budget_for_file(machine, 200'000'000).bytes, machine.bytes);
  EXPECT_EQ(budget_for_file(machine, 0).bytes, machine.bytes);  // a pipe
  EXPECT_EQ(budget_for_file(machine, UINT64_MAX).bytes, machine.bytes);
  const MemoryBudget chosen = {uint64_t{18} << 30, "--max-memory", true};
  EXPECT_EQ(budget_for_file(chosen, 44'000).bytes, chosen.bytes);
}

TEST(OverBudget, SaysWhatWhyAndTheCure) {
  const MemoryBudget machine = {uint64_t{3} << 30, "three quarters of this machine's RAM"};
  EXPECT_EQ(
      over_budget("x.json", uint64_t{7} << 30, machine).sentence,
      "x.json would need about 7.0 GiB of memory and may have 3.0 GiB (three quarters of this machine's "
      "RAM); allow more with --max-memory, or use a larger machine");
}

}  // namespace
}  // namespace skyline
