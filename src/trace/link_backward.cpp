// Which forward op does a backward op belong to.
//
// A backward op carries the sequence number of its forward op and torch's own number of the thread
// that ran it. Several forward ops share one sequence number (linear and the t inside it): the
// latest that started before the backward op wins. torch's thread numbers are not the system's, so
// where threads compete, the unambiguous links of the same number decide. Where the file has
// forward-to-backward arrows, they are believed first.
#include "trace/link_backward.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace skyline {
namespace {

// A place in the trace as arrows name it.
struct Place {
  TrackId track;
  int64_t time_ns;
  auto operator<=>(const Place&) const = default;
};

struct Arrow {
  Place to;
  Place from;
};

struct ForwardOp {
  StringId process;
  int64_t sequence;
  int64_t start_ns;
  TrackId track;
  SliceId slice;
  bool sole_thread;  // no other thread has an op of this process and number up to here
};

// Where threads compete for a number, this many latest ops are looked at.
constexpr size_t kContested = 64;

// Of the slices that start where an arrow starts, this many outermost ones are looked at.
constexpr ptrdiff_t kStarting = 256;

class BackwardLinker {
 public:
  BackwardLinker(Trace& draft, std::span<const FlowEnd> arrows) : draft_(draft), arrows_(arrows) {}

  void run() {
    collect_forward_ops();
    follow_arrows();
    follow_sequence_numbers();
  }

 private:
  bool is_op(uint32_t row) const { return draft_.category(draft_.ops.slice[row]) == Category::kCpuOp; }
  TrackId track_of(SliceId slice) const { return draft_.slices.track[slice.value]; }
  StringId process_of(SliceId slice) const { return draft_.tracks[track_of(slice).value].process; }

  void collect_forward_ops() {
    const OpTable& ops = draft_.ops;
    for (uint32_t row = 0; row < ops.size(); ++row) {
      if (ops.sequence[row] < 0 || ops.fwd_thread[row] != 0 || !is_op(row)) continue;
      const SliceId slice = ops.slice[row];
      forwards_.push_back({process_of(slice), ops.sequence[row], draft_.slices.start_ns[slice.value],
                           track_of(slice), slice, true});
    }
    std::stable_sort(forwards_.begin(), forwards_.end(), [](const ForwardOp& a, const ForwardOp& b) {
      if (a.process != b.process) return a.process < b.process;
      if (a.sequence != b.sequence) return a.sequence < b.sequence;
      return a.start_ns < b.start_ns;
    });
    for (size_t i = 1; i < forwards_.size(); ++i) {
      const ForwardOp& before = forwards_[i - 1];
      ForwardOp& op = forwards_[i];
      if (op.process != before.process || op.sequence != before.sequence) continue;
      op.sole_thread = before.sole_thread && op.track == before.track;
    }
  }

  // Arrow ends name a thread and a time; the op that starts there is meant.
  void follow_arrows() {
    if (arrows_.empty()) return;
    std::unordered_map<uint64_t, Place> starts;
    for (const FlowEnd& end : arrows_) {
      if (end.is_start) starts[end.id] = {end.track, end.time_ns};
    }
    std::vector<Arrow> arrows;
    for (const FlowEnd& end : arrows_) {
      const auto start = end.is_start ? starts.end() : starts.find(end.id);
      if (start != starts.end()) arrows.push_back({{end.track, end.time_ns}, start->second});
    }
    // Of several arrows to one place the last in the file counts.
    const auto earlier = [](const Arrow& a, const Arrow& b) { return a.to < b.to; };
    std::stable_sort(arrows.begin(), arrows.end(), earlier);
    for (uint32_t row = 0; row < draft_.ops.size(); ++row) {
      if (draft_.ops.fwd_thread[row] == 0 || draft_.ops.sequence[row] < 0 || !is_op(row)) continue;
      const SliceId slice = draft_.ops.slice[row];
      const Arrow here{{track_of(slice), draft_.slices.start_ns[slice.value]}, {}};
      const auto behind = std::upper_bound(arrows.begin(), arrows.end(), here, earlier);
      if (behind == arrows.begin() || (behind - 1)->to != here.to) continue;
      draft_.ops.forward[row] = op_starting_at((behind - 1)->from, draft_.ops.sequence[row]);
    }
  }

  // Of the ops that start at this place: the one with this sequence number, else the outermost.
  SliceId op_starting_at(Place place, int64_t sequence) const {
    const Track& track = draft_.tracks[place.track.value];
    const int64_t* begin = draft_.slices.start_ns.data() + track.first_slice.value;
    const int64_t* const first = std::lower_bound(begin, begin + track.slice_count, place.time_ns);
    const int64_t* const end = first + std::min(kStarting, begin + track.slice_count - first);
    SliceId found;
    for (const int64_t* at = first; at != end && *at == place.time_ns; ++at) {
      const SliceId slice(track.first_slice.value + static_cast<uint32_t>(at - begin));
      if (draft_.category(slice) != Category::kCpuOp) continue;
      const uint32_t row = draft_.slices.detail[slice.value];
      if (row != kNoRow && draft_.ops.sequence[row] == sequence) return slice;
      if (!found.exists()) found = slice;
    }
    return found;
  }

  void follow_sequence_numbers() {
    std::vector<uint32_t> contested;
    const OpTable& ops = draft_.ops;
    for (uint32_t row = 0; row < ops.size(); ++row) {
      if (ops.fwd_thread[row] == 0 || ops.sequence[row] < 0 || ops.forward[row].exists() || !is_op(row))
        continue;
      const std::span<const ForwardOp> candidates = earlier_forwards(row);
      if (candidates.empty()) continue;
      if (!candidates.back().sole_thread) {
        contested.push_back(row);
        continue;
      }
      draft_.ops.forward[row] = candidates.back().slice;
      ++votes_[ops.fwd_thread[row]][candidates.back().track];
    }
    for (const uint32_t row : contested) {
      std::span<const ForwardOp> candidates = earlier_forwards(row);
      candidates = candidates.last(std::min(candidates.size(), kContested));
      const TrackId preferred = preferred_track(row, candidates);
      for (const ForwardOp& op : candidates) {
        if (op.track == preferred) draft_.ops.forward[row] = op.slice;
      }
    }
  }

  // Forward ops of the same process and sequence number that started no later, by start.
  std::span<const ForwardOp> earlier_forwards(uint32_t row) const {
    const SliceId slice = draft_.ops.slice[row];
    const StringId process = process_of(slice);
    const int64_t sequence = draft_.ops.sequence[row], start = draft_.slices.start_ns[slice.value];
    const auto first = std::partition_point(forwards_.begin(), forwards_.end(), [&](const ForwardOp& op) {
      return op.process != process ? op.process < process : op.sequence < sequence;
    });
    const auto last = std::partition_point(first, forwards_.end(), [&](const ForwardOp& op) {
      return op.process == process && op.sequence == sequence && op.start_ns <= start;
    });
    return {first, last};
  }

  // The candidates' thread with the most unambiguous links for this forward-thread number.
  TrackId preferred_track(uint32_t row, std::span<const ForwardOp> candidates) const {
    const auto votes = votes_.find(draft_.ops.fwd_thread[row]);
    TrackId best;
    uint32_t most = 0;
    for (const ForwardOp& op : candidates) {
      uint32_t count = 0;
      if (votes != votes_.end()) {
        const auto vote = votes->second.find(op.track);
        if (vote != votes->second.end()) count = vote->second;
      }
      if (!best.exists() || count > most || (count == most && thread_text(op.track) < thread_text(best))) {
        best = op.track;
        most = count;
      }
    }
    return best;
  }

  std::string_view thread_text(TrackId track) const {
    return draft_.strings[draft_.tracks[track.value].thread];
  }

  Trace& draft_;
  std::span<const FlowEnd> arrows_;
  std::vector<ForwardOp> forwards_;
  std::unordered_map<uint32_t, std::map<TrackId, uint32_t>> votes_;
};

}  // namespace

void link_backward(Trace& draft, std::span<const FlowEnd> arrows) {
  draft.ops.forward.assign(draft.ops.size(), SliceId());
  BackwardLinker(draft, arrows).run();
}

}  // namespace skyline
