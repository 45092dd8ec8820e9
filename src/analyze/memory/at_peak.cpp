#include "analyze/memory/at_peak.h"

#include <algorithm>

#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/memory/roles.h"
#include "analyze/time/op_time.h"

namespace skyline::analyze {
namespace {

struct Window {
  int64_t start_ns = INT64_MIN, end_ns = INT64_MAX;
};

// Where in DeviceMemory::events a peak is; kNoRow: before the first.
struct Peak {
  uint32_t event = kNoRow;
  int64_t bytes = 0;
};

class PeakFinder {
 public:
  PeakFinder(const AnalyzedTrace& analyzed, const Step* step)
      : trace_(analyzed.trace()), around_(analyzed.get<operators_around_memory>()) {
    if (step == nullptr) return;
    window_ = {step->start_ns, step->end_ns};
    step_ = step->number;
  }

  MemoryAtPeak run(const DeviceMemory& memory) const {
    MemoryAtPeak found{.device = memory.device};
    found.start_ns = window_.start_ns == INT64_MIN ? trace_.first_ns : window_.start_ns;
    found.end_ns = window_.end_ns == INT64_MAX ? trace_.last_ns : window_.end_ns;

    // When the most bytes live, within the iteration and in the whole recording.
    const Peak peak = largest(memory, window_);
    found.peak = moment_of(memory, peak);
    found.peak.step = step_;
    if (found.peak.time_ns < window_.start_ns) {  // nothing more came in it
      found.peak.time_ns = window_.start_ns;
      found.peak.op = kNoRow;
    }
    found.recording = moment_of(memory, largest(memory, {}));
    found.recording.step = step_at(found.recording.time_ns);
    found.recording_is_before_steps =
        !trace_.steps.empty() && found.recording.time_ns < trace_.steps.front().start_ns;

    // What lives then, and what it is: the sums are those of the same blocks.
    found.older_bytes = memory.older_after(peak.event);
    found.blocks = blocks_at(memory, peak.event, found.peak.time_ns);
    for (const PeakBlock& block : found.blocks) found.roles.add(block.role, block.bytes);
    return found;
  }

 private:
  int64_t time_of(const DeviceMemory& memory, uint32_t event) const {
    return trace_.memory.time_ns[memory.events[event]];
  }

  // Of equals the first. What lives when the window begins counts as well.
  Peak largest(const DeviceMemory& memory, Window window) const {
    Peak best;
    for (uint32_t event = 0; event < memory.events.size(); ++event) {
      const int64_t time = time_of(memory, event);
      if (time > window.end_ns) break;
      const bool is_before = time < window.start_ns;
      if (is_before || memory.live_bytes[event] > best.bytes) best = {event, memory.live_bytes[event]};
    }
    return best;
  }

  MemoryMoment moment_of(const DeviceMemory& memory, Peak peak) const {
    if (peak.event == kNoRow) return {0, trace_.first_ns, {}, kNoRow};
    return {peak.bytes, time_of(memory, peak.event), {}, around_[memory.events[peak.event]]};
  }

  std::optional<int64_t> step_at(int64_t time_ns) const {
    for (const Step& step : trace_.steps) {
      if (step.start_ns <= time_ns && time_ns <= step.end_ns) return step.number;
    }
    return std::nullopt;
  }

  std::vector<PeakBlock> blocks_at(const DeviceMemory& memory, uint32_t event, int64_t peak_ns) const {
    std::vector<MemoryBlock> living;
    for (const MemoryBlock& block : memory.blocks) {
      if (event != kNoRow && block.lives_after(event)) living.push_back(block);
    }
    std::vector<PeakBlock> blocks;
    for (const MemoryBlock& block : living) {
      const BlockOrigin origin = origin_of(trace_, around_[block.allocation]);
      const MemoryRole role = role_by_origin(block, origin, peak_ns);
      blocks.push_back({block.allocation, block.bytes, role, origin.op, kNoRow});
    }
    name_blocks(trace_, memory, living, blocks);
    return blocks;
  }

  MemoryRole role_by_origin(const MemoryBlock& block, const BlockOrigin& origin, int64_t peak_ns) const {
    if (trace_.memory.time_ns[block.allocation] < window_.start_ns) return MemoryRole::kOther;
    if (origin.op == kNoRow) return MemoryRole::kOther;
    const bool has_ended = trace_.slices.end_ns(trace_.ops.slice[origin.op]) < peak_ns;
    return origin.is_forward && has_ended ? MemoryRole::kActivations : MemoryRole::kTemporaries;
  }

  const Trace& trace_;
  Window window_;
  std::optional<int64_t> step_;
  const std::vector<uint32_t>& around_;  // per row of Trace::memory its innermost operator
};

const Step* step_to_look_at(const AnalyzedTrace& analyzed, std::optional<int64_t> number) {
  const Step* const wanted = number ? find_step(analyzed.trace(), *number) : nullptr;
  return wanted != nullptr ? wanted : analyzed.get<last_complete_step>();
}

MemoryPeaks find_peaks(const AnalyzedTrace& analyzed, const Step* step) {
  MemoryPeaks peaks;
  if (analyzed.trace().memory.size() == 0) return peaks;
  const PeakFinder finder(analyzed, step);
  for (const DeviceMemory& memory : analyzed.get<memory_blocks>()) peaks.push_back(finder.run(memory));
  std::stable_sort(peaks.begin(), peaks.end(), [](const MemoryAtPeak& a, const MemoryAtPeak& b) {
    return a.peak.bytes != b.peak.bytes ? a.peak.bytes > b.peak.bytes : a.device < b.device;
  });
  return peaks;
}

// The peaks of a step among the results of a trace.
struct PeaksKey {
  using Value = MemoryPeaks;
  const Step* step;  // null: of the whole recording
  auto operator<=>(const PeaksKey&) const = default;

  static size_t bytes_of(const PeaksKey&, const MemoryPeaks& peaks) {
    size_t bytes = 0;
    for (const MemoryAtPeak& peak : peaks) bytes += sizeof(peak) + peak.blocks.size() * sizeof(PeakBlock);
    return bytes;
  }
};

}  // namespace

int64_t RoleBytes::sum() const {
  SumNs all;
  for (const int64_t one : bytes) all += one;
  return all;
}

void RoleBytes::add(MemoryRole role, int64_t more) {
  int64_t& one = bytes[static_cast<size_t>(role)];
  one = plus(one, more);
}

void RoleBytes::add(const RoleBytes& other) {
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = plus(bytes[i], other.bytes[i]);
}

MemoryPeaks memory_at_peak(const AnalyzedTrace& analyzed, std::optional<int64_t> step) {
  return find_peaks(analyzed, step_to_look_at(analyzed, step));
}

std::shared_ptr<const MemoryPeaks> shared_peaks(const AnalyzedTrace& analyzed, std::optional<int64_t> step) {
  const Step* const wanted = step_to_look_at(analyzed, step);
  return analyzed.results().get(PeaksKey{wanted}, [&] { return find_peaks(analyzed, wanted); });
}

}  // namespace skyline::analyze
