#include "ingest/text/gzip_header.h"

#include <gtest/gtest.h>

#include <string>

namespace skyline::ingest {
namespace {

using Status = GzipHeader::Status;

std::string header(unsigned flags, const std::string& rest) {
  return std::string("\x1f\x8b\x08", 3) + static_cast<char>(flags) + std::string("\1\2\3\4\5\6", 6) + rest;
}

TEST(GzipHeader, EndsWhereItsFlagsSayInPiecesOfAnySize) {
  const std::string extra("\3\0abc", 5), no_extra("\0\0", 2), name("name\0", 5), comment("c\0", 2),
      sum("\7\7");
  const std::string cases[] = {
      header(0, ""),
      header(1, ""),  // "text", which says nothing
      header(2, sum),
      header(4, extra),
      header(4, no_extra),
      header(8, name),
      header(8, std::string(1, '\0')),
      header(16, comment),
      header(2 + 4 + 8 + 16, extra + name + comment + sum),
      header(4 + 16, extra + comment),
  };
  for (const std::string& bytes : cases) {
    for (size_t piece = 1; piece <= bytes.size() + 1; ++piece) {
      const std::string text = bytes + "data";
      GzipHeader reader;
      size_t at = 0;
      Status status = Status::kNeedsMore;
      while (status == Status::kNeedsMore && at < text.size()) {
        const auto* begin = reinterpret_cast<const uint8_t*>(text.data());
        const uint8_t* p = begin + at;
        status = reader.take(p, begin + std::min(text.size(), at + piece));
        at = static_cast<size_t>(p - begin);
      }
      ASSERT_EQ(status, Status::kDone);
      ASSERT_EQ(at, bytes.size()) << piece;
    }
  }
}

TEST(GzipHeader, EveryPrefixNeedsMore) {
  const std::string bytes = header(2 + 4 + 8 + 16, std::string("\3\0abcname\0comment\0\7\7", 20));
  for (size_t size = 0; size < bytes.size(); ++size) {
    GzipHeader reader;
    const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
    EXPECT_EQ(reader.take(p, p + size), Status::kNeedsMore) << size;
  }
}

TEST(GzipHeader, OtherFilesAreNone) {
  for (const std::string& bytes :
       {std::string("\x1f\x8c\x08\0......", 10), std::string("\x1f\x8b\x07\0......", 10), std::string("{}"),
        header(0x20, ""), header(0x80, "")}) {
    GzipHeader reader;
    const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
    EXPECT_EQ(reader.take(p, p + bytes.size()), Status::kBad) << bytes;
  }
}

}  // namespace
}  // namespace skyline::ingest
