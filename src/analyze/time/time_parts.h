// Where wall time goes: every moment belongs to exactly one part, the first of the list that claims it.
// So the parts of any window add up to its length.
#pragma once

#include <array>
#include <string_view>

#include "analyze/core/analyzed_trace.h"
#include "analyze/core/intervals.h"

namespace skyline::analyze {

enum class Part : uint8_t { kCompute, kCommunication, kCopy, kInput, kHostCommunication, kHost };

struct PartDef {
  Part part;
  std::string_view name;
  std::string_view definition;
};

// In order of priority: what keeps the device busy, then what keeps it waiting.
inline constexpr std::array<PartDef, 6> kParts = {{
    {Part::kCompute, "device compute", "A compute kernel or a memory set runs on the device."},
    {Part::kCommunication, "communication",
     "A communication kernel runs on the device and no compute kernel hides it."},
    {Part::kCopy, "copy", "A copy runs on the device and no kernel hides it."},
    {Part::kInput, "input",
     "The device does nothing and the training thread is inside a DataLoader or DataPipe fetch."},
    {Part::kHostCommunication, "host communication",
     "The device does nothing, a collective runs on the host (gloo, MPI, c10d), and no operator works "
     "meanwhile."},
    {Part::kHost, "host",
     "The rest: the device does nothing while the host runs operators, Python, launches, or waits."},
}};

// The moments in which a training thread fetches input, whatever the device does meanwhile.
IntervalSet fetch_time(const AnalyzedTrace& analyzed);

class TimeParts {
 public:
  using Times = std::array<int64_t, kParts.size()>;  // ns, in the order of kParts

  explicit TimeParts(const AnalyzedTrace& analyzed);

  Times within(int64_t start_ns, int64_t end_ns) const;

  // The moments of a part, except of the last: that is what the others leave.
  const IntervalSet& of(Part part) const { return sets_[static_cast<size_t>(part)]; }

  // The moments of the last part, Part::kHost, in a window.
  IntervalSet host_in(const IntervalSet& window) const;

 private:
  std::array<IntervalSet, kParts.size() - 1> sets_;  // disjoint
};

}  // namespace skyline::analyze
