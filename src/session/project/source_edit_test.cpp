#include "session/project/source_edit.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/sha256.h"
#include "base/test_folder.h"

namespace skyline::session {
namespace {

namespace fs = std::filesystem;

class SourceEditTest : public testing::Test {
 protected:
  void write(const std::string& text) const { write_file(path_, text); }
  std::string text() const { return read_file(path_); }

  // The place of `number` in the text, which is written to the file.
  BatchLiteral literal_in(const std::string& source, const std::string& number, int64_t value) const {
    write(source);
    const auto begin = static_cast<int64_t>(source.find(number));
    return {.path = path_,
            .value = value,
            .begin_byte = begin,
            .end_byte = begin + static_cast<int64_t>(number.size()),
            .line = 1,
            .begin_column = 0,
            .end_column = 0,
            .file_hash = sha256(source)};
  }

  std::string edited(const std::string& source, const std::string& number, int64_t value,
                     int64_t batch_size) const {
    const Status status = apply(make_edit(literal_in(source, number, value), batch_size));
    return status.ok() ? text() : status.error().sentence;
  }

  size_t files_in_folder() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  const TestFolder folder_;
  const std::string path_ = folder_ / "entry_point.py";
};

constexpr const char* kSource = "def skyline_input_provider(batch_size=32):\n    return 32\n";

TEST_F(SourceEditTest, OnlyTheNumberIsReplaced) {
  EXPECT_EQ(edited(kSource, "32", 32, 7), "def skyline_input_provider(batch_size=7):\n    return 32\n");
  EXPECT_EQ(edited(kSource, "32", 32, 1024), "def skyline_input_provider(batch_size=1024):\n    return 32\n");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(SourceEditTest, EveryOtherByteStays) {
  EXPECT_EQ(edited("a = 1\r\nBS = 32\r\n", "32", 32, 64), "a = 1\r\nBS = 64\r\n");
  EXPECT_EQ(edited("\xef\xbb\xbf"
                   "BS = 32",
                   "32", 32, 64),
            "\xef\xbb\xbf"
            "BS = 64");
  EXPECT_EQ(edited("# -*- coding: latin-1 -*- \xe9\xff\nBS=32 # \xfc\n", "32", 32, 64),
            "# -*- coding: latin-1 -*- \xe9\xff\nBS=64 # \xfc\n");
  const std::string zeros("BS=32\n\0\0x", 9);
  EXPECT_EQ(edited(zeros, "32", 32, 8), std::string("BS=8\n\0\0x", 8));
}

TEST_F(SourceEditTest, NumbersAreReadAsPythonReadsThem) {
  EXPECT_EQ(edited("BS = 1_024\n", "1_024", 1024, 2), "BS = 2\n");
  EXPECT_EQ(edited("BS = 0x1F\n", "0x1F", 31, 2), "BS = 2\n");
  EXPECT_EQ(edited("BS = 0o17\n", "0o17", 15, 2), "BS = 2\n");
  EXPECT_EQ(edited("BS = 0B11\n", "0B11", 3, 2), "BS = 2\n");
}

TEST_F(SourceEditTest, AnythingButTheExpectedNumberIsRefused) {
  for (const char* other : {"33", "BS", "3_", "\"32\"", "99999999999999999999"}) {
    const std::string source = std::string("x = ") + other + "\n";
    EXPECT_NE(edited(source, other, 32, 64).find("what stands there is not 32"), std::string::npos) << other;
    EXPECT_EQ(text(), source);
  }
  BatchLiteral outside = literal_in(kSource, "32", 32);
  outside.end_byte = 10'000;
  EXPECT_FALSE(apply(make_edit(outside, 64)).ok());
  outside.begin_byte = -1;
  EXPECT_FALSE(apply(make_edit(outside, 64)).ok());
  EXPECT_EQ(text(), kSource);
}

TEST_F(SourceEditTest, AChangedFileIsLeftAlone) {
  const Edit edit = make_edit(literal_in(kSource, "32", 32), 64);
  const std::string changed = std::string(kSource) + "# saved meanwhile\n";
  write(changed);
  const Status status = apply(edit);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().sentence.find("entry_point.py has changed since it was profiled"),
            std::string::npos);
  EXPECT_EQ(text(), changed);
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(SourceEditTest, TheSameEditDoesNotApplyTwice) {
  const Edit edit = make_edit(literal_in(kSource, "32", 32), 64);
  EXPECT_TRUE(apply(edit).ok());
  EXPECT_FALSE(apply(edit).ok());
}

// An editor that saves while we edit, by writing aside and renaming, as most do: none of its saves gets lost.
TEST_F(SourceEditTest, SavesMeanwhileAreNotLost) {
  write("BS = 32\n");
  std::atomic<bool> is_over = false;
  std::atomic<int> lost = 0;
  std::thread editor([&] {
    for (int save = 0; save < 300; ++save) {
      const std::string mark = "# save " + std::to_string(save) + "\n";
      std::ofstream(path_ + ".new") << "BS = 32\n" << mark;
      fs::rename(path_ + ".new", path_);
      std::this_thread::sleep_for(std::chrono::microseconds(300));
      // An edit may be just now putting back what it found.
      for (int look = 0; text().find(mark) == std::string::npos; ++look) {
        if (look == 100) {
          ++lost;
          break;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
    is_over = true;
  });
  const auto edit_what_is_there = [&] {
    const BatchLiteral literal{.path = path_,
                               .value = 32,
                               .begin_byte = 5,
                               .end_byte = 7,
                               .line = 1,
                               .begin_column = 5,
                               .end_column = 7,
                               .file_hash = sha256(text())};
    return apply(make_edit(literal, 64));
  };
  while (!is_over) static_cast<void>(edit_what_is_there().ok());
  editor.join();
  EXPECT_EQ(lost, 0);
  write("BS = 32\n");
  EXPECT_TRUE(edit_what_is_there().ok());
}

TEST_F(SourceEditTest, ModeStays) {
  const BatchLiteral literal = literal_in(kSource, "32", 32);
  ASSERT_EQ(::chmod(path_.c_str(), 0751), 0);
  ASSERT_TRUE(apply(make_edit(literal, 64)).ok());
  struct stat status;
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0751u);
}

TEST_F(SourceEditTest, LinkIsFollowed) {
  BatchLiteral literal = literal_in(kSource, "32", 32);
  literal.path = folder_ / "link.py";
  fs::create_symlink("entry_point.py", literal.path);
  ASSERT_TRUE(apply(make_edit(literal, 64)).ok());
  EXPECT_TRUE(fs::is_symlink(literal.path));
  EXPECT_NE(text().find("batch_size=64"), std::string::npos);
}

TEST_F(SourceEditTest, MissingFileIsRefused) {
  BatchLiteral literal = literal_in(kSource, "32", 32);
  fs::remove(path_);
  const Status status = apply(make_edit(literal, 64));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().sentence.find("No such file"), std::string::npos);
  fs::create_directory(path_);
  EXPECT_FALSE(apply(make_edit(literal, 64)).ok());
}

// Root may do everything; be somebody else for a while.
class AsNobody {
 public:
  AsNobody() { is_changed_ = ::geteuid() == 0 && ::seteuid(65534) == 0; }
  ~AsNobody() {
    if (is_changed_) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }

 private:
  bool is_changed_;
};

TEST_F(SourceEditTest, ReadOnlyFoldersAndFilesAreRefused) {
  const Edit edit = make_edit(literal_in(kSource, "32", 32), 64);
  ASSERT_EQ(::chmod(path_.c_str(), 0666), 0);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0555), 0);
  std::string sentence;
  {
    const AsNobody nobody;
    const Status status = apply(edit);
    ASSERT_FALSE(status.ok());
    sentence = status.error().sentence;
  }
  EXPECT_NE(sentence.find("no file can be made beside it: Permission denied"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("write 64 there yourself"), std::string::npos) << sentence;

  ASSERT_EQ(::chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  {
    const AsNobody nobody;
    EXPECT_FALSE(apply(edit).ok());
  }
  EXPECT_EQ(text(), kSource);
}

TEST_F(SourceEditTest, WhatWouldBeReplacedIsToldAsItStandsThere) {
  const Edit edit = make_edit(literal_in("def f(batch_size=1_024): pass\n", "1_024", 1024), 48);
  EXPECT_EQ(replaced_text(edit).value(), "1_024");
  write("def f(batch_size=1_024):  pass\n");
  ASSERT_FALSE(replaced_text(edit).ok());
  EXPECT_NE(replaced_text(edit).error().sentence.find("has changed since it was profiled"),
            std::string::npos);
}

}  // namespace
}  // namespace skyline::session
