#include "analyze/health/verdict_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyze/core/recorded.h"
#include "analyze/core/saturate.h"
#include "analyze/core/step_window.h"
#include "analyze/places/breakdown.h"
#include "analyze/places/wall_stretches.h"

namespace skyline::analyze {
namespace {

// Who is waited for in each part, in the order of kParts.
constexpr std::array<WaitsFor, kParts.size()> kOwners = {
    WaitsFor::kDevice, WaitsFor::kCommunication, WaitsFor::kDevice,
    WaitsFor::kInput,  WaitsFor::kCommunication, WaitsFor::kHost,
};

int64_t time_in(Part part, const TimeParts::Times& times) { return times[static_cast<size_t>(part)]; }

// "input 33 %, host 9 %": what the sentence has not named, largest first, nothing below 1 %.
std::string others(const TimeParts::Times& times, std::string_view named) {
  struct Share {
    std::string_view name;
    int64_t time_ns;
  };
  std::vector<Share> shares = {
      {"compute", time_in(Part::kCompute, times)},
      {"communication", time_of(WaitsFor::kCommunication, times)},
      {"copies", time_in(Part::kCopy, times)},
      {"input", time_in(Part::kInput, times)},
      {"host", time_in(Part::kHost, times)},
  };
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.time_ns > b.time_ns; });
  const int64_t whole = std::accumulate(times.begin(), times.end(), int64_t{0});
  std::string text;
  for (const Share& share : shares) {
    const int64_t number = percent(share.time_ns, whole);
    if (share.name != named && number > 0)
      text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", share.name, number);
  }
  return text;
}

std::string in_brackets(const std::string& text) { return text.empty() ? "." : fmt::format(" ({}).", text); }

// What a phase of the iteration is called where it is what the CPU does.
std::string_view title_of_phase(Phase phase) {
  if (phase == Phase::kPython) return "outside operators";
  if (phase == Phase::kData) return "input";
  if (phase == Phase::kZeroGrad) return "zeroing gradients";
  return name_of(phase);
}

// Without a device the host does the work itself, so the sentence says which: the phases of the training, the
// longest first.
std::string host_only_sentence(const AnalyzedTrace& analyzed, std::string_view subject) {
  const IntervalSet& judged = analyzed.get<usual_time>();
  if (!analyzed.get<has_operators>()) {
    return fmt::format("The {} runs on the CPU, and no operator was recorded.", subject);
  }
  PhaseTimes times;
  for (const TrackId thread : analyzed.get<training_threads>()) {
    for (const Interval& window : judged.intervals()) {
      for (const Stretch& stretch : cut_wall_time(analyzed.trace(), analyzed.get<OpPlaces>(),
                                                  {thread, window.start_ns, window.end_ns}))
        times.add(stretch.place.phase, minus(stretch.end_ns, stretch.start_ns));
    }
  }
  std::vector<PhaseDef> phases(kPhases.begin(), kPhases.end());
  std::stable_sort(phases.begin(), phases.end(),
                   [&](const PhaseDef& a, const PhaseDef& b) { return times[a.phase] > times[b.phase]; });
  constexpr size_t kMostPhases = 4;
  std::string text;
  for (size_t i = 0; i < kMostPhases; ++i) {
    const int64_t share = percent(times[phases[i].phase], times.sum());
    if (share > 0)
      text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", title_of_phase(phases[i].phase), share);
  }
  const bool is_python = 2 * times[Phase::kPython] > times.sum();
  return fmt::format("The {} {} the CPU: {}.", subject, is_python ? "is mostly Python on" : "computes on",
                     text);
}

}  // namespace

int64_t time_of(WaitsFor owner, const TimeParts::Times& times) {
  int64_t sum = 0;
  for (size_t i = 0; i < times.size(); ++i) sum += kOwners[i] == owner ? times[i] : 0;
  return sum;
}

std::string shorten(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  size_t end = bytes > 3 ? bytes - 3 : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

int64_t percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : std::llround(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string verdict_sentence(const AnalyzedTrace& analyzed, const TimeParts::Times& times, WaitsFor owner) {
  const Trace& trace = analyzed.trace();
  const std::string_view subject = trace.steps.empty() ? "run" : "step";
  const bool has_device = trace.activities.size() > 0;
  const int64_t whole = analyzed.get<usual_time>().total_ns(), share = percent(time_of(owner, times), whole);
  switch (owner) {
    case WaitsFor::kDevice: {
      const Part larger =
          time_in(Part::kCompute, times) >= time_in(Part::kCopy, times) ? Part::kCompute : Part::kCopy;
      return fmt::format("The {} waits for the device: {} run {} % of its time{}", subject,
                         larger == Part::kCompute ? "compute kernels" : "copies",
                         percent(time_in(larger, times), whole),
                         in_brackets(others(times, larger == Part::kCompute ? "compute" : "copies")));
    }
    case WaitsFor::kCommunication:
      return fmt::format(
          "The {} waits for communication: collectives that nothing hides take {} % of its time{}", subject,
          share, in_brackets(others(times, "communication")));
    case WaitsFor::kInput:
      return fmt::format(
          "The {} waits for input: {} {} % of its time{}", subject,
          has_device ? "while batches are fetched, the device idles" : "fetching batches takes", share,
          in_brackets(others(times, "input")));
    default:
      break;
  }
  if (!has_device) return host_only_sentence(analyzed, subject);
  return fmt::format(
      "The {} waits for the host: the device idles {} % of its time while the host prepares work{}", subject,
      share, in_brackets(others(times, "host")));
}

}  // namespace skyline::analyze
