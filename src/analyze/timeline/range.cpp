// The range is cut into windows of time, which threads share. A window looks at the slices that start in it
// and adds up their names. For the busy time it needs to know of earlier ones only how far they reach: what
// starts before a window and ends at e covers everything from the window's begin to e. That is found in a
// first pass, which also takes the slices from before the range that reach into it.
#include "analyze/timeline/range.h"

#include <algorithm>
#include <array>

#include "analyze/core/intervals.h"
#include "analyze/core/saturate.h"
#include "analyze/core/sort_runs.h"
#include "base/hash.h"
#include "base/parallel.h"

namespace skyline::analyze {
namespace {

constexpr uint32_t kRangePiece = uint32_t{1} << 18;  // slices from before the range
constexpr uint32_t kWindow = uint32_t{1} << 16;      // slices of the largest track
constexpr size_t kCategoryCount = kCategories.size();

struct Sum {
  uint64_t count = 0;
  SumNs total_ns;
};

// name and category -> Sum. Open addressing: most slices have one of a few hundred names.
class NameSums {
 public:
  struct Entry {
    uint64_t key = 0;  // 0: free
    Sum sum;
  };

  Sum& at(StringId name, Category category) {
    if (used_ * 2 >= entries_.size()) grow();
    Entry& entry = find(key_of(name, category));
    if (entry.key == 0) {
      entry.key = key_of(name, category);
      ++used_;
    }
    return entry.sum;
  }

  const std::vector<Entry>& entries() const { return entries_; }

  void add(const NameSums& other) {
    for (const Entry& each : other.entries_) {
      if (each.key == 0) continue;
      Sum& sum = at(name_in(each.key), category_in(each.key));
      sum.count += each.sum.count;
      sum.total_ns += each.sum.total_ns;
    }
  }

  static StringId name_in(uint64_t key) { return StringId(static_cast<uint32_t>(key >> 8)); }
  static Category category_in(uint64_t key) { return static_cast<Category>((key & 0xff) - 1); }

 private:
  static uint64_t key_of(StringId name, Category category) {
    return uint64_t{name.value} << 8 | (static_cast<uint64_t>(category) + 1);
  }

  Entry& find(uint64_t key) {
    const size_t mask = entries_.size() - 1;
    size_t slot = mix_u64(key, 0x9e3779b97f4a7c15) & mask;
    while (entries_[slot].key != 0 && entries_[slot].key != key) slot = (slot + 1) & mask;
    return entries_[slot];
  }

  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.key != 0) find(entry.key) = entry;
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(256);
  size_t used_ = 0;
};

using CategoryEnds = std::array<int64_t, kCategoryCount>;

struct RangePart {
  NameSums names;
  std::array<uint64_t, kCategoryCount> counts{};
  std::array<SumNs, kCategoryCount> busy{};
  CategoryEnds ends{};  // the latest of its slices, by category

  RangePart() { ends.fill(INT64_MIN); }
};

class RangeSums {
 public:
  RangeSums(const Trace& trace, int64_t start_ns, int64_t end_ns, std::vector<TrackId> tracks)
      : trace_(trace),
        slices_(trace.slices),
        start_ns_(start_ns),
        end_ns_(end_ns),
        tracks_(std::move(tracks)) {}

  RangePart run(unsigned threads) {
    RangePart all;
    take_earlier(threads, all);
    cut_windows();
    std::vector<RangePart> parts(bounds_.size() - 1);
    parallel_for(parts.size(), threads, [&](size_t w) { find_ends(w, parts[w].ends); });
    // From here on a window's ends are those of everything before it.
    CategoryEnds reached = all.ends;
    for (RangePart& part : parts) {
      std::swap(reached, part.ends);
      for (size_t c = 0; c < kCategoryCount; ++c) reached[c] = std::max(reached[c], part.ends[c]);
    }
    parallel_for(parts.size(), threads, [&](size_t w) { sum_window(w, parts[w]); });
    for (const RangePart& part : parts) add(part, all);
    return all;
  }

 private:
  uint32_t first_at(TrackId id, int64_t time_ns) const {
    const Track& track = trace_.tracks[id.value];
    const int64_t* const begin = slices_.start_ns.data() + track.first_slice.value;
    const int64_t* const found = std::lower_bound(begin, begin + track.slice_count, time_ns);
    return track.first_slice.value + static_cast<uint32_t>(found - begin);
  }

  static void add(const RangePart& part, RangePart& all) {
    all.names.add(part.names);
    for (size_t c = 0; c < kCategoryCount; ++c) {
      all.counts[c] += part.counts[c];
      all.busy[c] += part.busy[c];
    }
  }

  void count(uint32_t slice, int64_t from, int64_t until, RangePart& part) const {
    ++part.counts[static_cast<size_t>(slices_.category[slice])];
    Sum& sum = part.names.at(slices_.name[slice], slices_.category[slice]);
    ++sum.count;
    sum.total_ns += minus(until, from);
  }

  // Slices that start before the range and reach into it.
  void take_earlier(unsigned threads, RangePart& all) const {
    struct Piece {
      uint32_t begin, end;
    };
    std::vector<Piece> pieces;
    for (const TrackId id : tracks_) {
      const uint32_t end = first_at(id, start_ns_);
      for (uint32_t i = trace_.tracks[id.value].first_slice.value; i < end;
           i += std::min(kRangePiece, end - i)) {
        pieces.push_back({i, i + std::min(kRangePiece, end - i)});
      }
    }
    std::vector<RangePart> parts(pieces.size());
    parallel_for(pieces.size(), threads, [&](size_t p) {
      for (uint32_t i = pieces[p].begin; i < pieces[p].end; ++i) {
        const int64_t end = slices_.end_ns(SliceId(i));
        if (end <= start_ns_) continue;
        count(i, start_ns_, std::min(end, end_ns_), parts[p]);
        int64_t& latest = parts[p].ends[static_cast<size_t>(slices_.category[i])];
        latest = std::max(latest, end);
      }
    });
    for (const RangePart& part : parts) {
      add(part, all);
      for (size_t c = 0; c < kCategoryCount; ++c) all.ends[c] = std::max(all.ends[c], part.ends[c]);
    }
  }

  // Windows with about as many slices of the track that has the most of them.
  void cut_windows() {
    TrackId largest;
    uint32_t most = 0;
    for (const TrackId id : tracks_) {
      const uint32_t slices = first_at(id, end_ns_) - first_at(id, start_ns_);
      if (slices > most) {
        most = slices;
        largest = id;
      }
    }
    bounds_ = {start_ns_};
    const uint32_t first = largest.exists() ? first_at(largest, start_ns_) : 0;
    for (uint32_t i = kWindow; i < most; i += std::min(kWindow, most - i)) {
      const int64_t start = slices_.start_ns[first + i];
      if (start > bounds_.back()) bounds_.push_back(start);
    }
    bounds_.push_back(end_ns_);
  }

  template <typename Visit>
  void for_each_in(size_t window, Visit visit) const {
    for (const TrackId id : tracks_) {
      const uint32_t end = first_at(id, bounds_[window + 1]);
      for (uint32_t i = first_at(id, bounds_[window]); i < end; ++i) visit(i);
    }
  }

  void find_ends(size_t window, CategoryEnds& ends) const {
    for_each_in(window, [&](uint32_t i) {
      int64_t& latest = ends[static_cast<size_t>(slices_.category[i])];
      latest = std::max(latest, slices_.end_ns(SliceId(i)));
    });
  }

  void sum_window(size_t window, RangePart& part) const {
    const int64_t window_end = bounds_[window + 1];
    std::array<std::vector<Interval>, kCategoryCount> covered;
    for_each_in(window, [&](uint32_t i) {
      const int64_t start = slices_.start_ns[i], end = slices_.end_ns(SliceId(i));
      count(i, start, std::min(end, end_ns_), part);
      std::vector<Interval>& list = covered[static_cast<size_t>(slices_.category[i])];
      if (!list.empty() && list.back().start_ns <= start && start <= list.back().end_ns) {
        list.back().end_ns = std::max(list.back().end_ns, end);
      } else {
        list.push_back({start, end});
      }
    });
    for (size_t c = 0; c < kCategoryCount; ++c) {
      std::vector<Interval>& list = covered[c];
      sort_runs(list);
      int64_t reached = std::clamp(part.ends[c], bounds_[window], window_end);
      part.busy[c] += minus(reached, bounds_[window]);
      for (const Interval& each : list) {
        const int64_t end = std::min(each.end_ns, window_end);
        if (end <= reached) continue;
        part.busy[c] += minus(end, std::max(each.start_ns, reached));
        reached = end;
      }
    }
  }

  const Trace& trace_;
  const SliceTable& slices_;
  const int64_t start_ns_, end_ns_;
  const std::vector<TrackId> tracks_;
  std::vector<int64_t> bounds_;  // of the windows
};

std::vector<RangeName> longest(const NameSums& sums, size_t most) {
  std::vector<RangeName> names;
  for (const NameSums::Entry& entry : sums.entries()) {
    if (entry.key == 0) continue;
    names.push_back({NameSums::name_in(entry.key), NameSums::category_in(entry.key), entry.sum.count,
                     entry.sum.total_ns});
  }
  const auto longer = [](const RangeName& a, const RangeName& b) {
    if (a.total_ns != b.total_ns) return a.total_ns > b.total_ns;
    if (a.count != b.count) return a.count > b.count;
    return a.name != b.name ? a.name < b.name : a.category < b.category;
  };
  const size_t kept = std::min(most, names.size());
  std::partial_sort(names.begin(), names.begin() + static_cast<ptrdiff_t>(kept), names.end(), longer);
  names.resize(kept);
  return names;
}

}  // namespace

RangeSummary sum_up_range(const Trace& trace, int64_t start_ns, int64_t end_ns,
                          std::span<const TrackId> tracks, size_t most_names, unsigned threads) {
  RangeSummary summary;
  if (end_ns <= start_ns) return summary;
  summary.dur_ns = minus(end_ns, start_ns);
  std::vector<TrackId> once(tracks.begin(), tracks.end());
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());

  const RangePart all = RangeSums(trace, start_ns, end_ns, std::move(once)).run(threads);
  for (size_t c = 0; c < kCategoryCount; ++c) {
    if (all.counts[c] > 0)
      summary.categories.push_back({static_cast<Category>(c), all.counts[c], all.busy[c]});
  }
  std::stable_sort(summary.categories.begin(), summary.categories.end(),
                   [](const RangeCategory& a, const RangeCategory& b) { return a.busy_ns > b.busy_ns; });
  summary.names = longest(all.names, most_names);
  return summary;
}

}  // namespace skyline::analyze
