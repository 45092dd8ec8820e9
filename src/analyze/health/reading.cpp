#include "analyze/health/reading.h"

#include <fmt/format.h>

#include <algorithm>

namespace skyline::analyze {
namespace {

constexpr int64_t kHour = 3'600'000'000'000;

std::string capitalized(std::string_view text) {
  std::string sentence(text);
  if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
    sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return sentence;
}

std::string_view cure_of(Loss loss) {
  switch (loss) {
    case Loss::kTruncated:
      return "Let the profiler finish writing (leave its `with` block) and copy the file whole.";
    case Loss::kCorruptStream:
      return "Copy the file again, or record it again.";
    case Loss::kMalformedEvent:
    case Loss::kRepairedEvent:
    case Loss::kRepairedText:
      return "Newer versions of PyTorch write names correctly.";
    case Loss::kChanged:
      return "Read it again once nobody writes it any more.";
    case Loss::kUnknownCategory:
      return kUnknownCure;
    default:
      return "";
  }
}

}  // namespace

void check_losses(const RecordingRuleInput& in, Findings& out) {
  bool any = false;
  for (const LossKind& kind : kLosses) {
    const LossCounts::Entry& entry = in.trace.losses[kind.loss];
    if (entry.count == 0) continue;
    any = true;
    const HealthLevel level = kind.severity == Severity::kDataLoss ? HealthLevel::kWrong : HealthLevel::kNote;
    const std::string place = entry.count == 1
                                  ? fmt::format("at byte {}", entry.first_offset)
                                  : fmt::format("{}, first at byte {}", entry.count, entry.first_offset);
    out.push_back(
        about_recording(kind.name, level, static_cast<int64_t>(entry.count),
                        fmt::format("{} ({}).", capitalized(sentence_of(kind, in.trace.losses)), place),
                        std::string(cure_of(kind.loss))));
  }
  if (!any)
    out.push_back(
        about_recording("losses", HealthLevel::kFine, 0, "Everything in the file could be read.", ""));
}

// pytorch#188481: half of the events can have neither time nor duration.
void check_zero_times(const RecordingRuleInput& in, Findings& out) {
  const SliceTable& slices = in.trace.slices;
  int64_t count = 0, first_other = INT64_MAX;
  for (uint32_t s = 0; s < slices.size(); ++s) {
    if (slices.start_ns[s] == 0 && slices.dur_ns[s] == 0) {
      ++count;
    } else {
      first_other = std::min(first_other, slices.start_ns[s]);
    }
  }
  if (count == 0) return;
  // A hand-made trace may well begin at zero; a clock that counts from 1970 or from a quarter's start does
  // not.
  const bool far_away = first_other != INT64_MAX && first_other > kHour;
  out.push_back(
      about_recording("time.zero", far_away ? HealthLevel::kWrong : HealthLevel::kNote, count,
                      fmt::format("Slices with neither a start nor a duration: {}.", count),
                      far_away ? "Record again with another version of PyTorch (pytorch#188481)." : ""));
}

void check_clock_resolution(const RecordingRuleInput& in, Findings& out) {
  if (in.trace.slices.size() == 0 || !in.trace.info.whole_microseconds) return;
  out.push_back(about_recording("time.whole_microseconds", HealthLevel::kNote,
                                static_cast<int64_t>(in.trace.slices.size()),
                                "Times are whole microseconds: every start and duration may be off by 1 µs.",
                                "PyTorch 2.4 and later record nanoseconds."));
}

void check_base_time(const RecordingRuleInput& in, Findings& out) {
  // Times beyond a year cannot count from the start of a machine or of a program: they are Unix times.
  const bool is_unix_time = in.trace.info.base_ns != 0 || in.trace.first_ns > 365 * 24 * kHour;
  if (in.trace.slices.size() == 0 || is_unix_time) return;
  out.push_back(
      about_recording("time.base", HealthLevel::kNote, 1,
                      "The file does not say when its time begins, so it cannot be laid beside other ranks.",
                      "Export with prof.export_chrome_trace() and keep baseTimeNanoseconds in the file."));
}

void check_zero_durations(const RecordingRuleInput& in, Findings& out) {
  const SliceTable& slices = in.trace.slices;
  const auto count = std::count(slices.dur_ns.begin(), slices.dur_ns.end(), 0);
  if (count == 0) return;
  out.push_back(about_recording(
      "slices.zero_duration", HealthLevel::kNote, count,
      fmt::format("Slices without a duration, shorter than the clock's tick: {} of {} ({:.1f} %).", count,
                  slices.size(), 100.0 * static_cast<double>(count) / static_cast<double>(slices.size())),
      in.trace.info.whole_microseconds ? "PyTorch 2.4 and later record nanoseconds." : ""));
}

void check_slice_overlap(const RecordingRuleInput& in, Findings& out) {
  const Trace& trace = in.trace;
  int64_t count = 0;
  for (const Track& track : trace.tracks) {
    if (track.is_stream() || track.lanes < 2) continue;
    const uint16_t* lane = trace.slices.lane.data() + track.first_slice.value;
    count += std::count_if(lane, lane + track.slice_count, [](uint16_t l) { return l > 0; });
  }
  if (count == 0) return;
  out.push_back(about_recording(
      "slices.overlap", HealthLevel::kNote, count,
      fmt::format("Slices that overlap others on their thread only in part, and so stand on lanes of their "
                  "own: {}.",
                  count),
      ""));
}

}  // namespace skyline::analyze
