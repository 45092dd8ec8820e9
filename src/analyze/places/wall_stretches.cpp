#include "analyze/places/wall_stretches.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analyze/core/host_ranges.h"
#include "analyze/time/op_time.h"
#include "trace/marks.h"
#include "trace/steps.h"

namespace skyline::analyze {
namespace {

// A stretch before it has an owner; `row` is the innermost operator or range there.
struct Piece {
  int64_t start_ns;
  int64_t end_ns;
  uint32_t row;
};

bool is_frame_of_the_iteration(std::string_view name) {
  return name.starts_with(kProfilerStep) || names_own_mark(name);
}

class Cutter {
 public:
  Cutter(const Trace& trace, const OpPlaces& places, const Iteration& iteration)
      : trace_(trace), places_(places), iteration_(iteration) {}

  std::vector<Stretch> run() {
    pieces_ = fill_waits(own_pieces(), engine_pieces());
    std::vector<Stretch> stretches;
    stretches.reserve(pieces_.size());
    find_neighbours();
    for (size_t i = 0; i < pieces_.size(); ++i) stretches.push_back(own(i));
    return stretches;
  }

 private:
  // The thread's own operators and ranges, and what is between them.
  std::vector<Piece> own_pieces() const {
    PerName<bool> is_frame(trace_.strings, is_frame_of_the_iteration);
    const std::vector<uint32_t> rows = rows_inside([&](uint32_t row) {
      const SliceId slice = trace_.ops.slice[row];
      return trace_.slices.track[slice.value] == iteration_.track &&
             !is_frame(trace_.slices.name[slice.value]);
    });
    std::vector<Piece> pieces;
    int64_t now = iteration_.start_ns;
    for (const Piece& piece : innermost(rows)) {
      if (piece.start_ns > now) pieces.push_back({now, piece.start_ns, kNoRow});
      pieces.push_back(piece);
      now = piece.end_ns;
    }
    if (now < iteration_.end_ns) pieces.push_back({now, iteration_.end_ns, kNoRow});
    return pieces;
  }

  // What the engine's threads do; of several at one time the first thread's.
  std::vector<Piece> engine_pieces() const {
    const std::vector<bool> is_engine = find_engine_threads(trace_, places_, iteration_.track);
    const std::vector<uint32_t> rows = rows_inside([&](uint32_t row) {
      return places_.of[row].in_backward && places_.is_operator[row] && is_engine[track_of(row).value];
    });
    return first_of_each_moment(innermost(rows));
  }

  std::vector<Piece> first_of_each_moment(std::vector<Piece> all) const {
    std::stable_sort(all.begin(), all.end(),
                     [](const Piece& a, const Piece& b) { return a.start_ns < b.start_ns; });
    struct Open {
      TrackId track;
      int64_t end_ns;
      uint32_t row;
      auto operator<=>(const Open&) const = default;
    };
    std::set<Open> open;
    std::vector<Piece> first;
    int64_t now = 0;
    for (size_t next = 0; next < all.size() || !open.empty();) {
      if (open.empty()) now = all[next].start_ns;
      for (; next < all.size() && all[next].start_ns <= now; ++next)
        open.insert({track_of(all[next].row), all[next].end_ns, all[next].row});
      const Open winner = *open.begin();
      const int64_t until = next < all.size() ? std::min(winner.end_ns, all[next].start_ns) : winner.end_ns;
      if (until > now) first.push_back({now, until, winner.row});
      now = std::max(now, until);
      while (!open.empty() && open.begin()->end_ns <= now) open.erase(open.begin());
    }
    return first;
  }

  // Where the thread is in no operator, the engine's pieces take the place of its own.
  std::vector<Piece> fill_waits(const std::vector<Piece>& own, const std::vector<Piece>& engine) const {
    std::vector<Piece> filled;
    size_t next = 0;
    for (const Piece& piece : own) {
      while (next < engine.size() && engine[next].end_ns <= piece.start_ns) ++next;
      int64_t now = piece.start_ns;
      for (size_t i = next; is_gap(piece) && i < engine.size() && engine[i].start_ns < piece.end_ns; ++i) {
        const int64_t start = std::max(engine[i].start_ns, now),
                      end = std::min(engine[i].end_ns, piece.end_ns);
        if (start > now) filled.push_back({now, start, piece.row});
        filled.push_back({start, end, engine[i].row});
        now = end;
      }
      if (now < piece.end_ns) filled.push_back({now, piece.end_ns, piece.row});
    }
    return filled;
  }

  void find_neighbours() {
    before_.assign(pieces_.size(), kNoRow);
    behind_.assign(pieces_.size(), kNoRow);
    for (size_t i = 1; i < pieces_.size(); ++i)
      before_[i] = is_gap(pieces_[i - 1]) ? before_[i - 1] : pieces_[i - 1].row;
    for (size_t i = pieces_.size(); i-- > 1;)
      behind_[i - 1] = is_gap(pieces_[i]) ? behind_[i] : pieces_[i].row;
  }

  Stretch own(size_t i) const {
    const Piece& piece = pieces_[i];
    Stretch stretch = {.start_ns = piece.start_ns, .end_ns = piece.end_ns, .op = kNoRow, .place = {}};
    if (is_gap(piece)) {
      stretch.place = place_between(piece.row, before_[i], behind_[i]);
      const Phase phase = stretch.place.phase;
      stretch.is_near = phase == Phase::kPython || phase == Phase::kUntracked;
    } else if (const std::optional<OpPlace> inside = place_of_python_inside(i)) {
      stretch.place = *inside;
    } else {
      stretch.op = piece.row;
      stretch.place = places_.of[piece.row];
    }
    return stretch;
  }

  // Between operators; `range` is the range around, if there is one.
  OpPlace place_between(uint32_t range, uint32_t before, uint32_t behind) const {
    OpPlace place;
    const bool has_both = before != kNoRow && behind != kNoRow;
    if (has_both) place = shared(before, behind);
    const bool is_engines = has_both && places_.of[before].in_backward && places_.of[behind].in_backward;
    place.phase = is_engines ? Phase::kBackward : loses_events_ ? Phase::kUntracked : Phase::kPython;
    if (range == kNoRow) return place;
    const OpPlace& around = places_.of[range];
    if (around.phase != Phase::kPython) place.phase = around.phase;
    if (is_engines) return place;  // the range is around the call of backward(), not around what ran forward
    if (!places_.modules.tree().holds(around.module, place.module)) place.module = around.module;
    if (!places_.lines.tree().holds(around.line, place.line)) place.line = around.line;
    return place;
  }

  // Of time inside an operator that calls Python, next to calls that belong elsewhere: a checkpointed block's
  // own time is not that of the operator which wanted its result. Nothing if it is the operator's.
  std::optional<OpPlace> place_of_python_inside(size_t i) const {
    const uint32_t outer = pieces_[i].row;
    const uint32_t before = stranger_inside(outer, i > 0 ? pieces_[i - 1].row : kNoRow);
    const uint32_t behind = stranger_inside(outer, i + 1 < pieces_.size() ? pieces_[i + 1].row : kNoRow);
    OpPlace place;
    if (before != kNoRow && behind != kNoRow) {
      place = shared(before, behind);
      const bool is_same = places_.of[before].phase == places_.of[behind].phase;
      place.phase = places_.of[is_same ? before : outer].phase;
      return place;
    }
    const uint32_t neighbour = before != kNoRow ? before : behind;
    if (neighbour == kNoRow || places_.of[neighbour].phase != Phase::kRecompute) return std::nullopt;
    place = shared(outer, neighbour);
    place.phase = Phase::kRecompute;
    return place;
  }
  uint32_t stranger_inside(uint32_t outer, uint32_t row) const {
    return row != kNoRow && is_inside(row, outer) && places_.of[row] != places_.of[outer] ? row : kNoRow;
  }

  OpPlace shared(uint32_t a, uint32_t b) const {
    OpPlace place;
    place.module = places_.modules.shared(places_.of[a].module, places_.of[b].module);
    place.line = places_.lines.tree().shared(places_.of[a].line, places_.of[b].line);
    return place;
  }

  bool is_gap(const Piece& piece) const { return piece.row == kNoRow || !places_.is_operator[piece.row]; }
  TrackId track_of(uint32_t row) const { return trace_.slices.track[trace_.ops.slice[row].value]; }
  int64_t start_of(uint32_t row) const { return trace_.slices.start_ns[trace_.ops.slice[row].value]; }
  int64_t end_of(uint32_t row) const { return trace_.slices.end_ns(trace_.ops.slice[row]); }
  bool is_inside(uint32_t inner, uint32_t outer) const {
    return inner > outer && track_of(inner) == track_of(outer) && end_of(inner) <= end_of(outer);
  }

  template <typename Test>
  std::vector<uint32_t> rows_inside(Test test) const {
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < trace_.ops.size(); ++row) {
      if (start_of(row) < iteration_.end_ns && end_of(row) > iteration_.start_ns && test(row))
        rows.push_back(row);
    }
    return rows;
  }

  std::vector<Piece> innermost(const std::vector<uint32_t>& rows) const {
    std::vector<Piece> pieces;
    for_each_self_stretch(trace_, rows, [&](uint32_t row, int64_t start_ns, int64_t end_ns) {
      const int64_t start = std::max(start_ns, iteration_.start_ns),
                    end = std::min(end_ns, iteration_.end_ns);
      if (start < end) pieces.push_back({start, end, row});
    });
    return pieces;
  }

  const Trace& trace_;
  const OpPlaces& places_;
  const Iteration iteration_;
  const bool loses_events_ = trace_.losses[Loss::kDroppedEvents].count +
                                 trace_.losses[Loss::kDamagedChunk].count +
                                 trace_.losses[Loss::kRecorderStopped].count >
                             0;
  std::vector<Piece> pieces_;
  std::vector<uint32_t> before_, behind_;  // by piece: the operators next to it
};

}  // namespace

std::vector<bool> find_engine_threads(const Trace& trace, const OpPlaces& places, TrackId thread) {
  std::vector<bool> is_engine(trace.tracks.size(), false);
  const StringId process = trace.tracks[thread.value].process;
  for (uint32_t row = 0; row < trace.ops.size(); ++row) {
    const TrackId track = trace.slices.track[trace.ops.slice[row].value];
    if (places.of[row].in_backward && trace.tracks[track.value].process == process)
      is_engine[track.value] = true;
  }
  is_engine[thread.value] = false;
  for (const Step& step : trace.steps) is_engine[step.track.value] = false;
  return is_engine;
}

std::vector<Stretch> cut_wall_time(const Trace& trace, const OpPlaces& places, const Iteration& iteration) {
  return Cutter(trace, places, iteration).run();
}

}  // namespace skyline::analyze
