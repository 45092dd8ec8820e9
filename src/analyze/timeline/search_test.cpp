#include "analyze/timeline/search.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analyze/core/intervals.h"
#include "analyze/core/test_random_trace.h"
#include "analyze/timeline/timeline.h"

namespace skyline::analyze {
namespace {

SearchResult search(const Trace& trace, std::string_view text, size_t limit) {
  return search_slices(trace, SliceNames(trace, 2), text, limit, 2);
}

TEST(TimelineSearch, FindsNamesInAnyCaseInTheOrderOfTime) {
  TestTrace t;
  const TrackId main = t.thread("1"), other = t.thread("2");
  t.op("aten::MM", main, 50, 10)
      .op("aten::add", main, 60, 10)
      .op("addmm", main, 70, 10)
      .op("mm", other, 10, 10);
  const auto trace = t.freeze();
  const SearchResult all = search(*trace, "Mm", 100);
  EXPECT_EQ(all.total, 3u);
  EXPECT_EQ(all.slices, (std::vector<SliceId>{SliceId(3), SliceId(0), SliceId(2)}));
  const SearchResult first = search(*trace, "mm", 2);
  EXPECT_EQ(first.total, 3u);
  EXPECT_EQ(first.slices, (std::vector<SliceId>{SliceId(3), SliceId(0)}));
  EXPECT_EQ(search(*trace, "", 100).total, 0u);
  EXPECT_EQ(search(*trace, "aten::mmm", 100).total, 0u);
}

TEST(TimelineSearch, FindsWhatASlowSearchFinds) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto trace = random_trace(seed);
    for (const std::string_view text : {"a", "aten", "GEMM", "f.py", "launch", "#"}) {
      std::vector<SliceId> expected;
      for (uint32_t s = 0; s < trace->slices.size(); ++s) {
        std::string name(trace->slice_name(SliceId(s))), wanted(text);
        for (char& c : name) c = static_cast<char>(std::tolower(c));
        for (char& c : wanted) c = static_cast<char>(std::tolower(c));
        if (name.find(wanted) != name.npos) expected.emplace_back(s);
      }
      const size_t total = expected.size();
      std::stable_sort(expected.begin(), expected.end(), [&](SliceId a, SliceId b) {
        return trace->slices.start_ns[a.value] < trace->slices.start_ns[b.value];
      });
      if (expected.size() > 7) expected.resize(7);
      const SearchResult found = search(*trace, text, 7);
      EXPECT_EQ(found.total, total);
      EXPECT_EQ(found.slices, expected) << text;
    }
  }
}

TEST(TimelineRange, ClipsAndUnitesByCategory) {
  TestTrace t;
  const TrackId main = t.thread("1"), other = t.thread("2");
  t.op("outer", main, 0, 100)
      .op("inner", main, 20, 30)
      .op("elsewhere", other, 90, 40)
      .op("late", main, 200, 5);
  t.python("f", main, 10, 80).op("empty", main, 50, 0);
  const auto trace = t.freeze();
  const RangeSummary range =
      Timeline(AnalyzedTrace(*trace)).range(40, 120, std::vector<int64_t>{0, 1, 1}, 2).value();
  EXPECT_EQ(range.dur_ns, 80);
  ASSERT_EQ(range.categories.size(), 2u);
  EXPECT_EQ(range.categories[0].category, Category::kCpuOp);
  EXPECT_EQ(range.categories[0].count, 4u);
  EXPECT_EQ(range.categories[0].busy_ns, 80);
  EXPECT_EQ(range.categories[1].category, Category::kPython);
  EXPECT_EQ(range.categories[1].busy_ns, 50);
  ASSERT_EQ(range.names.size(), 2u);
  EXPECT_EQ(trace->strings[range.names[0].name], "outer");
  EXPECT_EQ(range.names[0].total_ns, 60);
  EXPECT_EQ(trace->strings[range.names[1].name], "f");
}

TEST(TimelineRange, IsWhatNanosecondByNanosecondCountingGives) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto trace = random_trace(seed);
    std::vector<int64_t> tracks;
    for (size_t i = seed % 2; i < trace->tracks.size(); ++i) tracks.push_back(static_cast<int64_t>(i));
    const int64_t begin = seed * 37, end = begin + 300;
    std::map<Category, std::set<int64_t>> busy;
    std::map<Category, uint64_t> counts;
    std::map<std::pair<StringId, Category>, std::pair<int64_t, uint64_t>> names;
    for (uint32_t s = 0; s < trace->slices.size(); ++s) {
      if (trace->slices.track[s].value < seed % 2) continue;
      const int64_t start = trace->slices.start_ns[s] - trace->first_ns,
                    stop = start + trace->slices.dur_ns[s];
      if (start >= end || (stop <= begin && start < begin)) continue;
      const Category category = trace->slices.category[s];
      ++counts[category];
      auto& [total, count] = names[{trace->slices.name[s], category}];
      ++count;
      for (int64_t at = std::max(start, begin); at < std::min(stop, end); ++at) {
        busy[category].insert(at);
        ++total;
      }
    }
    const RangeSummary range = Timeline(AnalyzedTrace(*trace), 3).range(begin, end, tracks, 1000).value();
    ASSERT_EQ(range.categories.size(), counts.size());
    for (const RangeCategory& each : range.categories) {
      EXPECT_EQ(each.count, counts[each.category]);
      EXPECT_EQ(each.busy_ns, static_cast<int64_t>(busy[each.category].size()));
    }
    ASSERT_EQ(range.names.size(), names.size());
    for (size_t i = 0; i < range.names.size(); ++i) {
      const RangeName& each = range.names[i];
      EXPECT_EQ(std::make_pair(each.total_ns, each.count), (names[{each.name, each.category}]));
      EXPECT_TRUE(i == 0 || range.names[i - 1].total_ns >= each.total_ns);
    }
  }
}

// Long enough to be cut into windows, with slices that reach over several of them.
TEST(TimelineRange, LongRangesAreWhatIntervalsSay) {
  std::mt19937 random(5);
  TestTrace t;
  const TrackId tracks[] = {t.thread("1"), t.thread("2"), t.stream(7)};
  int64_t at = 0;
  for (int i = 0; i < 250'000; ++i) {
    at += random() % 20;
    const int64_t dur = random() % 5000 == 0 ? random() % 1'000'000 : random() % 30;
    const uint32_t track = random() % 4;
    if (track < 2) {
      t.op(track == 0 ? "a" : "b", tracks[track], at, dur);
    } else {
      t.kernel("k", tracks[2], at, dur);
    }
  }
  const auto trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed, 2);
  const std::vector<int64_t> all = {0, 1, 2};
  for (const auto& [begin, end] :
       {std::pair<int64_t, int64_t>{0, at}, {at / 5, at / 5 * 4}, {at / 2, at / 2 + 1000}}) {
    std::map<Category, std::vector<Interval>> covered;
    std::map<StringId, int64_t> totals;
    for (uint32_t s = 0; s < trace->slices.size(); ++s) {
      const int64_t start = trace->slices.start_ns[s] - trace->first_ns;
      const int64_t from = std::max(start, begin), until = std::min(start + trace->slices.dur_ns[s], end);
      if (from >= until) continue;
      covered[trace->slices.category[s]].push_back({from, until});
      totals[trace->slices.name[s]] += until - from;
    }
    const RangeSummary range = timeline.range(begin, end, all, 10).value();
    ASSERT_EQ(range.categories.size(), 2u);
    for (const RangeCategory& each : range.categories) {
      EXPECT_EQ(each.busy_ns, IntervalSet::of(covered[each.category]).total_ns());
    }
    ASSERT_EQ(range.names.size(), 3u);
    for (const RangeName& each : range.names) EXPECT_EQ(each.total_ns, totals[each.name]);
  }
}

TEST(TimelineRange, RangesAreInAnyPlace) {
  TestTrace t;
  t.op("a", t.thread("1"), 100, 10);
  const auto trace = t.freeze();
  const AnalyzedTrace analyzed(*trace);
  const Timeline timeline(analyzed);
  const std::vector<int64_t> tracks = {0};
  EXPECT_EQ(timeline.range(INT64_MIN, INT64_MAX, tracks, 5).value().categories.size(), 1u);
  EXPECT_TRUE(timeline.range(10, INT64_MAX, tracks, 5).value().categories.empty());
  EXPECT_TRUE(timeline.range(5, 5, tracks, 5).value().categories.empty());
  EXPECT_FALSE(timeline.range(5, 4, tracks, 5).ok());
  EXPECT_FALSE(timeline.range(5, 6, std::vector<int64_t>{7}, 5).ok());
}

}  // namespace
}  // namespace skyline::analyze
