#include "collect/sampling/control_page.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

namespace skyline::collect {
namespace {

TEST(ControlPage, AForkedProcessSeesWhatIsOpenedLaterAndEnds) {
  ControlPage* const page = ControlPage::own();
  ASSERT_NE(page, nullptr);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ControlPage& mine = *ControlPage::shared();
    while (!mine.is_open()) mine.wait(mine.word(), 1'000'000'000);
    const ControlPage::Order order = mine.order();
    const bool is_right = order.hz == 50 && order.folder == "/some/folder" && order.recording == "abc";
    ++mine.writing;
    while (mine.word() == order.number) mine.wait(order.number, 1'000'000'000);
    ::_exit(is_right ? 0 : 1);
  }
  page->open(50, "/some/folder", "abc");
  while (page->writing == 0) ::usleep(100);
  page->close();
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ControlPage, AnotherRecordingIsAnotherWord) {
  ControlPage* const page = ControlPage::own();
  page->open(50, "/a", "1");
  const uint32_t first = page->word();
  page->close();
  EXPECT_EQ(page->order().number, 0u);
  page->open(50, "/b", "2");
  EXPECT_NE(page->word(), first);
  EXPECT_EQ(page->order().folder, "/b");
  page->close();
  EXPECT_FALSE(page->is_open());
}

TEST(ControlPage, AProcessThatRecordsItselfDoesNotDisturbItsParent) {
  ControlPage* const page = ControlPage::own();
  page->open(50, "/a", "1");
  const uint32_t word = page->word();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ControlPage::own()->open(10, "/c", "3");
    ::_exit(ControlPage::shared()->order().folder == "/c" ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(page->word(), word);
  EXPECT_EQ(page->order().folder, "/a");
  page->close();
}

// What a thread reads while another one opens and closes is one order, or none: under ThreadSanitizer, too.
TEST(ControlPage, NobodyReadsHalfOfAnOrder) {
  ControlPage* const page = ControlPage::own();
  const std::string folders[] = {"/short", "/" + std::string(ControlPage::kLongestFolder / 2, 'x')};
  std::atomic<bool> is_over = false;
  std::atomic<int> halves = 0, whole = 0;
  std::thread reader([&] {
    while (!is_over) {
      const ControlPage::Order order = page->order();
      if (order.number == 0) continue;
      const size_t which = order.recording == "0" ? 0 : 1;
      const bool fits = order.folder == folders[which] && order.hz == which + 1;
      ++(fits ? whole : halves);
    }
  });
  for (size_t turn = 0; turn < 2000 || whole == 0; ++turn) {
    const size_t which = turn % 2;
    page->open(static_cast<uint32_t>(which) + 1, folders[which], std::to_string(which));
    page->close();
  }
  is_over = true;
  reader.join();
  EXPECT_EQ(halves, 0);
}

TEST(ControlPage, AProcessThatIsNoChildOpensItByItsPath) {
  ControlPage* const page = ControlPage::own();
  const std::string path = ControlPage::path_of_own();
  ASSERT_FALSE(path.empty());
  page->open(50, "/a", "1");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ControlPage::own();  // another one, so that the parent's is only known by its path
    const bool is_known = ControlPage::attach(path) && ControlPage::shared()->order().folder == "/a";
    ++ControlPage::shared()->step;
    ::_exit(is_known ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(page->step, 1u);
  page->close();
}

TEST(ControlPage, AnotherFileInItsPlaceIsLeftAlone) {
  ControlPage* const before = ControlPage::own();
  const int other = ::memfd_create("other", 0);
  const std::string path = "/proc/self/fd/" + std::to_string(other);
  EXPECT_FALSE(ControlPage::attach(path)) << "of another size";
  ASSERT_EQ(::ftruncate(other, sizeof(ControlPage)), 0);
  EXPECT_FALSE(ControlPage::attach(path)) << "of the same size";
  EXPECT_FALSE(ControlPage::attach("/proc/self/fd/9999"));
  EXPECT_EQ(ControlPage::shared(), before);
  ::close(other);
}

}  // namespace
}  // namespace skyline::collect
