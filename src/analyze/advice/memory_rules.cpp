#include "analyze/advice/memory_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyze/advice/saying.h"
#include "analyze/advice/training_facts.h"
#include "analyze/memory/at_peak.h"
#include "analyze/memory/blocks.h"
#include "analyze/memory/roles.h"
#include "analyze/time/op_time.h"

namespace skyline::analyze {
namespace {

constexpr size_t kEnoughSteps = 20;
// The last steps' blocks may yet be freed: batches wait for the next step, lists for the end of an epoch.
constexpr size_t kStepsThatMayKeep = 2;

// The number of the step in which it is; count of steps if in none.
size_t step_number_at(const Trace& trace, int64_t time_ns) {
  for (size_t step = 0; step < trace.steps.size(); ++step) {
    if (time_ns >= trace.steps[step].start_ns && time_ns < trace.steps[step].end_ns) return step;
  }
  return trace.steps.size();
}

struct Kept {
  std::set<size_t> steps;
  int64_t bytes = 0;
  uint32_t op = kNoRow;
};

Finding allocations_missing(std::string_view id) {
  return cannot_judge(id, "Allocations were not recorded.", std::string(kMemoryCure));
}

}  // namespace

void rule_memory_growth(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "memory.growth";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  if (trace.memory.size() == 0) {
    out.push_back(allocations_missing(kId));
    return;
  }
  if (trace.steps.size() < kEnoughSteps) {
    out.push_back(cannot_judge(kId,
                               fmt::format("Whether memory grows shows after {} steps; {} were recorded.",
                                           kEnoughSteps, trace.steps.size()),
                               "Record more steps."));
    return;
  }
  const std::vector<uint32_t>& around = analyzed.get<operators_around_memory>();
  const size_t judged = trace.steps.size() - kStepsThatMayKeep;
  // What the program frees behind its loop was kept all the same.
  const Step* const last = last_complete_step(trace);
  const int64_t until_ns = last == nullptr ? trace.last_ns : last->end_ns;
  std::map<uint32_t, Kept> lines;
  for (const DeviceMemory& memory : memory_blocks(trace)) {
    for (const MemoryBlock& block : memory.blocks) {
      const bool is_freed =
          block.died != kNoRow && trace.memory.time_ns[memory.events[block.died]] < until_ns;
      if (is_freed || block.bytes <= 0) continue;
      const size_t step = step_number_at(trace, trace.memory.time_ns[block.allocation]);
      const uint32_t op = around[block.allocation];
      if (step >= judged || op == kNoRow) continue;
      Kept& kept = lines[facts.places.of[op].line];
      kept.steps.insert(step);
      kept.bytes += block.bytes;
      kept.op = op;
    }
  }
  const auto most = std::max_element(lines.begin(), lines.end(), [&](const auto& a, const auto& b) {
    return std::make_pair(a.second.steps.size(), a.second.bytes) <
           std::make_pair(b.second.steps.size(), b.second.bytes);
  });
  if (most == lines.end() || 10 * most->second.steps.size() < 8 * judged) {
    out.push_back(not_found(kId, "What steps allocate they free again."));
    return;
  }
  int64_t bytes = 0;  // of every line that keeps something in most steps
  for (const auto& [line, kept] : lines) {
    if (10 * kept.steps.size() >= 8 * judged) bytes += kept.bytes;
  }
  uint32_t line = most->first;
  for (const auto& [other, kept] : lines) {
    if (10 * kept.steps.size() >= 8 * judged && kept.bytes > lines[line].bytes) line = other;
  }
  Finding finding;
  finding.id = kId;
  finding.severity = FindingSeverity::kAdvice;
  finding.count = static_cast<int64_t>(most->second.steps.size());
  finding.place = facts.place_of(lines[line].op);
  finding.evidence.figures = {"memory.peak"};
  finding.cure = "Keep loss.item() or x.detach(), not tensors; clear what is kept.";
  finding.sentence = fmt::format(
      "Memory grows by {} a step: what is allocated{} is never freed; keep loss.item() or x.detach(), no "
      "tensors.",
      bytes_text(bytes / static_cast<int64_t>(judged)), place_text(finding.place));
  out.push_back(std::move(finding));
}

void rule_temporary_peak(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "memory.temporary_peak";
  const TrainingFacts& facts = analyzed.get<TrainingFacts>();
  const Trace& trace = facts.trace;
  const std::shared_ptr<const MemoryPeaks> peaks = shared_peaks(analyzed);
  if (peaks->empty()) {
    out.push_back(allocations_missing(kId));
    return;
  }
  const MemoryAtPeak& peak = peaks->front();
  const auto largest =
      std::max_element(peak.blocks.begin(), peak.blocks.end(),
                       [](const PeakBlock& a, const PeakBlock& b) { return a.bytes < b.bytes; });
  const bool is_known = largest != peak.blocks.end() && largest->op != kNoRow &&
                        !needs_names(largest->role) && largest->role != MemoryRole::kOther;
  // Logits and what the loss makes of them: blocks of one line that together are the peak.
  int64_t together = 0;
  if (is_known) {
    for (const PeakBlock& block : peak.blocks) {
      if (block.op != kNoRow && block.bytes == largest->bytes) together += block.bytes;
    }
  }
  const std::string_view name =
      is_known ? trace.slice_name(trace.ops.slice[largest->op]) : std::string_view();
  const bool is_loss = name.find("softmax") != name.npos || name.find("nll_loss") != name.npos ||
                       name.find("cross_entropy") != name.npos || name.find("NllLoss") != name.npos ||
                       name.find("LogSoftmax") != name.npos || name.find("_loss") != name.npos;
  uint32_t loss = is_loss ? largest->op : kNoRow;
  for (const PeakBlock& block : peak.blocks) {
    if (!is_known || loss != kNoRow || block.op == kNoRow || block.bytes != largest->bytes) continue;
    const std::string_view other = trace.slice_name(trace.ops.slice[block.op]);
    if (other.find("oftmax") != other.npos || other.find("oss") != other.npos) loss = block.op;
  }
  constexpr int64_t kWorthItBytes = 8 << 20;
  if (loss == kNoRow || together < kWorthItBytes || 4 * together < peak.peak.bytes) {
    out.push_back(not_found(kId, "The peak is not made by the loss."));
    return;
  }
  Finding finding;
  finding.id = kId;
  finding.severity = FindingSeverity::kNote;
  finding.place = facts.place_of(loss);
  finding.evidence.figures = {"memory.peak"};
  finding.count = 1;
  finding.cure = "Compute the loss in chunks, or with a fused linear and cross entropy.";
  finding.sentence = fmt::format(
      "{:.0f} % of the peak of {} is logits and what the loss makes of them{}: a chunked or fused loss frees "
      "it.",
      100 * static_cast<double>(together) / static_cast<double>(peak.peak.bytes), bytes_text(peak.peak.bytes),
      place_text(finding.place));
  out.push_back(std::move(finding));
}

void rule_device_full(const AnalyzedTrace& analyzed, Findings& out) {
  constexpr std::string_view kId = "memory.device_full";
  const Trace& trace = analyzed.trace();
  int64_t peak = 0, device = -1;
  for (uint32_t row = 0; row < trace.memory.size(); ++row) {
    if (trace.memory.device_type[row] <= 0 || trace.memory.total_allocated[row] <= peak) continue;
    peak = trace.memory.total_allocated[row];
    device = trace.memory.device_id[row];
  }
  const std::vector<Device>& devices = trace.info.devices;
  const auto found =
      std::find_if(devices.begin(), devices.end(), [&](const Device& d) { return d.id == device; });
  if (peak == 0 || found == devices.end() || found->memory_bytes <= 0) {
    if (trace.activities.size() > 0) out.push_back(allocations_missing(kId));
    return;
  }
  const double share = static_cast<double>(peak) / static_cast<double>(found->memory_bytes);
  if (share < 0.9) {
    out.push_back(not_found(kId, "The device's memory is not nearly full."));
    return;
  }
  Finding finding;
  finding.id = kId;
  finding.severity = FindingSeverity::kNote;
  finding.cure = "Use checkpointing, mixed precision or smaller batches.";
  finding.sentence =
      fmt::format("{} of the device's {} are in use at the peak: the next longer batch may not fit.",
                  bytes_text(peak), bytes_text(found->memory_bytes));
  out.push_back(std::move(finding));
}

}  // namespace skyline::analyze
