#include "base/string_pool.h"

#include <gtest/gtest.h>
#include <string>

namespace skyline {
namespace {

TEST(StringPool, SameTextSameIdInOrderOfFirstAppearance) {
  StringPool pool;
  EXPECT_EQ(pool.intern("b").value, 0u);
  EXPECT_EQ(pool.intern("a").value, 1u);
  EXPECT_EQ(pool.intern("b").value, 0u);
  EXPECT_EQ(pool[StringId(1)], "a");
}

TEST(StringPool, TellsApartTextsOfEveryLengthAndKeepsThemWhileGrowing) {
  StringPool pool;
  for (int i = 0; i < 20000; ++i)
    pool.intern(std::string(static_cast<size_t>(i % 70), 'x') + std::to_string(i));
  for (int i = 0; i < 20000; ++i) {
    const std::string text = std::string(static_cast<size_t>(i % 70), 'x') + std::to_string(i);
    ASSERT_EQ(pool.find(text).value, static_cast<uint32_t>(i));
    ASSERT_EQ(pool[StringId(static_cast<uint32_t>(i))], text);
  }
}

TEST(StringPool, UnknownTextAndNoIdAreHarmless) {
  StringPool pool;
  EXPECT_FALSE(pool.find("nothing yet").exists());
  pool.intern("");
  EXPECT_TRUE(pool.find("").exists());
  EXPECT_FALSE(pool.find("still not").exists());
  EXPECT_EQ(pool[StringId()], "");
}

TEST(StringPool, TextWithNulBytesAndHugeTextAreKept) {
  StringPool pool;
  const std::string nul("a\0b", 3), huge(1 << 20, 'z');
  EXPECT_EQ(pool[pool.intern(nul)], nul);
  EXPECT_EQ(pool[pool.intern(huge)], huge);
}

}  // namespace
}  // namespace skyline
