#include "serve/methods/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/analyze.h"
#include "serve/messages/memory.h"

namespace skyline::serve {
namespace {

constexpr int64_t kUsualPoints = 1000, kMostPoints = 20'000;

// The device with this place among MemoryCurves::devices; by itself the one with the largest peak.
Result<size_t> chosen_device(const analyze::MemoryCurves& curves, std::optional<int64_t> device) {
  if (curves.devices().empty())
    return Error{"the trace has no memory events; record it with profile_memory=True or skyline run"};
  const int64_t number = device.value_or(0), count = static_cast<int64_t>(curves.devices().size());
  if (number < 0 || number >= count)
    return Error{fmt::format("there is no device {}; there are {}, counted from 0", number, count)};
  return static_cast<size_t>(number);
}

// A device's peak as it is sent, among the results of a trace.
struct MemoryPeakKey {
  using Value = protocol::MemoryPeak;
  analyze::MemoryDevice device;
  std::optional<int64_t> step;
  auto operator<=>(const MemoryPeakKey&) const = default;

  static size_t bytes_of(const MemoryPeakKey&, const protocol::MemoryPeak& peak) {
    constexpr size_t kTexts = 200;  // names, files and sums by role, which are short
    return (peak.modules.size() + peak.lines.size() + peak.blocks.size()) *
               (sizeof(protocol::MemoryBlock) + kTexts) +
           peak.links.size() * sizeof(protocol::MemoryLink);
  }
};

}  // namespace

Result<protocol::MemoryCurve> answer_memory_curve(const Context& context,
                                                  const protocol::MemoryCurveParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  const analyze::MemoryCurves& curves = opened->analyzed->get<analyze::MemoryCurves>();
  SKYLINE_TRY(const size_t device, chosen_device(curves, params.device));

  const analyze::MemoryCurves::DeviceCurve& stair = curves.devices()[device];
  const int64_t zero = opened->trace().first_ns;
  const int64_t start = params.start_ns ? analyze::plus(zero, *params.start_ns) : stair.start_ns;
  const int64_t end =
      std::max(params.end_ns ? analyze::plus(zero, *params.end_ns) : stair.end_ns, analyze::plus(start, 1));
  if (start >= end) return Error{"the range of time is beyond all clocks"};
  const auto points =
      static_cast<size_t>(std::clamp<int64_t>(params.points.value_or(kUsualPoints), 1, kMostPoints));
  analyze::MemoryCurve curve = curves.curve(device, start, end, points);

  protocol::MemoryCurve message;
  for (const analyze::MemoryCurves::DeviceCurve& each : curves.devices())
    message.devices.push_back({name_of(each.device), each.peak_bytes, analyze::minus(each.peak_ns, zero)});
  message.device = static_cast<int64_t>(device);
  message.start_ns = analyze::minus(start, zero);
  message.end_ns = analyze::minus(end, zero);
  message.time_ns = std::move(curve.time_ns);
  for (int64_t& time : message.time_ns) time = analyze::minus(time, zero);
  message.low_bytes = std::move(curve.low_bytes);
  message.high_bytes = std::move(curve.high_bytes);
  message.reserved_bytes = std::move(curve.reserved_bytes);
  return message;
}

Result<protocol::MemoryPeak> answer_memory_peak(const Context& context,
                                                const protocol::MemoryPeakParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  const analyze::AnalyzedTrace& analyzed = *opened->analyzed;
  const analyze::MemoryCurves& curves = analyzed.get<analyze::MemoryCurves>();
  SKYLINE_TRY(const size_t number, chosen_device(curves, params.device));
  SKYLINE_RETURN_IF_ERROR(analyze::chosen_step(analyzed.trace(), params.step));
  const analyze::MemoryDevice device = curves.devices()[number].device;
  return *analyzed.results().get(MemoryPeakKey{device, params.step}, [&] {
    const std::shared_ptr<const analyze::MemoryPeaks> peaks = analyze::shared_peaks(analyzed, params.step);
    for (const analyze::MemoryAtPeak& peak : *peaks) {
      if (peak.device == device)
        return to_message(analyzed, peak, analyze::memory_by_module(analyzed, peak),
                          analyze::memory_by_line(analyzed.trace(), peak));
    }
    return protocol::MemoryPeak();
  });
}

}  // namespace skyline::serve
