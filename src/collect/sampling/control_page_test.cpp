#include "collect/sampling/control_page.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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

}  // namespace
}  // namespace skyline::collect
