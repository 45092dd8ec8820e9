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

template <typename First, typename... Rest>
bool same_size(const First& first, const Rest&... rest) {
  return ((first.size() == rest.size()) && ...);
}

class Laws {
 public:
  Laws(const Trace& trace, unsigned threads) : trace_(trace), threads_(threads) {
    for (const CategoryTraits& line : kCategories)
      owners_[static_cast<size_t>(line.category)] = owners(line.category);
  }

  std::optional<std::string_view> broken() {
    demand(columns_are_complete(), "the columns of a table have different lengths");
    if (!broken_) check_tracks();
    if (!broken_) check_slices();
    if (!broken_) check_details();
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
    const Trace& t = trace_;
    const SliceTable& s = t.slices;
    const OpTable& o = t.ops;
    const PythonTable& p = t.pythons;
    const LaunchTable& l = t.launches;
    const ActivityTable& a = t.activities;
    const CollectiveTable& c = t.collectives;
    const MemoryTable& m = t.memory;
    const TensorTable& e = t.tensors;
    const CounterTable& n = t.counters;
    return s.size() < UINT32_MAX &&
           same_size(s, s.dur_ns, s.name, s.track, s.category, s.detail, s.offset, s.parent, s.depth,
                     s.lane) &&
           same_size(o, o.external_id, o.sequence, o.fwd_thread, o.input_dims, o.input_types, o.forward) &&
           (o.stack.empty() || same_size(o, o.stack)) && (o.module.empty() || same_size(o, o.module)) &&
           same_size(p, p.python_id, p.parent_id, p.module_id) &&
           same_size(l, l.correlation, l.external_id, l.op, l.activities) &&
           same_size(a, a.correlation, a.device, a.stream, a.bytes, a.launch, a.collective) &&
           same_size(c, c.name, c.dtype, c.group_name, c.group_ranks, c.in_elements, c.out_elements,
                     c.group_size) &&
           same_size(m, m.track, m.address, m.bytes, m.total_allocated, m.total_reserved, m.device_type,
                     m.device_id) &&
           same_size(e, e.name, e.module, e.dims, e.address, e.bytes, e.time_ns) &&
           same_size(n, n.track, n.name, n.key, n.value) &&
           same_size(t.frames, t.frames.function, t.frames.line) &&
           same_size(t.stacks, t.stacks.frame, t.stacks.module) && same_size(t.modules, t.modules.class_name);
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

  // Slices are checked in two passes over their columns: first what a pass may index by, then how they
  // stand to each other and to the rows of their details.
  void check_slices() {
    const SliceTable& s = trace_.slices;
    demand_of_rows(s.size(), "a slice names a track, text or category that does not exist", [&](uint32_t i) {
      return is_track(s.track[i]) && is_text(s.name[i]) &&
             static_cast<size_t>(s.category[i]) < kCategories.size();
    });
    if (broken_) return;
    demand_of_rows(
        s.size(), "a slice has impossible times, a wrong place, parent or details", [&](uint32_t i) {
          return has_sound_time(i) && stands_in_its_track(i) && fits_its_parent(i) && has_its_details(i);
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
    if (category == Category::kCpuOp || category == Category::kUserAnnotation) return &trace_.ops.slice;
    if (category == Category::kPython) return &trace_.pythons.slice;
    if (is_launch(category)) return &trace_.launches.slice;
    return is_activity(category) ? &trace_.activities.slice : nullptr;
  }

  bool has_its_details(uint32_t i) const {
    const Column<SliceId>* owner = owners_[static_cast<size_t>(trace_.slices.category[i])];
    const uint32_t row = trace_.slices.detail[i];
    if (owner == nullptr) return row == kNoRow;
    return row < owner->size() && (*owner)[row].value == i;
  }

  // Every slice knows its row. That every row has a slice of its own is left.
  void check_details() {
    const auto is_op = [](Category c) { return c == Category::kCpuOp || c == Category::kUserAnnotation; };
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

    const auto is_a = [&](SliceId id, auto belongs) { return is_slice(id) && belongs(trace_.category(id)); };
    const OpTable& o = trace_.ops;
    demand_of_rows(o.size(), "an operator refers to something that does not exist", [&](uint32_t row) {
      return is_text(o.input_dims[row]) && is_text(o.input_types[row]) &&
             (!o.forward[row].exists() || is_a(o.forward[row], is_op)) &&
             (!o.stack_of(row).exists() || o.stack[row].value < trace_.stacks.size()) &&
             (!o.module_of(row).exists() || o.module[row].value < trace_.modules.size());
    });
    const LaunchTable& l = trace_.launches;
    demand_of_rows(l.size(), "a launch refers to an operator that does not exist",
                   [&](uint32_t row) { return !l.op[row].exists() || is_a(l.op[row], is_op); });
    const ActivityTable& a = trace_.activities;
    demand_of_rows(a.size(), "an activity refers to something that does not exist", [&](uint32_t row) {
      return (!a.launch[row].exists() || is_a(a.launch[row], is_launch)) &&
             (a.collective[row] == kNoRow || a.collective[row] < trace_.collectives.size());
    });
  }

  void check_the_rest() {
    const CollectiveTable& c = trace_.collectives;
    demand_of_rows(c.size(), "a collective refers to something that does not exist", [&](uint32_t row) {
      return is_slice(c.slice[row]) && is_text(c.name[row]) && is_text(c.dtype[row]) &&
             is_text(c.group_name[row]) && is_text(c.group_ranks[row]);
    });
    demand_of_rows(trace_.memory.size(), "an allocation is on a track that does not exist",
                   [&](uint32_t row) { return is_track(trace_.memory.track[row]); });
    const TensorTable& e = trace_.tensors;
    demand_of_rows(e.size(), "a tensor has a role or text that does not exist", [&](uint32_t row) {
      return static_cast<size_t>(e.role[row]) < kTensorRoles && is_text(e.name[row]) &&
             is_text(e.module[row]) && is_text(e.dims[row]);
    });
    const CounterTable& n = trace_.counters;
    demand_of_rows(n.size(), "a counter refers to something that does not exist", [&](uint32_t row) {
      return is_track(n.track[row]) && is_text(n.name[row]) && is_text(n.key[row]);
    });
    for (const Step& step : trace_.steps) {
      demand(is_track(step.track) && is_slice_or_none(step.slice) && step.start_ns >= kEarliest &&
                 step.end_ns <= kLatest + kLongest && step.start_ns <= step.end_ns,
             "a step refers to something that does not exist");
    }
    check_event_counts();
    const FrameTable& f = trace_.frames;
    demand_of_rows(f.size(), "a frame has a text that does not exist",
                   [&](uint32_t row) { return is_text(f.file[row]) && is_text(f.function[row]); });
    const StackTable& k = trace_.stacks;
    demand_of_rows(k.size(), "a stack refers to something that does not stand before it", [&](uint32_t row) {
      return (!k.parent[row].exists() || k.parent[row].value < row) &&
             (!k.frame[row].exists() || k.frame[row].value < f.size()) &&
             (!k.module[row].exists() || k.module[row].value < trace_.modules.size());
    });
    const ModuleTable& m = trace_.modules;
    demand_of_rows(m.size(), "a module has a text that does not exist",
                   [&](uint32_t row) { return is_text(m.name[row]) && is_text(m.class_name[row]); });
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
