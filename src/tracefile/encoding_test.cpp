#include "tracefile/encoding.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace skyline::tracefile {
namespace {

TEST(Encoding, DeltaIsTheDifferenceToTheElementBefore) {
  const uint32_t values[] = {100, 103, 103, 101};
  uint32_t encoded[4];
  apply_delta(values, 4, 4, encoded);
  EXPECT_EQ(std::vector<uint32_t>(encoded, encoded + 4), (std::vector<uint32_t>{100, 3, 0, UINT32_MAX - 1}));
}

TEST(Encoding, SplitPutsBytesOfTheSameWeightTogether) {
  const uint16_t values[] = {0x0102, 0x0103, 0x0104};
  uint8_t encoded[6];
  apply_split(values, 3, 2, encoded);
  EXPECT_EQ(std::vector<uint8_t>(encoded, encoded + 6), (std::vector<uint8_t>{2, 3, 4, 1, 1, 1}));
}

// Squares of eight are turned at once; what is left over goes byte by byte.
TEST(Encoding, WholeSquaresAndRemaindersOfSplitAgree) {
  std::vector<uint64_t> values;
  for (uint64_t i = 0; i < 19; ++i) values.push_back(0x0101010101010101 * i + 0x0706050403020100);
  std::vector<uint8_t> encoded(values.size() * 8);
  apply_split(values.data(), values.size(), 8, encoded.data());
  for (size_t byte = 0; byte < 8; ++byte) {
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(encoded[byte * values.size() + i], static_cast<uint8_t>(values[i] >> (8 * byte)));
    }
  }
  std::vector<uint64_t> decoded(values.size());
  undo_split(encoded.data(), values.size(), 8, decoded.data());
  EXPECT_EQ(decoded, values);
}

}  // namespace
}  // namespace skyline::tracefile
