#include "base/sha256.h"

#include <gtest/gtest.h>

namespace skyline {
namespace {

// The vectors of FIPS 180-4's examples.
TEST(Sha256Test, KnownTextsHaveTheirKnownHashes) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      sha256(
          "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsm"
          "nopqrstnopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, PiecesMakeTheSameAsTheWhole) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (size_t size = 0; size <= text.size(); ++size) {
    const std::string_view part = std::string_view(text).substr(0, size);
    Sha256 pieces;
    for (size_t at = 0; at < size; at += 13) pieces.add(part.substr(at, 13));
    EXPECT_EQ(pieces.finish(), sha256(part)) << size;
  }
}

}  // namespace
}  // namespace skyline
