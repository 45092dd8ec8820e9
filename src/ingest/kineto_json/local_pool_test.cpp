#include "ingest/kineto_json/local_pool.h"

#include <gtest/gtest.h>

#include <string>

namespace skyline::ingest::kineto_json {
namespace {

TEST(LocalPool, SameBytesSameIdInOrderOfFirstAppearance) {
  LocalPool pool;
  pool.clear();
  EXPECT_EQ(pool.intern("b"), StringId(0));
  EXPECT_EQ(pool.intern("a"), StringId(1));
  EXPECT_EQ(pool.intern("b"), StringId(0));
  EXPECT_EQ(pool.entries().size(), 2u);
  EXPECT_EQ(pool.entries()[1].text, "a");
}

TEST(LocalPool, ATextIsDecodedOnce) {
  LocalPool pool;
  pool.clear();
  const StringId id = pool.intern(R"(gr\u00fcn)");
  EXPECT_EQ(pool.entries()[id.value].text, "gr\xc3\xbcn");
  EXPECT_EQ(pool.entries()[id.value].written, R"(gr\u00fcn)");
  EXPECT_FALSE(pool.repaired(id));
  EXPECT_TRUE(pool.repaired(pool.intern("\xff")));
}

TEST(LocalPool, TheSameBytesAsTextAndAsJsonAreTwo) {
  LocalPool pool;
  pool.clear();
  const StringId text = pool.intern("[ 1, 2 ]"), json = pool.intern("[ 1, 2 ]", LocalPool::Form::kJson);
  EXPECT_NE(text, json);
  EXPECT_EQ(pool.entries()[text.value].text, "[ 1, 2 ]");
  EXPECT_EQ(pool.entries()[json.value].text, "[1,2]");
  EXPECT_EQ(pool.intern("[ 1, 2 ]", LocalPool::Form::kJson), json);
}

TEST(LocalPool, GrowsAndForgets) {
  std::vector<std::string> texts;
  for (int i = 0; i < 30000; ++i) texts.push_back("text " + std::to_string(i) + (i % 3 == 0 ? "\\n" : ""));
  LocalPool pool;
  for (int round = 0; round < 2; ++round) {
    pool.clear();
    EXPECT_TRUE(pool.entries().empty());
    for (uint32_t i = 0; i < texts.size(); ++i) ASSERT_EQ(pool.intern(texts[i]), StringId(i));
    for (uint32_t i = 0; i < texts.size(); ++i) ASSERT_EQ(pool.intern(texts[i]), StringId(i));
    EXPECT_EQ(pool.entries()[0].text, "text 0\n");
  }
}

}  // namespace
}  // namespace skyline::ingest::kineto_json
