#include "session/batch/capacity.h"

#include <gtest/gtest.h>

#include "base/test_folder.h"

namespace skyline::session {
namespace {

class CapacityTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const { root_.write(path, text); }
  MemoryCapacity capacity() const { return cpu_memory_capacity(root_ / ""); }

  const TestFolder root_;
};

TEST_F(CapacityTest, AvailableMemoryWithoutALimit) {
  write("proc/meminfo", "MemTotal:  200 kB\nMemAvailable:  100 kB\n");
  EXPECT_EQ(capacity().bytes, 100 * 1024);
  EXPECT_EQ(capacity().source, "available RAM");
}

TEST_F(CapacityTest, TheTightestGroupAroundUs) {
  write("proc/meminfo", "MemAvailable:  1000 kB\n");
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/memory.max", "300000\n");
  write("sys/fs/cgroup/a/memory.current", "250000\n");
  write("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 10000\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  write("sys/fs/cgroup/a/b/memory.current", "250000\n");
  EXPECT_EQ(capacity().bytes, 60000);
  EXPECT_EQ(capacity().source, "limit of the cgroup");
}

TEST_F(CapacityTest, NothingKnownIsNothing) { EXPECT_EQ(capacity().bytes, 0); }

}  // namespace
}  // namespace skyline::session
