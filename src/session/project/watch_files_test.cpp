#include "session/project/watch_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/test_folder.h"

namespace skyline::session {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Paths = std::vector<std::string>;

// Both ways of watching must tell the same.
class WatchFilesTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    write("entry_point.py", "1");
    write("models/cnn.py", "1");
  }

  std::string path(const std::string& name) const { return root_ + "/" + name; }

  void write(const std::string& name, const std::string& text) const {
    folder_.write("project/" + name, text);
  }

  FileWatcher start(WatchOptions options = {}) const {
    options.is_polling_forced = GetParam();
    options.poll_every = milliseconds(20);
    Result<FileWatcher> watcher = FileWatcher::start(root_, options);
    EXPECT_TRUE(watcher.ok());
    EXPECT_EQ(watcher.value().why_polling().empty(), !GetParam());
    return std::move(watcher).value();
  }

  const TestFolder folder_;
  const std::string root_ = folder_ / "project";
};

// What the watcher gives out within a time; with an empty answer it is waited for on.
Paths wait_for_change(FileWatcher& watcher, milliseconds most = milliseconds(60000)) {
  const Clock::time_point end = Clock::now() + most;
  while (Clock::now() < end) {
    pollfd waiting{.fd = watcher.descriptor(), .events = POLLIN, .revents = 0};
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
    ::poll(&waiting, 1, static_cast<int>(left.count()) + 1);
    Paths changed;
    for (const FileChange& change : watcher.changed()) changed.push_back(change.path);
    if (!changed.empty()) return changed;
  }
  return {};
}

bool is_quiet(FileWatcher& watcher) { return wait_for_change(watcher, milliseconds(150)).empty(); }

INSTANTIATE_TEST_SUITE_P(Modes, WatchFilesTest, testing::Values(false, true),
                         [](const auto& mode) { return mode.param ? "Polling" : "Inotify"; });

TEST_P(WatchFilesTest, WrittenFileIsTold) {
  FileWatcher watcher = start();
  EXPECT_TRUE(is_quiet(watcher));
  write("models/cnn.py", "22");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("models/cnn.py")});
  EXPECT_TRUE(is_quiet(watcher));
  write("entry_point.py", "22");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("entry_point.py")});
}

TEST_P(WatchFilesTest, FileReplacedByRenameIsTold) {
  FileWatcher watcher = start();
  for (const char* text : {"new", "newer"}) {
    write("entry_point.py.tmp", text);
    fs::rename(path("entry_point.py.tmp"), path("entry_point.py"));
    EXPECT_EQ(wait_for_change(watcher), Paths{path("entry_point.py")});
  }
}

// As our own edits do.
TEST_P(WatchFilesTest, FileReplacedByExchangeIsTold) {
  write(".entry_point.py.new", "22");
  FileWatcher watcher = start();
  const std::string from = path(".entry_point.py.new"), to = path("entry_point.py");
  ASSERT_EQ(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE), 0);
  EXPECT_EQ(wait_for_change(watcher), Paths{path("entry_point.py")});
}

TEST_P(WatchFilesTest, DeletedAndRecreatedFileIsTold) {
  FileWatcher watcher = start();
  fs::remove(path("entry_point.py"));
  EXPECT_EQ(wait_for_change(watcher), Paths{path("entry_point.py")});
  write("entry_point.py", "back");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("entry_point.py")});
}

TEST_P(WatchFilesTest, LinkToAFileIsTold) {
  FileWatcher watcher = start();
  fs::create_symlink("cnn.py", path("models/linked.py"));
  EXPECT_EQ(wait_for_change(watcher), Paths{path("models/linked.py")});
}

TEST_P(WatchFilesTest, ChangesAreToldAtOnceToWhoCanNotWait) {
  FileWatcher watcher = start({.settle = milliseconds(60'000), .settle_most = milliseconds(60'000)});
  write("entry_point.py", "22");
  write("models/cnn.py", "22");
  write("models/cnn.py", "333");
  const std::vector<FileChange> changes = watcher.changed_by_now();
  ASSERT_EQ(changes.size(), 2u);
  // Two that the kernel tells in one are one.
  EXPECT_EQ(changes[0], (FileChange{path("entry_point.py"), GetParam() ? kAnyTimes : 1}));
  EXPECT_EQ(changes[1].path, path("models/cnn.py"));
  EXPECT_TRUE(watcher.changed_by_now().empty());
}

TEST_P(WatchFilesTest, BurstIsToldOnce) {
  FileWatcher watcher = start({.settle = milliseconds(300), .settle_most = milliseconds(3000)});
  for (int i = 0; i < 5; ++i) {
    write("file" + std::to_string(i) + ".py", "x");
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_TRUE(watcher.changed().empty());
  }
  EXPECT_EQ(wait_for_change(watcher).size(), 5u);
  EXPECT_TRUE(is_quiet(watcher));
}

TEST_P(WatchFilesTest, EndlessWritingIsToldInTheEnd) {
  FileWatcher watcher = start({.settle = milliseconds(60), .settle_most = milliseconds(200)});
  const Clock::time_point begin = Clock::now();
  Paths changed;
  for (int i = 0; changed.empty() && Clock::now() < begin + milliseconds(3000); ++i) {
    write("entry_point.py", std::string(static_cast<size_t>(i), 'x'));
    changed = wait_for_change(watcher, milliseconds(10));
  }
  EXPECT_EQ(changed, Paths{path("entry_point.py")});
}

TEST_P(WatchFilesTest, NewFoldersAreWatched) {
  FileWatcher watcher = start();
  write("new/deep/a.py", "1");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("new/deep/a.py")});
  write("new/deep/b.py", "1");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("new/deep/b.py")});
}

TEST_P(WatchFilesTest, RenamedFoldersAreWatchedUnderTheirNewName) {
  write("models2/other.py", "1");
  FileWatcher watcher = start();
  fs::rename(path("models"), path("nets"));
  const Paths changed = wait_for_change(watcher);
  EXPECT_TRUE(std::find(changed.begin(), changed.end(), path("nets/cnn.py")) != changed.end());
  ASSERT_EQ(changed.size(), 2u);
  EXPECT_TRUE(changed[0].starts_with(path("models")));  // the folder, or the file that was in it
  write("nets/cnn.py", "22");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("nets/cnn.py")});
  write("models2/other.py", "22");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("models2/other.py")});
}

TEST_P(WatchFilesTest, FoldersMovedOutOfTheProjectAreForgotten) {
  FileWatcher watcher = start();
  const std::string outside = folder_ / "outside";
  fs::rename(path("models"), outside);
  EXPECT_EQ(wait_for_change(watcher).size(), 1u);
  write_file(outside + "/cnn.py", "22");
  EXPECT_TRUE(is_quiet(watcher));
  fs::rename(outside, path("models"));
  EXPECT_EQ(wait_for_change(watcher), Paths{path("models/cnn.py")});
}

TEST_P(WatchFilesTest, OthersFilesAreNotTold) {
  write(".gitignore", "runs/\n");
  write("runs/a.py", "1");
  FileWatcher watcher = start();
  for (const char* name : {".venv/a.py", "venv/a.py", "__pycache__/a.py", "runs/a.py", "runs/deep/a.py",
                           "metrics.json", ".hidden.py", "models/.cache/a.py"}) {
    write(name, "22");
  }
  EXPECT_TRUE(is_quiet(watcher));
}

TEST_P(WatchFilesTest, RootMayGoAndComeBack) {
  FileWatcher watcher = start();
  fs::remove_all(root_);
  EXPECT_FALSE(wait_for_change(watcher).empty());
  is_quiet(watcher);
  write("entry_point.py", "back");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("entry_point.py")});
}

TEST_P(WatchFilesTest, FiveThousandFilesAreNoTrouble) {
  for (int i = 0; i < 5000; ++i)
    write("folder" + std::to_string(i % 200) + "/f" + std::to_string(i) + ".py", "1");
  FileWatcher watcher = start();
  EXPECT_EQ(watcher.folder_count(), 202u);
  write("folder7/f7.py", "22");
  EXPECT_EQ(wait_for_change(watcher), Paths{path("folder7/f7.py")});
}

TEST_P(WatchFilesTest, RootMustBeAFolder) {
  EXPECT_FALSE(FileWatcher::start(path("nothing")).ok());
  const Result<FileWatcher> watcher = FileWatcher::start(path("entry_point.py"));
  ASSERT_FALSE(watcher.ok());
  EXPECT_NE(watcher.error().sentence.find("no folder"), std::string::npos);
}

TEST_P(WatchFilesTest, WithTooManyFoldersFilesArePolled) {
  WatchOptions options{.poll_every = milliseconds(20), .most_folders = 1};
  Result<FileWatcher> watcher = FileWatcher::start(root_, options);
  ASSERT_TRUE(watcher.ok());
  EXPECT_NE(watcher.value().why_polling().find("limit"), std::string::npos);
  write("models/cnn.py", "22");
  EXPECT_EQ(wait_for_change(watcher.value()), Paths{path("models/cnn.py")});
}

// The limit may also be met later, by a new folder.
TEST_P(WatchFilesTest, ChangeToPollingLosesNothing) {
  WatchOptions options{.poll_every = milliseconds(20), .most_folders = 2};
  Result<FileWatcher> watcher = FileWatcher::start(root_, options);
  ASSERT_TRUE(watcher.ok());
  EXPECT_EQ(watcher.value().why_polling(), "");
  write("new/a.py", "1");
  const Paths changed = wait_for_change(watcher.value());
  ASSERT_FALSE(changed.empty());
  EXPECT_EQ(changed[0], root_);
  EXPECT_NE(watcher.value().why_polling(), "");
  write("new/a.py", "22");
  EXPECT_EQ(wait_for_change(watcher.value()), Paths{path("new/a.py")});
}

}  // namespace
}  // namespace skyline::session
