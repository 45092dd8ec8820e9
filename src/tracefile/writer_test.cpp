#include "tracefile/writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "tracefile/test_file.h"

namespace skyline::tracefile {
namespace {

TEST(Writer, EveryChunkIsInTheFileWhenAppendReturns) {
  TestFolder folder;
  Result<Writer> writer = Writer::create(folder / "x.skyline");
  for (size_t i = 1; i <= 3; ++i) {
    ASSERT_TRUE(writer.value().append(events_chunk(10)).ok());
    EXPECT_EQ(writer.value().bytes_written(), std::filesystem::file_size(folder / "x.skyline"));
    const Result<Reader> reader = Reader::open(folder / "x.skyline");
    EXPECT_EQ(reader.value().chunks().size(), i);
    EXPECT_EQ(reader.value().ending().kind, Ending::Kind::kTruncated);
    EXPECT_EQ(reader.value().ending().rest_bytes, 0u);
  }
}

// A limit on the file's size fails as a full disk does: part of a chunk is written, then no more.
TEST(Writer, AFileThatCannotGrowIsCutBackAndCanBeFinishedLater) {
  TestFolder folder;
  const std::string path = folder / "full.skyline";
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    Result<Writer> writer = Writer::create(path);
    bool good = writer.value().append(events_chunk(10)).ok();
    const uint64_t whole = writer.value().bytes_written();
    rlimit old, small;
    ::getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = whole + 50;
    ::setrlimit(RLIMIT_FSIZE, &small);
    const Status refused = writer.value().append(events_chunk(1000));
    good = good && !refused.ok() && refused.error().sentence.find("cannot write to ") == 0;
    good = good && writer.value().bytes_written() == whole && std::filesystem::file_size(path) == whole;
    ::setrlimit(RLIMIT_FSIZE, &old);
    good = good && writer.value().append(events_chunk(7)).ok() && writer.value().finish().ok();
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  const Result<Reader> reader = Reader::open(path);
  EXPECT_EQ(reader.value().ending().kind, Ending::Kind::kComplete);
  ASSERT_EQ(reader.value().chunks().size(), 2u);
  EXPECT_EQ(reader.value().chunks()[1].rows(), 7u);
}

TEST(Writer, KillingTheProcessLosesNothingThatWasAppended) {
  TestFolder folder;
  const std::string path = folder / "killed.skyline";
  const pid_t child = ::fork();
  if (child == 0) {
    Result<Writer> writer = Writer::create(path);
    for (int i = 0; i < 3; ++i) static_cast<void>(writer.value().append(events_chunk(100)).ok());
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(Reader::open(path).value().chunks().size(), 3u);
}

// One chunk in a file that is not finished.
std::string cut_recording(const std::string& path) {
  Result<Writer> writer = Writer::create(path);
  CHECK(writer.ok() && writer.value().append(events_chunk(10)).ok());
  return read_file(path);
}

struct stat about(const std::string& path) {
  struct stat status = {};
  CHECK(::stat(path.c_str(), &status) == 0);
  return status;
}

TEST(Writer, WhoReadsTheOldFileKeepsItAndTheNewOneHasItsHeaderAtOnce) {
  TestFolder folder;
  const std::string path = folder / "x.skyline", old = cut_recording(path);
  std::ifstream reader(path, std::ios::binary);
  ::chmod(path.c_str(), 0640);
  const Result<Writer> writer = Writer::create(path);
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), old);
  EXPECT_EQ(std::filesystem::file_size(path), sizeof(FileHeader));
  EXPECT_EQ(Reader::open(path).value().chunks().size(), 0u);
  EXPECT_EQ(about(path).st_mode & 07777, 0640u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "nothing is left over";
}

TEST(Writer, WhatALinkPointsToIsReplacedAndNotTheLink) {
  TestFolder folder;
  folder.write("far/old.skyline", sample_bytes());
  std::filesystem::create_symlink("far/old.skyline", folder / "link");
  std::filesystem::create_symlink("far/new.skyline", folder / "dangling");
  const ino_t before = about(folder / "link").st_ino;
  const std::string bytes = cut_recording(folder / "link");
  EXPECT_NE(about(folder / "link").st_ino, before);
  EXPECT_EQ(cut_recording(folder / "dangling"), bytes);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "far/old.skyline"), bytes);
  EXPECT_EQ(read_file(folder / "far/new.skyline"), bytes);
}

// Emptied, as nobody else could be told of a new one.
TEST(Writer, AFileOfTwoNamesOneThatIsStillEmptyAndAnOpenOneAreKept) {
  TestFolder folder;
  const std::string two = folder.write("two", "precious"), empty = folder.write("empty");
  std::filesystem::create_hard_link(two, folder / "names");
  const std::string bytes = cut_recording(two);
  EXPECT_EQ(read_file(folder / "names"), bytes);

  const ino_t before = about(empty).st_ino;
  cut_recording(empty);
  EXPECT_EQ(about(empty).st_ino, before);

  const int fd = ::open(empty.c_str(), O_RDONLY);
  cut_recording("/proc/self/fd/" + std::to_string(fd));
  EXPECT_EQ(about(empty).st_ino, before);
  ::close(fd);
}

TEST(Writer, AFolderThatTakesNoNewFileLetsTheOldOneBeUsed) {
  TestFolder folder;
  const std::string name(255, 'n');  // one that cannot be longer
  write_file(folder / name, "old");
  const std::string bytes = cut_recording(folder / name);
  EXPECT_EQ(Reader::over(bytes, "new").value().chunks().size(), 1u);
}

TEST(Writer, AFolderOrAPipeInItsPlaceStays) {
  TestFolder folder;
  const Result<Writer> in_folder = Writer::create(folder.path());
  EXPECT_EQ(in_folder.error().sentence, "cannot create " + folder.path() + ": Is a directory");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(Writer::create(folder / "pipe").ok());
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(Writer, RefusesToReplaceAFileWhenItMustBeNew) {
  TestFolder folder;
  write_file(folder / "old", "precious");
  const Result<Writer> writer = Writer::create(folder / "old", {.must_be_new = true});
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.error().sentence, "cannot create " + folder / "old" + ": File exists");
  EXPECT_EQ(read_file(folder / "old"), "precious");
}

TEST(Writer, AFolderThatIsNotThereIsOneSentence) {
  const Result<Writer> writer = Writer::create("/nowhere/at/all.skyline");
  EXPECT_EQ(writer.error().sentence, "cannot create /nowhere/at/all.skyline: No such file or directory");
}

TEST(Writer, MistakesOfTheCallerAreRefusedAndLeaveTheFileWhole) {
  TestFolder folder;
  Result<Writer> writer = Writer::create(folder / "x.skyline");
  const uint64_t three[] = {1, 2, 3}, two[] = {1, 2};
  ChunkBuilder chunk(TableId::kEvents);
  chunk.add(events::kStartTicks, three);
  chunk.add(events::kDurTicks, two);
  const Status lengths = writer.value().append(chunk);
  ASSERT_FALSE(lengths.ok());
  EXPECT_NE(lengths.error().sentence.find("columns of different length"), std::string::npos);

  chunk.restart(TableId::kEvents);
  chunk.add(events::kStartTicks, two);
  chunk.add(events::kStartTicks, two);
  EXPECT_FALSE(writer.value().append(chunk).ok());

  chunk.restart(TableId::kMemory);
  chunk.add(events::kStartTicks, two);
  EXPECT_FALSE(writer.value().append(chunk).ok());

  chunk.restart(TableId::kEvents);
  chunk.add(events::kStartTicks, two);
  EXPECT_TRUE(writer.value().append(chunk).ok());
  EXPECT_TRUE(writer.value().finish().ok());
  EXPECT_FALSE(writer.value().append(chunk).ok());  // closed
  EXPECT_EQ(Reader::open(folder / "x.skyline").value().ending().kind, Ending::Kind::kComplete);
}

TEST(Writer, WritesNothingIntoAFileThatHasGotItsNumber) {
  TestFolder folder;
  Result<Writer> writer = Writer::create(folder / "x.skyline");
  ASSERT_TRUE(writer.value().append(events_chunk(3)).ok());
  const int next = ::open((folder / "theirs").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::dup2(next, next - 1), next - 1);  // ours was the one before
  EXPECT_FALSE(writer.value().append(events_chunk(3)).ok());
  writer.value().abandon();
  EXPECT_EQ(std::filesystem::file_size(folder / "theirs"), 0u);
  EXPECT_EQ(::close(next - 1), 0);  // still open
  ::close(next);
}

TEST(Writer, AnAbandonedFileIsLeftToItsOtherOwner) {
  TestFolder folder;
  Result<Writer> writer = Writer::create(folder / "x.skyline");
  ASSERT_TRUE(writer.value().append(events_chunk(3)).ok());
  const std::string before = read_file(folder / "x.skyline");
  writer.value().abandon();
  EXPECT_FALSE(writer.value().append(events_chunk(3)).ok());
  EXPECT_EQ(read_file(folder / "x.skyline"), before);
}

}  // namespace
}  // namespace skyline::tracefile
