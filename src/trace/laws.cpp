#include "trace/laws.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "base/parallel.h"

namespace skyline {
namespace {

// Sums of two times, and of a thousand durations, stay within 64 bits.
constexpr int64_t kEarliest = -(int64_t{1} << 61), kLatest = int64_t{1} << 62, kLongest = int64_t{1} << 53;

// Tables are checked in pieces of this many rows, on all threads.
constexpr size_t kPiece = 1 << 16;

class Laws {
 public:
  Laws(const Trace& trace, unsigned threads) : trace_(trace), threads_(threads) {
    for (const CategoryTraits& line : kCategories)
      owners_[static_cast<size_t>(line.category)] = owners(line.category);
  }

  std::optional<std::string_view> broken() {
    demand(columns_are_complete(), "the columns of a table have different lengths");
    if (!broken_) check_tracks();
    if (!broken_) check_ids();
    if (!broken_) check_slices();
    if (!broken_) check_details();
    if (!broken_) check_signatures();
    if (!broken_) check_sparse();
    if (!broken_) check_the_rest();
    return broken_;
  }

 private:
  void demand(bool holds, std::string_view law) {
    if (holds) [[likely]]
      return;
    const std::lock_guard lock(mutex_);
    if (!broken_) broken_ = law;
  }

  // Calls holds(row) for every row of a table.
  template <typename Holds>
  void demand_of_rows(size_t rows, std::string_view law, Holds holds) {
    parallel_for((rows + kPiece - 1) / kPiece, threads_, [&](size_t piece) {
      const size_t end = std::min(rows, (piece + 1) * kPiece);
      bool all = true;
      for (size_t row = piece * kPiece; row < end && all; ++row) all = holds(static_cast<uint32_t>(row));
      demand(all, law);
    });
  }

  bool is_text(StringId id) const { return !id.exists() || id.value < trace_.strings.size(); }
  bool is_slice(SliceId id) const { return id.value < trace_.slices.size(); }
  bool is_slice_or_none(SliceId id) const { return !id.exists() || is_slice(id); }
  bool is_track(TrackId id) const { return id.value < trace_.tracks.size(); }

  bool columns_are_complete() const {
    bool are_complete = trace_.slices.size() < UINT32_MAX;
    for_each_table(
        [&]<typename Table>(const TableDecl&, const Table& table) {
          Table::for_each_column(
              [&](const auto& spec, const auto& column) {
                const bool may_be_empty = spec.filled == Filled::kIfAny;
                are_complete &= column.size() == table.size() || (may_be_empty && column.empty());
              },
              table);
        },
        trace_);
    return are_complete;
  }

  // Whether a value names a row that exists. Values that are no ids always do.
  bool exists(StringId id) const { return is_text(id); }
  bool exists(SliceId id) const { return is_slice(id); }
  bool exists(TrackId id) const { return is_track(id); }
  bool exists(FrameId id) const { return id.value < trace_.frames.size(); }
  bool exists(StackId id) const { return id.value < trace_.stacks.size(); }
  bool exists(ModuleId id) const { return id.value < trace_.modules.size(); }
  bool exists(CollectiveId id) const { return id.value < trace_.collectives.size(); }
  bool exists(SignatureId id) const { return id.value < trace_.signatures.size(); }
  bool exists(ProcessId id) const { return id.value < trace_.processes.size(); }
  bool exists(KernelShapeId id) const { return id.value < trace_.kernel_shapes.size(); }
  bool exists(Category category) const { return static_cast<size_t>(category) < kCategories.size(); }
  bool exists(TensorRole role) const { return static_cast<size_t>(role) < kTensorRoles; }

  // What every table has in common: ids lead to rows.
  void check_ids() {
    for_each_table(
        [&]<typename Table>(const TableDecl&, const Table& table) {
          Table::for_each_column(
              [&]<typename T>(const ColumnDecl<T>& spec, const Column<T>& column) {
                if constexpr (!std::is_arithmetic_v<T>) {
                  demand_of_rows(column.size(), "a row refers to something that does not exist",
                                 [&](uint32_t row) {
                                   const T value = column[row];
                                   return exists(value) || (spec.may_be_missing && value == spec.missing);
                                 });
                }
              },
              table);
        },
        trace_);
  }

  void check_tracks() {
    uint64_t next = 0;
    for (const Track& track : trace_.tracks) {
      demand(track.first_slice.value == next,
             "the slices of a track do not follow those of the track before");
      next += track.slice_count;
      demand(track.activity_count <= track.slice_count, "a track has more activities than slices");
      for (const StringId id :
           {track.process, track.thread, track.process_name, track.process_label, track.thread_name}) {
        demand(is_text(id), "a track has a text that does not exist");
      }
    }
    demand(next == trace_.slices.size(), "the tracks do not share all slices");
  }

  // How slices stand to each other and to the rows of their details.
  void check_slices() {
    demand_of_rows(trace_.slices.size(), "a slice has impossible times, a wrong place, parent or details",
                   [&](uint32_t i) {
                     return has_sound_time(i) && stands_in_its_track(i) && fits_its_parent(i) &&
                            has_its_details(i);
                   });
  }

  bool has_sound_time(uint32_t i) const {
    const SliceTable& s = trace_.slices;
    return s.start_ns[i] >= kEarliest && s.start_ns[i] <= kLatest && s.dur_ns[i] >= 0 &&
           s.dur_ns[i] < kLongest;
  }

  // Together with its track's other slices, by start.
  bool stands_in_its_track(uint32_t i) const {
    const SliceTable& s = trace_.slices;
    const Track& track = trace_.tracks[s.track[i].value];
    if (i - track.first_slice.value >= track.slice_count || s.lane[i] >= track.lanes) return false;
    return i == track.first_slice.value || s.start_ns[i - 1] <= s.start_ns[i];
  }

  bool fits_its_parent(uint32_t i) const {
    const SliceTable& s = trace_.slices;
    const SliceId parent = s.parent[i];
    if (!parent.exists()) return s.depth[i] == 0;
    const uint32_t p = parent.value;
    return p < i && s.track[p] == s.track[i] && s.lane[p] == s.lane[i] &&
           s.depth[i] == std::min(s.depth[p] + 1, int{UINT16_MAX});
  }

  // The column by which the rows of a category's details know their slices; nullptr if it has none.
  const Column<SliceId>* owners(Category category) const {
    switch (detail_of(category)) {
      case DetailTable::kOps:
        return &trace_.ops.slice;
      case DetailTable::kPythons:
        return &trace_.pythons.slice;
      case DetailTable::kLaunches:
        return &trace_.launches.slice;
      case DetailTable::kActivities:
        return &trace_.activities.slice;
      case DetailTable::kNone:
        break;
    }
    return nullptr;
  }

  bool has_its_details(uint32_t i) const {
    const Column<SliceId>* owner = owners_[static_cast<size_t>(trace_.slices.category[i])];
    const uint32_t row = trace_.slices.detail[i];
    if (owner == nullptr) return row == kNoRow;
    return row < owner->size() && (*owner)[row].value == i;
  }

  // Every slice knows its row. That every row has a slice of its own is left.
  void check_details() {
    for (const Column<SliceId>* owner :
         {&trace_.ops.slice, &trace_.pythons.slice, &trace_.launches.slice, &trace_.activities.slice}) {
      demand_of_rows(owner->size(), "a row belongs to no slice, or not to one of its kind",
                     [&](uint32_t row) {
                       const SliceId slice = (*owner)[row];
                       if (!is_slice(slice) || (row > 0 && (*owner)[row - 1] >= slice)) return false;
                       return owners_[static_cast<size_t>(trace_.category(slice))] == owner &&
                              trace_.slices.detail[slice.value] == row;
                     });
    }
    if (broken_) return;

    const auto is_a = [&](SliceId id, bool (*belongs)(Category)) {
      return !id.exists() || belongs(trace_.category(id));
    };
    const OpTable& o = trace_.ops;
    demand_of_rows(o.size(), "the forward op of an operator is none",
                   [&](uint32_t row) { return is_a(o.forward[row], is_op_or_range); });
    const LaunchTable& l = trace_.launches;
    demand_of_rows(l.size(), "the operator around a launch is none",
                   [&](uint32_t row) { return is_a(l.op[row], is_op_or_range); });
    const ActivityTable& a = trace_.activities;
    demand_of_rows(a.size(), "the launch of an activity is none",
                   [&](uint32_t row) { return is_a(a.launch[row], is_launch); });
  }

  void check_signatures() {
    const SignatureTable& s = trace_.signatures;
    demand_of_rows(s.size(), "a signature has inputs that do not exist", [&](uint32_t row) {
      return uint64_t{s.first_input[row]} + s.input_count[row] <= trace_.inputs.size();
    });
    const InputTable& in = trace_.inputs;
    demand_of_rows(in.size(), "an input has sizes that do not exist", [&](uint32_t row) {
      const int64_t rank = std::max(in.rank[row], 0);
      return in.first_size[row] + rank <= static_cast<int64_t>(trace_.input_sizes.size());
    });
  }

  // Rows about a few slices are looked up by them.
  void check_sparse() {
    check_rows_about(trace_.syncs.slice, [](Category category) {
      return category == Category::kSync || category == Category::kCudaEvent;
    });
    check_rows_about(trace_.compiled_calls.slice, is_op_or_range);
  }

  template <typename Belongs>
  void check_rows_about(const Column<SliceId>& slices, Belongs belongs) {
    demand_of_rows(slices.size(), "rows about slices are out of order, or about others", [&](uint32_t row) {
      return (row == 0 || slices[row - 1] < slices[row]) && belongs(trace_.category(slices[row]));
    });
  }

  void check_the_rest() {
    for (const Step& step : trace_.steps) {
      demand(is_track(step.track) && is_slice_or_none(step.slice) && step.start_ns >= kEarliest &&
                 step.end_ns <= kLatest + kLongest && step.start_ns <= step.end_ns,
             "a step refers to something that does not exist");
    }
    check_event_counts();
    const GcPauseTable& pauses = trace_.gc_pauses;
    demand_of_rows(pauses.size(), "a pause has impossible times", [&](uint32_t row) {
      return pauses.start_ns[row] >= kEarliest && pauses.start_ns[row] <= kLatest &&
             pauses.dur_ns[row] >= 0 && pauses.dur_ns[row] < kLongest;
    });
    const Column<StackId>& parent = trace_.stacks.parent;
    demand_of_rows(parent.size(), "a stack does not stand behind the one around it",
                   [&](uint32_t row) { return !parent[row].exists() || parent[row].value < row; });
  }

  void check_event_counts() {
    uint64_t left = trace_.event_count, slices = 0;
    bool adds_up = true;
    for (const EventCount& count : trace_.event_counts) {
      demand(is_text(count.category), "an event count has a text that does not exist");
      adds_up = adds_up && count.count <= left;
      left -= adds_up ? count.count : 0;
      slices += adds_up && count.phase == 'X' ? count.count : 0;
    }
    demand(adds_up && left == 0 && slices >= trace_.slices.size(), "the counts of events do not add up");
  }

  const Trace& trace_;
  const unsigned threads_;
  std::array<const Column<SliceId>*, kCategories.size()> owners_;
  std::mutex mutex_;
  std::optional<std::string_view> broken_;
};

}  // namespace

std::optional<std::string_view> broken_law(const Trace& trace, unsigned threads) {
  return Laws(trace, threads).broken();
}

}  // namespace skyline
