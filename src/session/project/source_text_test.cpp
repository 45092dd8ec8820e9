#include "session/project/source_text.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/descriptor.h"
#include "base/test_folder.h"
#include "session/project/project_files.h"

namespace skyline::session {
namespace {

namespace fs = std::filesystem;

class SourceTextTest : public testing::Test {
 protected:
  // Why a link to it is left out.
  std::string why_not(const std::string& target) const {
    const std::string link = folder_ / "data.py";
    fs::remove(link);
    fs::create_symlink(target, link);
    const auto text = read_source_text(link);
    EXPECT_EQ(why_left_out(link).has_value(), !text.ok());
    return text.ok() ? "" : text.error().sentence;
  }

  const TestFolder folder_;
};

TEST_F(SourceTextTest, PlainFilesAreReadAlsoThroughLinks) {
  const std::string path = folder_.write("model.py", "x = 1\n");
  EXPECT_EQ(read_source_text(path).value(), "x = 1\n");
  EXPECT_EQ(why_not(path), "");
  EXPECT_EQ(read_source_text(folder_.write("empty.py")).value(), "");
}

TEST_F(SourceTextTest, WhatIsNotThereIsNoError) {
  EXPECT_EQ(read_source_text(folder_ / "nothing.py").value(), std::nullopt);
  EXPECT_EQ(why_not(folder_ / "nothing.py"), "");
}

TEST_F(SourceTextTest, WhatIsNoPlainFileIsNamed) {
  EXPECT_EQ(why_not("/dev/zero"), "a device");
  EXPECT_EQ(why_not(folder_.path()), "a folder");
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(why_not(folder_ / "fifo"), "a FIFO");
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
  std::strncpy(name.sun_path, (folder_ / "socket").c_str(), sizeof(name.sun_path) - 1);
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&name), sizeof(name)), 0);
  EXPECT_EQ(why_not(folder_ / "socket"), "a socket");
}

TEST_F(SourceTextTest, AHugeFileIsNotRead) {
  const std::string path = folder_.write("huge.py");
  fs::resize_file(path, kMostWatchedBytes);
  EXPECT_EQ(why_not(path), "");
  fs::resize_file(path, uintmax_t{1} << 40);  // without blocks
  EXPECT_EQ(why_not(path), "larger than 16 MiB");
}

TEST_F(SourceTextTest, AListOfIgnoredFilesThatNeverEndsIsNoList) {
  fs::create_symlink("/dev/zero", folder_ / ".gitignore");
  EXPECT_TRUE(ProjectFiles(folder_.path()).has_file("model.py"));
  fs::remove(folder_ / ".gitignore");
  ASSERT_EQ(::mkfifo((folder_ / ".gitignore").c_str(), 0600), 0);
  EXPECT_TRUE(ProjectFiles(folder_.path()).has_file("model.py"));
}

}  // namespace
}  // namespace skyline::session
