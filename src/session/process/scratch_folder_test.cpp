#include "session/process/scratch_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/test_folder.h"

namespace skyline::session {
namespace {

namespace fs = std::filesystem;

class ScratchFolderTest : public testing::Test {
 protected:
  // What a process that was killed has left.
  void leave_one_behind() const {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Result<ScratchFolder> folder = ScratchFolder::make(parent_.path());
      if (folder.ok()) write_file(folder.value().path() + "/recording", "text");
      ::kill(::getpid(), SIGKILL);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    ASSERT_EQ(count(), 1u);
  }

  size_t count() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(parent_.path()), fs::directory_iterator()));
  }

  const TestFolder parent_;
};

TEST_F(ScratchFolderTest, OneThatAKilledProcessHasLeftIsRemovedByTheNext) {
  leave_one_behind();
  const Result<ScratchFolder> next = ScratchFolder::make(parent_.path());
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(fs::is_directory(next.value().path()));
  EXPECT_EQ(count(), 1u);
}

TEST_F(ScratchFolderTest, OneInUseStays) {
  const Result<ScratchFolder> first = ScratchFolder::make(parent_.path());
  ASSERT_TRUE(first.ok());
  write_file(first.value().path() + "/recording", "text");
  { const Result<ScratchFolder> second = ScratchFolder::make(parent_.path()); }
  EXPECT_TRUE(fs::exists(first.value().path() + "/recording"));
  EXPECT_EQ(count(), 1u);
}

TEST_F(ScratchFolderTest, OthersFoldersAndWhatLinksLeadToStay) {
  const TestFolder elsewhere;
  elsewhere.write("owner", "");
  elsewhere.write("precious", "text");
  fs::create_symlink(elsewhere.path(), parent_ / "skyline-abcdef");
  parent_.write("skyline-ghijkl/precious", "no file that tells the owner");
  parent_.write("skyline-settings/owner", "another name");
  { const Result<ScratchFolder> folder = ScratchFolder::make(parent_.path()); }
  EXPECT_EQ(count(), 3u);
  EXPECT_TRUE(fs::exists(elsewhere / "precious"));
}

TEST_F(ScratchFolderTest, LinksInASweptFolderGoWithoutWhatTheyLeadTo) {
  leave_one_behind();
  const TestFolder elsewhere;
  elsewhere.write("precious", "text");
  const fs::path orphan = fs::directory_iterator(parent_.path())->path();
  fs::create_directory_symlink(elsewhere.path(), orphan / "link");
  { const Result<ScratchFolder> folder = ScratchFolder::make(parent_.path()); }
  EXPECT_EQ(count(), 0u);
  EXPECT_TRUE(fs::exists(elsewhere / "precious"));
}

TEST_F(ScratchFolderTest, WithoutAParentThereIsASentence) {
  const Result<ScratchFolder> folder = ScratchFolder::make(parent_ / "nothing");
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(folder.error().sentence.find("cannot make a folder in"), std::string::npos);
}

}  // namespace
}  // namespace skyline::session
