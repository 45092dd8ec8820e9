// Ordering slices.
//
// Events come in any order, but in long runs: a thread's operators are sorted, then come its Python
// frames, then its runtime calls, each sorted again. So each track is sorted by merging the runs it
// already has: linear when sorted, n log(runs) otherwise, and stable.
#include "trace/order.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/parallel.h"

namespace skyline {
namespace {

struct Key {
  int64_t start;
  uint32_t row;
};

class Before {
 public:
  explicit Before(const Trace& draft) : draft_(draft) {}

  bool operator()(const Key& a, const Key& b) const {
    return a.start != b.start ? a.start < b.start : tie(a.row, b.row);
  }

 private:
  bool tie(uint32_t a, uint32_t b) const {
    const int64_t dur_a = draft_.slices.dur_ns[a], dur_b = draft_.slices.dur_ns[b];
    if (dur_a != dur_b) return dur_a > dur_b;
    const Category category_a = draft_.slices.category[a], category_b = draft_.slices.category[b];
    if (traits(category_a).nesting_rank != traits(category_b).nesting_rank) {
      return traits(category_a).nesting_rank < traits(category_b).nesting_rank;
    }
    // torch 1.8 to 1.11 wrote children before parents; the parent has the smaller id.
    const uint64_t id_a = external_id(a), id_b = external_id(b);
    return id_a != id_b ? id_a < id_b : a < b;
  }

  uint64_t external_id(uint32_t row) const {
    const Category category = draft_.slices.category[row];
    const uint32_t detail = draft_.slices.detail[row];
    if (detail == kNoRow) return 0;
    if (is_op_or_range(category)) return draft_.ops.external_id[detail];
    if (is_launch(category)) return draft_.launches.external_id[detail];
    return 0;
  }

  const Trace& draft_;
};

// Merges the sorted runs of `keys` pairwise until one is left.
void sort_by_runs(std::span<Key> keys, const Before& before) {
  std::vector<size_t> bounds = {0};
  for (size_t i = 1; i < keys.size(); ++i) {
    if (before(keys[i], keys[i - 1])) bounds.push_back(i);
  }
  bounds.push_back(keys.size());
  if (bounds.size() == 2) return;

  Column<Key> buffer;
  buffer.resize_uninitialized(keys.size());
  std::span<Key> from = keys, to(buffer.data(), buffer.size());
  while (bounds.size() > 2) {
    std::vector<size_t> merged = {0};
    for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
      const size_t begin = bounds[i], middle = bounds[i + 1];
      const size_t end = i + 2 < bounds.size() ? bounds[i + 2] : middle;
      std::merge(from.begin() + begin, from.begin() + middle, from.begin() + middle, from.begin() + end,
                 to.begin() + begin, before);
      merged.push_back(end);
    }
    std::swap(from, to);
    bounds = std::move(merged);
  }
  if (from.data() != keys.data()) std::copy(from.begin(), from.end(), keys.begin());
}

// Columns are brought into order one after the other, each into the memory that the one before has
// left: fetching fresh pages would take longer than the copying.
class Gatherer {
 public:
  explicit Gatherer(const Column<uint32_t>& rows) : rows_(rows) {}

  template <typename T>
  void operator()(Column<T>& column) {
    if (column.empty()) return;
    Column<T> ordered = std::move(spare_).recycle<T>();
    ordered.resize_uninitialized(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) ordered[i] = column[rows_[i]];
    std::swap(column, ordered);
    column.shrink_to_fit();
    spare_ = std::move(ordered).template recycle<char>();
  }

 private:
  const Column<uint32_t>& rows_;
  Column<char> spare_;
};

// Gives each track its range and each slice row its place in it: a counting sort by track.
Column<Key> keys_by_track(Trace& draft) {
  const SliceTable& slices = draft.slices;
  for (const TrackId track : slices.track) ++draft.tracks[track.value].slice_count;
  std::vector<uint32_t> next;
  uint32_t begin = 0;
  for (Track& track : draft.tracks) {
    track.first_slice = SliceId(begin);
    next.push_back(begin);
    begin += track.slice_count;
  }
  Column<Key> keys;
  keys.resize_uninitialized(slices.size());
  for (uint32_t row = 0; row < slices.size(); ++row) {
    keys[next[slices.track[row].value]++] = {slices.start_ns[row], row};
  }
  return keys;
}

Column<uint32_t> ordered_rows(Trace& draft, unsigned threads) {
  Column<Key> keys = keys_by_track(draft);
  const Before before(draft);
  parallel_for(draft.tracks.size(), threads, [&](size_t t) {
    const Track& track = draft.tracks[t];
    sort_by_runs({keys.data() + track.first_slice.value, track.slice_count}, before);
  });
  Column<uint32_t> rows;
  rows.resize_uninitialized(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) rows[i] = keys[i].row;
  return rows;
}

// Brings the rows of a detail table into the order of their slices; what freezing makes is still empty.
template <typename Table>
void order_details(SliceTable& slices, Table& table, DetailTable detail) {
  const auto belongs = [&](uint32_t s) {
    return detail_of(slices.category[s]) == detail && slices.detail[s] != kNoRow;
  };
  Column<uint32_t> rows;
  rows.reserve(table.size());
  for (uint32_t s = 0; s < slices.size(); ++s) {
    if (!belongs(s)) continue;
    rows.push_back(slices.detail[s]);
    slices.detail[s] = static_cast<uint32_t>(rows.size() - 1);
  }
  Gatherer gather(rows);
  Table::for_each_column(
      [&](const auto&, auto& column) {
        if (static_cast<const void*>(&column) != &table.slice) gather(column);
      },
      table);
  table.slice.resize_uninitialized(rows.size());
  uint32_t row = 0;
  for (uint32_t s = 0; s < slices.size(); ++s) {
    if (belongs(s)) table.slice[row++] = SliceId(s);
  }
}

void order_tables(Trace& draft, unsigned threads) {
  const std::function<void()> work[] = {
      [&] { order_details(draft.slices, draft.ops, DetailTable::kOps); },
      [&] { order_details(draft.slices, draft.pythons, DetailTable::kPythons); },
      [&] { order_details(draft.slices, draft.launches, DetailTable::kLaunches); },
      [&] { order_details(draft.slices, draft.activities, DetailTable::kActivities); },
  };
  parallel_for(std::size(work), threads, [&](size_t i) { work[i](); });
}

void order_columns(SliceTable& slices, const Column<uint32_t>& rows, unsigned threads) {
  // Two halves of about the same size, as each needs memory for one more column.
  constexpr size_t kHalves = 2;
  parallel_for(kHalves, threads, [&](size_t half) {
    Gatherer gather(rows);
    size_t number = 0;
    SliceTable::for_each_column(
        [&](const auto&, auto& column) {
          if (number++ % kHalves == half) gather(column);
        },
        slices);
  });
}

// Tables that say more about a few slices are found by them, so they stand in their order.
template <typename Table>
void order_by_slice(Table& table) {
  Column<uint32_t> rows;
  rows.resize_uninitialized(table.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::sort(rows.begin(), rows.end(),
            [&](uint32_t a, uint32_t b) { return table.slice[a] < table.slice[b]; });
  Gatherer gather(rows);
  Table::for_each_column([&](const auto&, auto& column) { gather(column); }, table);
}

// Rows about a few slices follow them to their new places. Collectives stay in the order of the file, as
// activities know them by row.
void order_sparse_tables(Trace& draft, const Column<uint32_t>& rows) {
  if (draft.collectives.size() + draft.syncs.size() + draft.compiled_calls.size() == 0) return;
  Column<uint32_t> place;
  place.resize_uninitialized(rows.size());
  for (uint32_t i = 0; i < rows.size(); ++i) place[rows[i]] = i;
  for (Column<SliceId>* slices :
       {&draft.collectives.slice, &draft.syncs.slice, &draft.compiled_calls.slice}) {
    for (SliceId& slice : *slices) slice = SliceId(place[slice.value]);
  }
  order_by_slice(draft.syncs);
  order_by_slice(draft.compiled_calls);
}

// The producer's own marks do not say when the training ran.
bool counts_for_extent(Category category) {
  return category != Category::kTraceSpan && category != Category::kOverhead;
}

void measure(Trace& draft) {
  const SliceTable& slices = draft.slices;
  bool any = false;
  int64_t fraction_seen = 0;
  for (uint32_t s = 0; s < slices.size(); ++s) {
    const int64_t start = slices.start_ns[s], end = start + slices.dur_ns[s];
    fraction_seen |= (start % 1000) | (slices.dur_ns[s] % 1000);
    if (is_activity(slices.category[s])) ++draft.tracks[slices.track[s].value].activity_count;
    // Some torch 2.12 files have lost the times of half their events and say 0 for them.
    const bool has_lost_its_time = start == 0 && end == 0;
    if (has_lost_its_time || !counts_for_extent(slices.category[s])) continue;
    draft.first_ns = any ? std::min(draft.first_ns, start) : start;
    draft.last_ns = any ? std::max(draft.last_ns, end) : end;
    any = true;
  }
  draft.info.whole_microseconds = slices.size() > 0 && fraction_seen == 0;
}

}  // namespace

void order_slices(Trace& draft, unsigned threads) {
  const Column<uint32_t> rows = ordered_rows(draft, threads);
  order_columns(draft.slices, rows, threads);
  order_sparse_tables(draft, rows);
  order_tables(draft, threads);
  measure(draft);
}

}  // namespace skyline
