#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <thread>

#include "base/test_folder.h"
#include "ingest/cache_folder.h"
#include "ingest/content_hash.h"
#include "ingest/ingest.h"
#include "ingest/native/test_snapshot.h"
#include "ingest/text/test_pack.h"

namespace skyline::ingest {
namespace {

namespace fs = std::filesystem;
using TracePtr = std::unique_ptr<const Trace>;

std::string json(int64_t start, int events = 300) {
  std::string text = R"({"schemaVersion": 1, "traceEvents": [)";
  for (int i = 0; i < events; ++i) {
    text += std::string(i == 0 ? "" : ",") + "\n" + R"({"ph": "X", "cat": "cpu_op", "name": "aten::op)" +
            std::to_string(i % 7) + R"(", "pid": 1, "tid": 2, "ts": )" + std::to_string(start + i * 10) +
            R"(, "dur": 5, "args": {"External id": )" + std::to_string(i + 1) + R"(, "more": "text"}})";
  }
  return text + "]}";
}

class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    options_.threads = 2;
    options_.cache = {
        .folder = folder_ / "home/cache", .engine = "test 1", .max_bytes = 1 << 20, .min_text_bytes = 100};
  }

  std::string path(const std::string& name) const { return folder_ / name; }

  std::string write(const std::string& name, const std::string& bytes) const {
    return folder_.write(name, bytes);
  }

  TracePtr read(const std::string& file) const {
    Result<TracePtr> trace = read_trace(file, options_);
    if (!trace.ok()) ADD_FAILURE() << trace.error().sentence;
    return std::move(trace).value();
  }

  // Reads a file and keeps it, as a command does.
  TracePtr visit(const std::string& file) const {
    TracePtr trace = read(file);
    keep_in_cache(*trace, options_);
    return trace;
  }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    if (!fs::exists(options_.cache.folder)) return found;
    for (const auto& entry : fs::directory_iterator(options_.cache.folder)) {
      if (entry.path().extension() == ".skyline" && entry.is_regular_file()) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  const TestFolder folder_;
  IngestOptions options_;
};

TEST_F(CacheTest, TheSecondReadGivesTheSameTraceWithoutReadingTheText) {
  const std::string text = json(1000);
  for (const auto& [name, bytes] :
       {std::pair{"a.json", text}, {"a.json.gz", gzip(text)}, {"a.json.zst", zstd(text)}}) {
    const std::string file = write(name, bytes);
    const TracePtr first = visit(file), second = visit(file);
    EXPECT_FALSE(first->info.from_cache) << name;
    EXPECT_TRUE(second->info.from_cache) << name;
    EXPECT_EQ(native::snapshot(*second), native::snapshot(*first)) << name;
    EXPECT_EQ(second->info.path, file);
    EXPECT_EQ(second->info.compression, first->info.compression) << name;
    EXPECT_EQ(second->info.source_bytes, first->info.source_bytes) << name;
    for (const uint64_t offset : first->slices.source_place) {
      ASSERT_EQ(second->args->event_text(offset).value(), first->args->event_text(offset).value()) << name;
    }
    EXPECT_EQ(second->args->text_at(0, 1 << 20).value(), text) << name;
  }
  EXPECT_EQ(entries().size(), 3u);
}

TEST_F(CacheTest, LongGzipTextCanBeEnteredAnywhere) {
  options_.cache.max_bytes = 64 << 20;
  const std::string file = write("a.json.gz", gzip(json(1000, 120'000)));
  const TracePtr first = visit(file), second = visit(file);
  ASSERT_TRUE(second->info.from_cache);
  ASSERT_GT(first->info.text_bytes, 10u << 20);
  for (size_t i = 0; i < first->slices.size(); i += 30'011) {
    const uint64_t offset = first->slices.source_place[i];
    EXPECT_EQ(second->args->event_text(offset).value(), first->args->event_text(offset).value());
  }
}

TEST_F(CacheTest, AnotherNameForTheSameBytesFindsThemToo) {
  const TracePtr first = visit(write("a.json", json(1000)));
  const TracePtr second = read(write("b.json", json(1000)));
  EXPECT_TRUE(second->info.from_cache);
  EXPECT_EQ(second->info.path, path("b.json"));
}

TEST_F(CacheTest, ChangedBytesAreReadAnew) {
  const std::string file = write("a.json", json(1000));
  const TracePtr first = visit(file);
  struct stat before = {};
  ::stat(file.c_str(), &before);
  write("a.json", json(2000));
  const timespec times[2] = {before.st_atim, before.st_mtim};
  ::utimensat(AT_FDCWD, file.c_str(), times, 0);  // somebody keeps the old time
  const TracePtr second = visit(file);
  EXPECT_FALSE(second->info.from_cache);
  EXPECT_EQ(second->slices.start_ns[0], 2'000'000);
}

TEST_F(CacheTest, AFileThatChangesWhileItIsReadIsNotKept) {
  const std::string file = write("a.json", json(1000));
  const TracePtr trace = read(file);
  ::usleep(20'000);  // the file system's clock moves on
  write("a.json", json(2000));
  keep_in_cache(*trace, options_);
  EXPECT_TRUE(entries().empty());
}

TEST_F(CacheTest, SmallTracesPipesAndRecordingsAreNotKept) {
  options_.cache.min_text_bytes = 1 << 20;
  visit(write("small.json", json(1000)));
  options_.cache.min_text_bytes = 0;
  const Result<TracePtr> from_memory = read_trace_bytes(json(1000), "memory", options_);
  keep_in_cache(*from_memory.value(), options_);
  ASSERT_TRUE(write_skyline(*from_memory.value(), path("t.skyline"), {}).ok());
  visit(path("t.skyline"));
  EXPECT_TRUE(entries().empty());
}

TEST_F(CacheTest, WithoutAFolderNothingIsKept) {
  const std::string folder = std::exchange(options_.cache.folder, "");
  const std::string file = write("a.json", json(1000));
  visit(file);
  EXPECT_FALSE(visit(file)->info.from_cache);
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(CacheTest, DamagedEntriesAreIgnoredAndReplaced) {
  const std::string file = write("a.json", json(1000));
  const TracePtr first = visit(file);
  const std::string entry = entries().at(0).string();
  const std::string bytes = read_file(entry);
  for (size_t at = 0; at < bytes.size(); at += 97) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    if (at % 2 == 0) damaged.resize(at);
    write_file(entry, damaged);
    const TracePtr again = visit(file);
    EXPECT_EQ(native::snapshot(*again), native::snapshot(*first)) << at;
    EXPECT_TRUE(read(file)->info.from_cache) << at;
  }
}

TEST_F(CacheTest, WhatIsNotAFileOfTheUserIsNotBelieved) {
  const std::string file = write("a.json", json(1000));
  visit(file);
  const fs::path entry = entries().at(0);
  fs::rename(entry, path("elsewhere"));
  fs::create_symlink(path("elsewhere"), entry);
  EXPECT_FALSE(read(file)->info.from_cache);
}

TEST_F(CacheTest, OnlyTheUserMayLook) {
  visit(write("a.json", json(1000)));
  struct stat status = {};
  ::stat(entries().at(0).c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  ::stat(options_.cache.folder.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ::stat(path("home").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(CacheTest, TheLongestUnusedGoFirst) {
  for (const int name : {1, 2, 3}) visit(write(std::to_string(name) + ".json", json(name * 1000)));
  ASSERT_EQ(entries().size(), 3u);
  const uint64_t size = fs::file_size(entries()[0]);
  // All used long ago; then the first is used again.
  for (const fs::path& entry : entries())
    fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_TRUE(read(path("1.json"))->info.from_cache);
  options_.cache.max_bytes = 2 * size + size / 2;
  visit(write("4.json", json(4000)));
  EXPECT_EQ(entries().size(), 2u);
  EXPECT_TRUE(read(path("1.json"))->info.from_cache);
  EXPECT_TRUE(read(path("4.json"))->info.from_cache);
  EXPECT_FALSE(read(path("2.json"))->info.from_cache);
}

TEST_F(CacheTest, ATraceThatIsTooLargeForItLeavesTheOthersAlone) {
  visit(write("a.json", json(1000)));
  options_.cache.max_bytes = 2 * fs::file_size(entries()[0]);
  visit(write("large.json", json(5000, 20'000)));
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_TRUE(read(path("a.json"))->info.from_cache);
}

TEST_F(CacheTest, OtherProgramsReadForThemselves) {
  const std::string file = write("a.json", json(1000));
  visit(file);
  options_.cache.engine = "test 2/../x";
  EXPECT_FALSE(visit(file)->info.from_cache);
  EXPECT_TRUE(visit(file)->info.from_cache);
  EXPECT_EQ(entries().size(), 1u);  // the other program's is outdated
}

TEST_F(CacheTest, StrangersInTheFolderAreLeftAlone) {
  fs::create_directories(options_.cache.folder);
  write_file(options_.cache.folder + "/notes.txt", "mine");
  write_file(options_.cache.folder + "/x.skyline.part-1-1", "crashed");
  fs::last_write_time(options_.cache.folder + "/x.skyline.part-1-1",
                      fs::file_time_type::clock::now() - std::chrono::hours(5));
  options_.cache.max_bytes = 100'000;
  visit(write("a.json", json(1000)));
  EXPECT_TRUE(fs::exists(options_.cache.folder + "/notes.txt"));
  EXPECT_FALSE(fs::exists(options_.cache.folder + "/x.skyline.part-1-1"));
}

TEST_F(CacheTest, AFolderThatCannotBeMadeIsNoTrouble) {
  write("home", "a file where a folder should be");
  const std::string file = write("a.json", json(1000));
  EXPECT_EQ(visit(file)->slices.size(), 300u);
  EXPECT_FALSE(visit(file)->info.from_cache);
}

TEST_F(CacheTest, ManyAtOnceAgree) {
  const std::string file = write("a.json", json(1000));
  const std::string expected = native::snapshot(*read(file));
  options_.cache.max_bytes = 30'000;  // so small that entries also go
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(native::snapshot(*visit(file)), expected);
        visit(write(std::to_string(t) + ".json", json(1000 * t + i)));
      }
    });
  }
}

TEST(ContentHash, DoesNotDependOnThreadsAndNoticesEveryByte) {
  std::string bytes(9 << 20, 'x');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 >> 3);
  const auto hash = [](const std::string& of, unsigned threads) {
    return content_hash(*remember(of), of.size(), threads).value();
  };
  const std::string expected = hash(bytes, 1);
  EXPECT_EQ(expected.size(), 32u);
  EXPECT_EQ(hash(bytes, 3), expected);
  for (const size_t at : {size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_NE(hash(changed, 2), expected) << at;
  }
  EXPECT_NE(hash(bytes.substr(1), 2), expected);
  EXPECT_NE(hash("", 1), expected);
}

TEST(CacheFolder, LinksToEntriesThatAreGoneGoToo) {
  const TestFolder folder;
  const CacheFolder cache(folder.path(), "e");
  const std::string hash(32, 'a'), other(32, 'b');
  write_file(cache.entry(10, hash), "entry");
  cache.remember_hash("1-2-3", hash);
  cache.remember_hash("4-5-6", other);
  EXPECT_EQ(cache.known_hash("4-5-6"), other);
  cache.tidy(cache.entry(10, hash), 1000);
  EXPECT_EQ(cache.known_hash("1-2-3"), hash);
  EXPECT_EQ(cache.known_hash("4-5-6"), "");
  EXPECT_EQ(cache.known_hash(""), "");
  EXPECT_TRUE(cache.may_hold(10));
  EXPECT_FALSE(cache.may_hold(1));
}

}  // namespace
}  // namespace skyline::ingest
