// The laws of the two tables that everything else looks things up in: categories and losses.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "trace/category.h"
#include "trace/losses.h"

namespace skyline {
namespace {

TEST(CategoryTable, LinesStandInTheOrderOfTheEnum) {
  for (size_t i = 0; i < kCategories.size(); ++i) EXPECT_EQ(static_cast<size_t>(kCategories[i].category), i);
  EXPECT_EQ(static_cast<size_t>(Category::kOther) + 1, kCategories.size());
}

TEST(CategoryTable, NamesAreUniqueAndSpeakable) {
  std::set<std::string_view> names;
  for (const CategoryTraits& line : kCategories) {
    EXPECT_TRUE(names.insert(line.name).second) << line.name;
    EXPECT_FALSE(line.name.empty());
    EXPECT_TRUE(std::all_of(line.name.begin(), line.name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '_';
    })) << line.name;
  }
}

TEST(CategoryTable, AnnotationsEncloseFramesThatEncloseOpsThatEncloseCalls) {
  const auto rank = [](Category category) { return traits(category).nesting_rank; };
  EXPECT_LT(rank(Category::kUserAnnotation), rank(Category::kPython));
  EXPECT_LT(rank(Category::kPython), rank(Category::kCpuOp));
  EXPECT_LT(rank(Category::kCpuOp), rank(Category::kRuntime));
  EXPECT_EQ(rank(Category::kRuntime), rank(Category::kDriver));
  EXPECT_LT(rank(Category::kGpuAnnotation), rank(Category::kKernel));
}

TEST(LossTable, LinesStandInTheOrderOfTheEnum) {
  for (size_t i = 0; i < kLosses.size(); ++i) EXPECT_EQ(static_cast<size_t>(kLosses[i].loss), i);
}

TEST(LossTable, NamesAreUniqueDottedWords) {
  std::set<std::string_view> names;
  for (const LossKind& kind : kLosses) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(std::count(kind.name.begin(), kind.name.end(), '.'), 1) << kind.name;
    EXPECT_TRUE(std::all_of(kind.name.begin(), kind.name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || c == '_' || c == '.';
    })) << kind.name;
  }
}

// The sentences are shown behind a count and a colon, so they begin small and end open.
TEST(LossTable, EveryKindIsExplainedInOneSentence) {
  std::set<std::string_view> sentences;
  for (const LossKind& kind : kLosses) {
    EXPECT_TRUE(sentences.insert(kind.sentence).second) << kind.name;
    EXPECT_GE(kind.sentence.size(), 20u) << kind.name;
    EXPECT_FALSE(kind.sentence.ends_with('.')) << kind.name;
    EXPECT_TRUE((kind.sentence[0] >= 'a' && kind.sentence[0] <= 'z') || kind.sentence[0] == '[') << kind.name;
  }
}

TEST(LossCounts, RememberTheEarliestPlace) {
  LossCounts losses;
  losses.add(Loss::kBadTime, 90);
  losses.add(Loss::kBadTime, 40, 2);
  losses.add(Loss::kBadTime, 70);
  EXPECT_EQ(losses[Loss::kBadTime].count, 4u);
  EXPECT_EQ(losses[Loss::kBadTime].first_offset, 40u);
}

TEST(LossCounts, NothingLostHasNoPlace) {
  LossCounts losses;
  losses.add(Loss::kBadTime, 5, 0);
  EXPECT_EQ(losses[Loss::kBadTime].count, 0u);
  EXPECT_EQ(losses[Loss::kBadTime].first_offset, UINT64_MAX);
}

TEST(LossCounts, MergeInAnyOrderToTheSame) {
  LossCounts a, b;
  a.add(Loss::kTruncated, 10);
  a.add(Loss::kNoPhase, 8);
  b.add(Loss::kNoPhase, 3, 5);
  LossCounts ab = a, ba = b;
  ab.merge(b);
  ba.merge(a);
  for (const LossKind& kind : kLosses) {
    EXPECT_EQ(ab[kind.loss].count, ba[kind.loss].count) << kind.name;
    EXPECT_EQ(ab[kind.loss].first_offset, ba[kind.loss].first_offset) << kind.name;
  }
  EXPECT_EQ(ab[Loss::kNoPhase].count, 6u);
  EXPECT_EQ(ab[Loss::kNoPhase].first_offset, 3u);
}

TEST(LossCounts, TotalsAreBySeverity) {
  LossCounts losses;
  losses.add(Loss::kRepairedEvent, 1, 3);  // a notice
  losses.add(Loss::kMalformedEvent, 1, 4);
  losses.add(Loss::kBadTime, 1, 5);
  EXPECT_EQ(losses.total(Severity::kNotice), 3u);
  EXPECT_EQ(losses.total(Severity::kDataLoss), 9u);
}

}  // namespace
}  // namespace skyline
