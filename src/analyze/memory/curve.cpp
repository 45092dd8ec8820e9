#include "analyze/memory/curve.h"

#include <algorithm>

#include "analyze/core/saturate.h"
#include "base/check.h"

namespace skyline::analyze {
namespace {

using Times = std::vector<int64_t>;

MemoryCurves::DeviceCurve stair_of(const Trace& trace, const DeviceMemory& memory) {
  MemoryCurves::DeviceCurve stair = {.device = memory.device, .peak_ns = trace.first_ns};
  bool has_reserved = false;  // torch writes 0 for the host, which reserves nothing
  for (size_t event = 0; event < memory.events.size(); ++event) {
    const uint32_t row = memory.events[event];
    const int64_t time = trace.memory.time_ns[row], bytes = memory.live_bytes[event];
    stair.time_ns.push_back(time);
    stair.bytes.push_back(bytes);
    if (bytes > stair.peak_bytes) {
      stair.peak_bytes = bytes;
      stair.peak_ns = time;
    }
    if (trace.memory.total_reserved[row] == kUnknownBytes) continue;
    has_reserved |= trace.memory.total_reserved[row] != 0;
    stair.reserved_time_ns.push_back(time);
    stair.reserved.push_back(trace.memory.total_reserved[row]);
  }
  if (!has_reserved) stair.reserved_time_ns = stair.reserved = {};
  stair.start_ns = trace.first_ns;
  int64_t last_ns = trace.last_ns;
  if (!stair.time_ns.empty()) {
    stair.start_ns = std::min(stair.start_ns, stair.time_ns.front());
    last_ns = std::max(last_ns, stair.time_ns.back());
  }
  stair.end_ns = plus(last_ns, 1);
  if (stair.start_ns == stair.end_ns) --stair.start_ns;  // at the end of all clocks
  return stair;
}

// Walks over a stair in the order of time.
class Walk {
 public:
  // `before` is the value before the first event.
  Walk(const Times& times, const std::vector<int64_t>& values, int64_t start_ns, int64_t before)
      : times_(times), values_(values) {
    next_ = static_cast<size_t>(std::upper_bound(times.begin(), times.end(), start_ns) - times.begin());
    now_ = next_ > 0 ? values_[next_ - 1] : before;
  }

  struct Extremes {
    int64_t low, high;
  };
  // Of the time up to `end_ns`, itself excluded, with the value at the beginning.
  Extremes up_to(int64_t end_ns) {
    Extremes found = {now_, now_};
    for (; next_ < times_.size() && times_[next_] < end_ns; ++next_) {
      now_ = values_[next_];
      found.low = std::min(found.low, now_);
      found.high = std::max(found.high, now_);
    }
    return found;
  }

 private:
  const Times& times_;
  const std::vector<int64_t>& values_;
  size_t next_;
  int64_t now_;
};

// The beginnings of stretches of equal length, and the end of the last one.
Times equal_stretches(int64_t start_ns, int64_t end_ns, size_t count) {
  Times bounds;
  // Unsigned, as the distance of the ends of all clocks is one.
  const uint64_t length = static_cast<uint64_t>(end_ns) - static_cast<uint64_t>(start_ns);
  for (size_t i = 0; i <= count; ++i) {
    const uint64_t offset = length / count * i + length % count * i / count;
    bounds.push_back(static_cast<int64_t>(static_cast<uint64_t>(start_ns) + offset));
  }
  return bounds;
}

}  // namespace

MemoryCurves::MemoryCurves(const AnalyzedTrace& analyzed) {
  for (const DeviceMemory& memory : analyzed.get<memory_blocks>())
    devices_.push_back(stair_of(analyzed.trace(), memory));
  std::stable_sort(devices_.begin(), devices_.end(), [](const DeviceCurve& a, const DeviceCurve& b) {
    return a.peak_bytes != b.peak_bytes ? a.peak_bytes > b.peak_bytes : a.device < b.device;
  });
}

MemoryCurve MemoryCurves::curve(size_t device, int64_t start_ns, int64_t end_ns, size_t points) const {
  CHECK(device < devices_.size() && points > 0 && start_ns < end_ns);
  const DeviceCurve& stair = devices_[device];
  const auto begin = std::upper_bound(stair.time_ns.begin(), stair.time_ns.end(), start_ns);
  const auto end = std::lower_bound(begin, stair.time_ns.end(), end_ns);
  MemoryCurve curve;
  if (static_cast<size_t>(end - begin) < points) {
    const auto first = begin - stair.time_ns.begin();
    curve.time_ns = {start_ns};
    curve.time_ns.insert(curve.time_ns.end(), begin, end);
    curve.high_bytes = {first > 0 ? stair.bytes[static_cast<size_t>(first - 1)] : 0};
    curve.high_bytes.insert(curve.high_bytes.end(), stair.bytes.begin() + first,
                            stair.bytes.begin() + (end - stair.time_ns.begin()));
    curve.low_bytes = curve.high_bytes;
  } else {
    const Times bounds = equal_stretches(start_ns, end_ns, points);
    Walk walk(stair.time_ns, stair.bytes, start_ns, 0);
    curve.time_ns.assign(bounds.begin(), bounds.end() - 1);
    for (size_t i = 0; i < points; ++i) {
      const Walk::Extremes found = walk.up_to(bounds[i + 1]);
      curve.low_bytes.push_back(found.low);
      curve.high_bytes.push_back(found.high);
    }
  }
  if (stair.reserved.empty()) return curve;
  // It was reserved before somebody told of it.
  Walk walk(stair.reserved_time_ns, stair.reserved, start_ns, stair.reserved.front());
  for (size_t i = 0; i < curve.time_ns.size(); ++i)
    curve.reserved_bytes.push_back(
        walk.up_to(i + 1 < curve.time_ns.size() ? curve.time_ns[i + 1] : end_ns).high);
  return curve;
}

}  // namespace skyline::analyze
