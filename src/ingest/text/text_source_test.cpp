// Plain, gzip and zstd text are held to the same promises, so they are tested together.
#include "ingest/text/text_source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "ingest/text/gzip_text.h"
#include "ingest/text/open_text.h"
#include "ingest/text/plain_text.h"
#include "ingest/text/test_pack.h"
#include "ingest/text/zstd_text.h"

namespace skyline::ingest {
namespace {

std::string trace_like_text(size_t size) {
  std::mt19937 random(8);
  std::string text = "{\"traceEvents\": [";
  while (text.size() < size) {
    text += "{\"ph\": \"X\", \"name\": \"op " + std::to_string(random() % 1000) +
            "\", \"ts\": " + std::to_string(random()) + "}, ";
  }
  text.resize(size);
  return text;
}

struct Packing {
  const char* name;
  std::string (*pack)(std::string_view);
};

std::string pack_plain(std::string_view text) { return std::string(text); }
std::string pack_members(std::string_view text) {
  const size_t third = text.size() / 3;
  return gzip(text.substr(0, third)) + gzip("") + gzip_with_long_header(text.substr(third, third)) +
         gzip(text.substr(2 * third));
}
std::string pack_padded(std::string_view text) { return gzip(text) + std::string(700, '\0'); }
std::string pack_zstd(std::string_view text) { return zstd(text); }
std::string pack_frames(std::string_view text) {
  const std::string skippable("\x53\x2a\x4d\x18\4\0\0\0abcd", 12);
  return skippable + zstd(text.substr(0, text.size() / 2)) + skippable + zstd("") +
         zstd(text.substr(text.size() / 2));
}

constexpr Packing kPackings[] = {
    {"plain", pack_plain},
    {"gzip", gzip},
    {"gzip with a long header", gzip_with_long_header},
    {"gzip members", pack_members},
    {"padded gzip", pack_padded},
    {"zstd", pack_zstd},
    {"zstd frames", pack_frames},
};

std::unique_ptr<TextSource> open_memory(std::string bytes) {
  Result<std::unique_ptr<TextSource>> source = open_text_in_memory(std::move(bytes), "t");
  EXPECT_TRUE(source.ok()) << source.error().sentence;
  return std::move(source).value();
}

std::unique_ptr<TextSource> open_slowly(const std::string& bytes, size_t at_a_time) {
  const std::string_view head(bytes);
  auto input = std::make_unique<SlowInput>(bytes, at_a_time);
  if (head.starts_with("\x1f\x8b")) return gzip_text(std::move(input), "");
  if (head.starts_with("\x28\xb5\x2f\xfd") || head.substr(1).starts_with("\x2a\x4d\x18"))
    return zstd_text(std::move(input), "", "t");
  return plain_text(std::move(input), "");
}

class TempFile {
 public:
  explicit TempFile(std::string_view bytes) {
    char name[] = "/tmp/skyline_test_XXXXXX";
    const int fd = ::mkstemp(name);
    CHECK(fd >= 0);
    ::close(fd);
    path = name;
    write(bytes);
  }
  ~TempFile() { std::filesystem::remove(path); }
  void write(std::string_view bytes) const {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  std::string path;
};

TEST(TextSource, GivesTheTextWhateverItIsPackedIn) {
  const std::string text = trace_like_text(300000);
  for (const Packing& packing : kPackings) {
    for (const size_t size : {1u, 7u, 4096u, 1u << 20, 8u << 20}) {
      const std::unique_ptr<TextSource> source = open_memory(packing.pack(text));
      ASSERT_TRUE(read_all(*source, size) == text) << packing.name << " in pieces of " << size;
      EXPECT_EQ(source->damage(), Damage::kNone) << packing.name;
    }
  }
}

TEST(TextSource, BytesMayComeOneByOne) {
  const std::string text = trace_like_text(20000);
  for (const Packing& packing : kPackings) {
    for (const size_t at_a_time : {1u, 2u, 3u, 100u}) {
      const std::unique_ptr<TextSource> source = open_slowly(packing.pack(text), at_a_time);
      ASSERT_TRUE(read_all(*source) == text) << packing.name << " " << at_a_time;
      EXPECT_EQ(source->damage(), Damage::kNone) << packing.name;
    }
  }
}

TEST(TextSource, EmptyTextIsNoDamage) {
  for (const Packing& packing : kPackings) {
    if (packing.pack == pack_plain) continue;
    const std::unique_ptr<TextSource> source = open_memory(packing.pack(""));
    EXPECT_EQ(read_all(*source), "") << packing.name;
    EXPECT_EQ(source->damage(), Damage::kNone) << packing.name;
  }
}

TEST(TextSource, CutAnywhereItGivesTheBeginningOfTheText) {
  const std::string text = trace_like_text(400);
  for (const Packing& packing : kPackings) {
    if (packing.pack == pack_plain) continue;
    const std::string packed = packing.pack(text);
    for (size_t size = 4; size < packed.size(); ++size) {
      const std::unique_ptr<TextSource> source = open_slowly(packed.substr(0, size), 64);
      const std::string got = read_all(*source);
      ASSERT_TRUE(text.starts_with(got)) << packing.name << " " << size;
      if (got.size() < text.size() && source->damage() == Damage::kNone) {
        // Only a cut between two members or frames cannot be seen.
        ASSERT_TRUE(packing.pack == pack_members || packing.pack == pack_frames)
            << packing.name << " " << size;
      }
      ASSERT_NE(source->damage(), Damage::kCorrupt) << packing.name << " " << size;
    }
  }
}

TEST(TextSource, WhatTheCutLeavesDoesNotDependOnHowItIsRead) {
  const std::string text = trace_like_text(200000);
  for (const Packing& packing : kPackings) {
    const std::string packed = packing.pack(text);
    for (const size_t size : {packed.size() / 7, packed.size() / 2, packed.size() - 5}) {
      const std::string cut = packed.substr(0, size);
      const std::string whole = read_all(*open_memory(cut), 1 << 20);
      for (const size_t piece : {1u, 5000u}) {
        EXPECT_TRUE(read_all(*open_memory(cut), piece) == whole)
            << packing.name << " " << size << " " << piece;
        EXPECT_TRUE(read_all(*open_slowly(cut, piece), 4096) == whole)
            << packing.name << " " << size << " " << piece;
      }
    }
  }
}

TEST(TextSource, ADamagedByteIsNoticedOrHarmless) {
  const std::string text = trace_like_text(200);
  for (const Packing& packing : kPackings) {
    if (packing.pack == pack_plain) continue;
    const std::string packed = packing.pack(text);
    for (size_t at = 4; at < packed.size(); ++at) {
      // One bit here, all of them there.
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ (at % 2 == 0 ? '\x01' : '\xff'));
      Result<std::unique_ptr<TextSource>> source = open_text_in_memory(damaged, "t");
      ASSERT_TRUE(source.ok());
      bool failed = false;
      const std::string got = read_all(*source.value(), 1 << 20, &failed);
      const bool noticed = failed || source.value()->damage() != Damage::kNone;
      ASSERT_TRUE(got == text || noticed) << packing.name << " " << at;
    }
  }
}

TEST(TextSource, GarbageBehindAGzipMemberIsDamage) {
  const std::unique_ptr<TextSource> source = open_memory(gzip("text") + "garbage");
  EXPECT_EQ(read_all(*source), "text");
  EXPECT_EQ(source->damage(), Damage::kCorrupt);
}

TEST(TextSource, ManyPlacesCanBeReadAgain) {
  const std::string text = trace_like_text(9 << 20);
  std::mt19937 random(4);
  for (const Packing& packing : kPackings) {
    const std::string packed = packing.pack(text);
    const TempFile file(packed);
    Result<std::unique_ptr<TextSource>> from_file = open_text(file.path);
    ASSERT_TRUE(from_file.ok());
    std::unique_ptr<TextSource> sources[] = {open_memory(packed), open_slowly(packed, 60000),
                                             std::move(from_file).value()};
    for (std::unique_ptr<TextSource>& source : sources) {
      ASSERT_EQ(read_all(*source, 1 << 20).size(), text.size());
      const std::unique_ptr<TextStore> store = source->into_store();
      source.reset();
      for (int i = 0; i < 6; ++i) {
        const size_t offset = random() % (text.size() + 10), size = random() % 200000;
        const Result<std::string> got = store->read_at(offset, size);
        ASSERT_TRUE(got.ok());
        ASSERT_TRUE(got.value() == text.substr(std::min(offset, text.size()), size))
            << packing.name << " " << offset;
      }
      EXPECT_EQ(store->read_at(text.size() - 3, 100).value(), text.substr(text.size() - 3)) << packing.name;
      EXPECT_EQ(store->read_at(uint64_t{1} << 60, 100).value(), "") << packing.name;
    }
  }
}

TEST(TextSource, APipeIsReadLikeAFile) {
  const std::string text = trace_like_text(3 << 20);
  for (const Packing& packing : kPackings) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    std::jthread writer([&, packed = packing.pack(text)] {
      for (size_t at = 0; at < packed.size();) {
        const ssize_t n = ::write(ends[1], packed.data() + at, std::min<size_t>(packed.size() - at, 10007));
        if (n <= 0) break;
        at += static_cast<size_t>(n);
      }
      ::close(ends[1]);
    });
    Result<std::unique_ptr<TextSource>> source = open_text("/proc/self/fd/" + std::to_string(ends[0]));
    ::close(ends[0]);
    ASSERT_TRUE(source.ok()) << source.error().sentence;
    ASSERT_TRUE(read_all(*source.value()) == text) << packing.name;
    EXPECT_EQ(source.value()->packed_size(), 0u);
    const std::unique_ptr<TextStore> store = source.value()->into_store();
    EXPECT_EQ(store->read_at(2 << 20, 1000).value(), text.substr(2 << 20, 1000)) << packing.name;
  }
}

TEST(TextSource, AFileThatChangedSinceIsNotReadAgain) {
  for (const bool packed : {false, true}) {
    const TempFile file(packed ? gzip(trace_like_text(1000)) : trace_like_text(1000));
    Result<std::unique_ptr<TextSource>> source = open_text(file.path);
    ASSERT_TRUE(source.ok());
    read_all(*source.value());
    const std::unique_ptr<TextStore> store = source.value()->into_store();
    ASSERT_TRUE(store->read_at(0, 10).ok());
    file.write("something else");
    const Result<std::string> got = store->read_at(0, 10);
    ASSERT_FALSE(got.ok());
    EXPECT_NE(got.error().sentence.find("has changed"), std::string::npos);
  }
}

TEST(TextSource, HoweverMuchAGzipUnpacksToFewPlacesAreKept) {
  std::string block = gzip(std::string(64 << 20, ' ')), packed;
  for (int i = 0; i < 20; ++i) packed += block;
  const std::unique_ptr<TextSource> source = open_memory(packed);
  std::string piece(1 << 20, '\0');
  uint64_t size = 0;
  for (size_t n = 1; n > 0; size += n) n = source->read(piece.data(), piece.size()).value();
  EXPECT_EQ(size, uint64_t{20} * (64 << 20));
  const std::unique_ptr<TextStore> store = source->into_store();
  EXPECT_LT(store->held_bytes(), size_t{30} << 20);
  EXPECT_EQ(store->read_at(size - 10, 100).value(), std::string(10, ' '));
  EXPECT_EQ(store->read_at(size / 3, 5).value(), std::string(5, ' '));
}

TEST(TextSource, AZstdWindowBeyondReasonIsRefusedInOneSentence) {
  const std::string text = trace_like_text(1000);
  const std::unique_ptr<TextSource> largest = open_memory(zstd(text, 27));
  EXPECT_EQ(read_all(*largest), text);
  const std::unique_ptr<TextSource> beyond = open_memory(zstd(text, 28));
  char piece[64];
  const Result<size_t> n = beyond->read(piece, sizeof piece);
  ASSERT_FALSE(n.ok());
  EXPECT_NE(n.error().sentence.find("128 MB"), std::string::npos) << n.error().sentence;
}

TEST(OpenText, TellsWhatItCannotUnpack) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "is empty"},
      {"PK\x03\x04rest of a zip", "zip archive"},
      {"\xfd"
       "7zXZ and so on",
       "packed with xz"},
  };
  for (const auto& [bytes, sentence] : cases) {
    const Result<std::unique_ptr<TextSource>> source = open_text_in_memory(bytes, "t.json");
    ASSERT_FALSE(source.ok()) << bytes;
    EXPECT_NE(source.error().sentence.find(sentence), std::string::npos) << source.error().sentence;
    EXPECT_TRUE(source.error().sentence.starts_with("t.json ")) << source.error().sentence;
  }
}

TEST(OpenText, FilesThatCannotBeOpenedAreNamed) {
  for (const char* path : {"/no/such/file.json", "/tmp", ""}) {
    const Result<std::unique_ptr<TextSource>> source = open_text(path);
    ASSERT_FALSE(source.ok()) << path;
    EXPECT_NE(source.error().sentence.find(path), std::string::npos) << source.error().sentence;
  }
}

TEST(OpenText, ShortFilesAreNotMistakenForPackedOnes) {
  for (const std::string bytes : {"\x1f", "{", "\x28\xb5", "P*M"}) {
    EXPECT_EQ(read_all(*open_memory(bytes)), bytes);
  }
}

}  // namespace
}  // namespace skyline::ingest
