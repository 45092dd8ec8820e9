#include "base/address_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace skyline {
namespace {

TEST(AddressMap, AgreesWithAMapUnderRandomUse) {
  AddressMap<uint64_t> values;
  std::map<uint64_t, uint64_t> expected;
  std::mt19937_64 random(7);
  for (uint64_t i = 0; i < 200'000; ++i) {
    const uint64_t at = (random() % 3000 + 1) * 64;
    if (random() % 2 == 0) {
      values[at] = expected[at] = at + i;
    } else {
      values.remove(at);
      expected.erase(at);
    }
    const auto known = expected.find(at);
    const uint64_t* const found = values.find(at);
    ASSERT_EQ(found != nullptr, known != expected.end());
    if (found != nullptr) {
      ASSERT_EQ(*found, known->second);
    }
    ASSERT_EQ(values.size(), expected.size());
  }
  std::map<uint64_t, uint64_t> all;
  values.for_each([&](uint64_t address, uint64_t value) { all[address] = value; });
  EXPECT_EQ(all, expected);
}

TEST(AddressMap, NothingIsAtNull) {
  AddressMap<int> values;
  values.remove(0);
  EXPECT_EQ(values.find(0), nullptr);
  EXPECT_EQ(values.find(64), nullptr);
  EXPECT_EQ(values.size(), 0u);
}

}  // namespace
}  // namespace skyline
