#include "analyze/health/recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/core/host_ranges.h"
#include "analyze/core/recorded.h"

namespace skyline::analyze {
namespace {

constexpr std::string_view kScheduleCure =
    "Pass schedule=torch.profiler.schedule(…) to the profiler and call prof.step() after every step.";
constexpr std::string_view kOwnStepCure = "Call step() of skyline.profile after every step.";
constexpr std::string_view kRunCure =
    "skyline run knows steps by the optimizers of torch.optim; without one, record with skyline.profile and "
    "call its step() after every step.";

// A switch of the profiler that was off, as far as the trace shows.
void note_switch(const RecordingRuleInput& in, std::string_view name, std::string_view what,
                 std::string_view option, Findings& out) {
  const std::string_view profiler =
      in.analyzed.get<is_own_recording>() ? "skyline.profile" : "torch.profiler.profile";
  out.push_back(about_recording(name, HealthLevel::kNote, 0, fmt::format("{} not recorded.", what),
                                fmt::format("Pass {}=True to {}.", option, profiler)));
}

// Nobody marks steps in a program that `skyline run` watches: they are found, or there are none.
Finding steps_of_a_run(const Trace& trace) {
  if (trace.steps.empty()) {
    return about_recording("steps.missing", HealthLevel::kNote, 0,
                           "No steps were found: no optimizer stepped while it was recorded.",
                           std::string(kRunCure));
  }
  return about_recording("steps.missing", HealthLevel::kFine, 0,
                         fmt::format("Steps were found by the optimizers' steps ({}).", trace.steps.size()),
                         "");
}

}  // namespace

void check_steps(const RecordingRuleInput& in, Findings& out) {
  const Trace& trace = in.trace;
  if (trace.step_source == StepSource::kProfilerStep) {
    out.push_back(about_recording("steps.missing", HealthLevel::kFine, 0,
                                  fmt::format("Steps are marked ({}).", trace.steps.size()), ""));
    return;
  }
  if (in.analyzed.get<has_own_marks>()) {
    out.push_back(steps_of_a_run(trace));
    return;
  }
  const std::string sentence =
      trace.step_source == StepSource::kOptimizerStep
          ? fmt::format("No steps are marked; the optimizer's steps stand in for them ({}).",
                        trace.steps.size())
          : std::string("No steps are marked, and none can be inferred.");
  const std::string_view cure = in.analyzed.get<is_own_recording>() ? kOwnStepCure : kScheduleCure;
  out.push_back(about_recording("steps.missing", HealthLevel::kNote, 0, sentence, std::string(cure)));
}

void check_idle_steps(const RecordingRuleInput& in, Findings& out) {
  const Trace& trace = in.trace;
  if (trace.steps.empty() || trace.activities.size() == 0) return;
  const IntervalSet busy = in.view.covered();
  const auto idle = std::count_if(trace.steps.begin(), trace.steps.end(), [&](const Step& step) {
    return busy.total_within(step.start_ns, step.end_ns) == 0;
  });
  if (idle == 0) return;
  out.push_back(about_recording(
      "steps.without_device", HealthLevel::kNote, idle,
      fmt::format("Steps without any device work in their time: {} of {}.", idle, trace.steps.size()),
      "Record whole steps, and synchronize the device before the profiler stops."));
}

void check_device_metadata(const RecordingRuleInput& in, Findings& out) {
  const Trace& trace = in.trace;
  if (trace.activities.size() == 0) return;
  const auto& devices = trace.info.devices;
  const bool unnamed =
      std::all_of(devices.begin(), devices.end(), [](const Device& d) { return d.name.empty(); });
  if (!devices.empty() && !unnamed) return;
  out.push_back(about_recording("metadata.device", HealthLevel::kNote, 0,
                                devices.empty()
                                    ? "The file has device work but does not describe its devices."
                                    : "The file describes its devices but does not name them.",
                                "Keep deviceProperties when files are filtered or merged."));
}

void check_rank_metadata(const RecordingRuleInput& in, Findings& out) {
  const Trace& trace = in.trace;
  if (trace.info.rank >= 0) return;
  PerName<bool> is_collective(trace.strings, names_collective);
  auto count = std::count_if(trace.ops.slice.begin(), trace.ops.slice.end(),
                             [&](SliceId slice) { return is_collective(trace.slices.name[slice.value]); });
  for (const ActivitySpan& row : in.view.rows()) count += row.kind == DeviceClass::kCommunication;
  if (count == 0) return;
  out.push_back(about_recording("metadata.rank", HealthLevel::kNote, count,
                                "The file shows communication but does not say which rank it is.",
                                "Start the profiler after torch.distributed.init_process_group()."));
}

void check_shapes(const RecordingRuleInput& in, Findings& out) {
  const OpTable& ops = in.trace.ops;
  const Column<StringId>& dims = in.trace.signatures.dims;
  const bool has_shapes = std::any_of(dims.begin(), dims.end(), [](StringId d) { return d.exists(); });
  if (ops.size() == 0 || has_shapes || in.trace.info.record_shapes == 1) return;
  note_switch(in, "record.shapes", "Input shapes were", "record_shapes", out);
}

void check_stack(const RecordingRuleInput& in, Findings& out) {
  if (in.trace.ops.size() == 0 || in.trace.pythons.size() > 0 || in.trace.info.with_stack == 1) return;
  note_switch(in, "record.stack", "Python frames and modules were", "with_stack", out);
}

void check_memory(const RecordingRuleInput& in, Findings& out) {
  if (in.trace.ops.size() == 0 || in.trace.memory.size() > 0 || in.trace.info.profile_memory == 1) return;
  note_switch(in, "record.memory", "Allocations were", "profile_memory", out);
}

}  // namespace skyline::analyze
