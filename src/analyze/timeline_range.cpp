// Slices are looked at in pieces, on all threads: those of a track that start before the range's end, each
// once. A piece gives sums by name, and per category the time its slices cover, which is united across pieces
// and tracks.
#include "analyze/timeline_range.h"

#include <algorithm>
#include <array>

#include "analyze/intervals.h"
#include "analyze/saturate.h"
#include "base/hash.h"
#include "base/parallel.h"

namespace skyline {
namespace {

constexpr uint32_t kPiece = uint32_t{1} << 18;
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

struct Part {
  NameSums names;
  std::array<uint64_t, kCategoryCount> counts{};
  std::array<IntervalSet, kCategoryCount> busy;
};

struct Piece {
  uint32_t begin;
  uint32_t end;
};

// Of each track the slices that start before the range's end, in pieces.
std::vector<Piece> cut(const Trace& trace, int64_t end_ns, std::span<const TrackId> tracks) {
  std::vector<Piece> pieces;
  for (const TrackId id : tracks) {
    const Track& track = trace.tracks[id.value];
    const int64_t* const first = trace.slices.start_ns.data() + track.first_slice.value;
    const auto count =
        static_cast<uint32_t>(std::lower_bound(first, first + track.slice_count, end_ns) - first);
    for (uint32_t i = 0; i < count; i += std::min(kPiece, count - i)) {
      pieces.push_back(
          {track.first_slice.value + i, track.first_slice.value + i + std::min(kPiece, count - i)});
    }
  }
  return pieces;
}

void add_slices(const Trace& trace, Piece piece, int64_t start_ns, int64_t end_ns, Part& part) {
  const SliceTable& slices = trace.slices;
  for (uint32_t i = piece.begin; i < piece.end; ++i) {
    const int64_t start = slices.start_ns[i], end = slices.end_ns(SliceId(i));
    // What has no length is there if it starts inside.
    if (end <= start_ns && start < start_ns) continue;
    const int64_t from = std::max(start, start_ns), until = std::min(end, end_ns);
    const auto category = static_cast<size_t>(slices.category[i]);
    ++part.counts[category];
    part.busy[category].append(from, until);
    Sum& sum = part.names.at(slices.name[i], slices.category[i]);
    ++sum.count;
    sum.total_ns += minus(until, from);
  }
}

IntervalSet unite_all(std::vector<IntervalSet> sets) {
  while (sets.size() > 1) {
    std::vector<IntervalSet> fewer;
    for (size_t i = 0; i + 1 < sets.size(); i += 2) fewer.push_back(unite(sets[i], sets[i + 1]));
    if (sets.size() % 2 == 1) fewer.push_back(std::move(sets.back()));
    sets = std::move(fewer);
  }
  return sets.empty() ? IntervalSet() : std::move(sets.front());
}

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

  const std::vector<Piece> pieces = cut(trace, end_ns, once);
  std::vector<Part> parts(pieces.size());
  parallel_for(pieces.size(), threads,
               [&](size_t i) { add_slices(trace, pieces[i], start_ns, end_ns, parts[i]); });

  std::array<RangeCategory, kCategoryCount> categories;
  parallel_for(kCategoryCount, threads, [&](size_t c) {
    categories[c].category = static_cast<Category>(c);
    std::vector<IntervalSet> busy;
    for (Part& part : parts) {
      categories[c].count += part.counts[c];
      if (!part.busy[c].empty()) busy.push_back(std::move(part.busy[c]));
    }
    categories[c].busy_ns = unite_all(std::move(busy)).total_ns();
  });
  for (const RangeCategory& each : categories) {
    if (each.count > 0) summary.categories.push_back(each);
  }
  std::stable_sort(summary.categories.begin(), summary.categories.end(),
                   [](const RangeCategory& a, const RangeCategory& b) { return a.busy_ns > b.busy_ns; });
  NameSums names;
  for (const Part& part : parts) names.add(part.names);
  summary.names = longest(names, most_names);
  return summary;
}

}  // namespace skyline
