#include "cli/views/session_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/setup/phase_line.h"
#include "cli/setup/session_setup.h"
#include "cli/terminal/ink.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/progress_bar.h"
#include "cli/terminal/units.h"
#include "cli/views/batch_view.h"
#include "cli/views/breakdown_view.h"

namespace skyline::cli {
namespace {

constexpr double kWorthASay = 0.005;  // of an iteration

// "±1.2 %"; the first few iterations promise nothing.
std::string describe_certainty(const session::IterationTime& time) {
  if (time.count < 6) return fmt::format("from {}", format_counted(time.count, "iteration", "iterations"));
  return fmt::format("±{:.1f} %, {} iterations", 100 * time.uncertainty(), time.count);
}

std::string describe_throughput(const session::ProfileResult& result, const Console& console) {
  const session::IterationTime& time = result.measured->time;
  std::string text = paint(
      Ink::kStrong, fmt::format("{} samples/s", format_rate(result.samples_per_second())), console.color);
  if (result.tokens > 0) text += fmt::format(" · {} tokens/s", format_rate(result.tokens_per_second()));
  text +=
      fmt::format(" · iteration {} ({}, half of them {} to {})", format_ns(time.median_ns),
                  describe_certainty(time), format_ns(time.quarter_ns), format_ns(time.three_quarters_ns));
  if (result.data_share() >= kWorthASay) {
    text += fmt::format(" · {:.0f} % of it waiting for data", 100 * result.data_share());
  }
  if (result.compile_ns > 0) text += fmt::format(" · compiled for {}", format_ns(result.compile_ns));
  return text + "\n";
}

std::string describe_memory(const session::ProfileResult& result) {
  std::string text;
  if (result.memory != nullptr) {
    text +=
        fmt::format("{} at the peak in torch's allocator · ", format_bytes(result.memory->peak.peak.bytes));
  }
  return text + fmt::format("{} resident of {} ({})\n", format_bytes(result.measured->resident_bytes),
                            format_bytes(result.capacity.bytes), result.capacity.source);
}

std::string describe_state(const session::SessionView& view) {
  switch (view.state) {
    case session::SessionState::kStarting:
      return view.note.empty() ? "starting Python" : view.note;
    case session::SessionState::kProfiling:
      return fmt::format("{}  {}", describe_phase(view.progress, view.in_phase_ns),
                         render_share_bar(view.progress.fraction));
    case session::SessionState::kIdle:
      break;
  }
  return view.is_unsaved ? "unsaved changes" : "waiting for a save; Ctrl-C ends";
}

std::string describe_run(const session::ProfileResult& result) {
  const int64_t batches = result.measured ? result.measured->batches : 1;
  const std::string accumulated = batches > 1 ? fmt::format(", {} of them a step", batches) : "";
  return fmt::format("batch {}{} · {}{}\n", result.batch_size, accumulated, printable(result.loaded.device),
                     result.in_fresh_process ? " · in a fresh process" : "");
}

}  // namespace

std::string render_time_profile(const session::ProfileResult& result, const std::string& project_root,
                                const Console& console, size_t rows) {
  std::string text = describe_run(result);
  if (result.measured) text += describe_throughput(result, console);
  if (result.time != nullptr) text += "\n" + render_time_breakdown(result, project_root, console, rows);
  return text;
}

std::string render_memory_profile(const session::ProfileResult& result, const std::string& project_root,
                                  const Console& console, size_t rows) {
  std::string text = describe_run(result);
  if (result.measured) text += describe_memory(result);
  if (result.memory != nullptr) text += "\n" + render_memory_breakdown(result, project_root, console, rows);
  return text;
}

std::string render_profile(const session::ProfileResult& result, const std::string& project_root,
                           const Console& console, size_t rows) {
  std::string text = describe_run(result);
  if (!result.measured) return text;
  text += describe_throughput(result, console) + describe_memory(result);
  for (const analyze::Finding& finding : analyze::find_live_findings(session::live_evidence(result))) {
    // What is said of batch sizes stands below, with the models.
    if (finding.state == analyze::FindingState::kFound && finding.id != "batch.size")
      text += finding.sentence + "\n";
  }
  if (result.time != nullptr) text += "\n" + render_time_breakdown(result, project_root, console, rows);
  if (result.memory != nullptr) text += "\n" + render_memory_breakdown(result, project_root, console, rows);
  if (result.models) text += "\n" + render_batch_models(result, console);
  if (result.is_complete && !result.models && result.loaded.is_script && result.loaded.other_sizes.empty()) {
    text += fmt::format("\nOther batch sizes were not run: {}\n", printable(result.loaded.no_literal));
  }
  return text;
}

std::string render_session(const session::SessionView& view, const session::SessionOptions& options,
                           const Console& console, size_t rows) {
  const std::string file = std::filesystem::path(options.profile.entry_point).filename().string();
  std::string text =
      fmt::format("{} · save {} · {}\n", printable(file), view.save, printable(describe_state(view)));
  if (view.state != session::SessionState::kStarting && !view.note.empty())
    text += printable(view.note) + "\n";
  if (!view.output_log.empty()) text += fmt::format("what it prints: {}\n", printable(view.output_log));
  if (view.trouble) {
    const std::string sentence = describe_trouble(*view.trouble, options.profile.project_root);
    text += "\n" + paint(Ink::kError, sentence, console.color) + "\n";
  }
  if (view.result == nullptr) return text;
  if (view.result_save != view.save) text += fmt::format("\nBelow is what save {} gave:\n", view.result_save);
  return text + "\n" + render_profile(*view.result, options.profile.project_root, console, rows);
}

}  // namespace skyline::cli
