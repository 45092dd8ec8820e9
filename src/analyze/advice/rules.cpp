#include "analyze/advice/rules.h"

#include "analyze/advice/live_rules.h"
#include "analyze/health/links.h"
#include "analyze/health/reading.h"
#include "analyze/health/recording.h"
#include "analyze/health/verdict.h"

namespace skyline::analyze {
namespace {

using Topic = RuleTopic;

// The checks of health/ share what they look at.
template <void (*check)(const RecordingRuleInput&, Findings&)>
void recording(const AnalyzedTrace& analyzed, Findings& out) {
  check(RecordingRuleInput(analyzed), out);
}

// In the order in which a person would ask.
constexpr Rule kRules[] = {
    {"step.waits_for", Topic::kTraining, "What does a step wait for?", rule_waits_for},
    {"memory.page_faults", Topic::kTraining, "Is memory given back and fetched again?", nullptr,
     rule_page_faults},
    {"batch.size", Topic::kTraining, "Would another batch size be faster?", nullptr, rule_batch_size},

    {"losses", Topic::kRecording, "Was everything read?", recording<check_losses>},
    {"time.zero", Topic::kRecording, "Are there times at all?", recording<check_zero_times>},
    {"host.missing", Topic::kRecording, "Was the host recorded?", recording<check_host_missing>},
    {"device.missing", Topic::kRecording, "Was the device recorded?", recording<check_device_missing>},
    {"launches.without_kernels", Topic::kRecording, "All of its work?", recording<check_lost_kernels>},
    {"kernels.unlinked", Topic::kRecording, "Do kernels know who launched them?", recording<check_unlinked>},
    {"kernels.before_launch", Topic::kRecording, "Do the clocks of host and device agree?",
     recording<check_before_launch>},
    {"launches.external_id", Topic::kRecording, "Do ids and nesting tell the same story?",
     recording<check_external_ids>},
    {"kernels.overlap", Topic::kRecording, "Does a stream do one thing at a time?",
     recording<check_kernel_overlap>},
    {"slices.overlap", Topic::kRecording, "Are the ranges of a thread nested?",
     recording<check_slice_overlap>},
    {"slices.zero_duration", Topic::kRecording, "Are durations too short for the clock?",
     recording<check_zero_durations>},
    {"time.whole_microseconds", Topic::kRecording, "How exact is the clock?",
     recording<check_clock_resolution>},
    {"steps.missing", Topic::kRecording, "Are there steps?", recording<check_steps>},
    {"steps.without_device", Topic::kRecording, "Do they use the device?", recording<check_idle_steps>},
    {"metadata.device", Topic::kRecording, "Which device was it?", recording<check_device_metadata>},
    {"metadata.rank", Topic::kRecording, "Which rank was it?", recording<check_rank_metadata>},
    {"time.base", Topic::kRecording, "Can it be laid beside other ranks?", recording<check_base_time>},
    {"record.shapes", Topic::kRecording, "Were shapes recorded?", recording<check_shapes>},
    {"record.stack", Topic::kRecording, "Were Python stacks recorded?", recording<check_stack>},
    {"record.memory", Topic::kRecording, "Were allocations recorded?", recording<check_memory>},
};

}  // namespace

std::span<const Rule> rules() { return kRules; }

Findings find_findings(const AnalyzedTrace& analyzed, RuleTopic topic) {
  Findings findings;
  for (const Rule& rule : kRules) {
    if (rule.topic == topic && rule.ask_trace != nullptr) rule.ask_trace(analyzed, findings);
  }
  return findings;
}

Findings find_live_findings(const LiveEvidence& evidence) {
  Findings findings;
  for (const Rule& rule : kRules) {
    if (rule.ask_live != nullptr) rule.ask_live(evidence, findings);
  }
  return findings;
}

}  // namespace skyline::analyze
