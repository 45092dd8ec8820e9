#include "analyze/advice/rules.h"

#include "analyze/advice/compute_rules.h"
#include "analyze/advice/copy_rules.h"
#include "analyze/advice/device_rules.h"
#include "analyze/advice/host_rules.h"
#include "analyze/advice/input_rules.h"
#include "analyze/advice/kernel_rules.h"
#include "analyze/advice/live_rules.h"
#include "analyze/advice/machine_rules.h"
#include "analyze/advice/memory_rules.h"
#include "analyze/advice/pattern_rules.h"
#include "analyze/advice/trust_rules.h"
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
    {"input.workers", Topic::kTraining, "Does the main process load the batches?", rule_input_workers},
    {"input.wait", Topic::kTraining, "Are batches there when they are wanted?", rule_input_wait},
    {"input.workers_restarted", Topic::kTraining, "Are workers started again?", rule_input_restart},
    {"input.first_batch", Topic::kTraining, "Does one batch take far longer?", rule_input_first},
    {"input.pageable_copies", Topic::kTraining, "Are batches copied from pinned memory?",
     rule_pageable_copies},
    {"input.blocking_copies", Topic::kTraining, "Does the host wait for copies?", rule_blocking_copies},
    {"host.synchronisation", Topic::kTraining, "Does the loop ask for values?", rule_synchronisation},
    {"host.garbage_collection", Topic::kTraining, "Does garbage collection stop it?",
     rule_garbage_collection},
    {"host.debug_mode", Topic::kTraining, "Are debugging aids on?", rule_debug_modes},
    {"host.logging", Topic::kTraining, "What do printing and saving cost?", rule_logging},
    {"host.python", Topic::kTraining, "Does a line of Python take the time?", rule_slow_python},
    {"host.tiny_operators", Topic::kTraining, "Are operators too small?", rule_tiny_operators},
    {"cpu.threads", Topic::kTraining, "Is the number of threads right?", rule_thread_count},
    {"cpu.contention", Topic::kTraining, "Does it get its processors?", rule_cpu_contention},
    {"cpu.throttled", Topic::kTraining, "Does a quota stop it?", rule_cpu_throttled},
    {"compute.float64", Topic::kTraining, "Is something computed in float64?", rule_float64},
    {"compute.low_precision", Topic::kTraining, "Would bfloat16 do?", rule_low_precision},
    {"compute.unaligned_matmul", Topic::kTraining, "Do matrices fit the units?", rule_unaligned_matmul},
    {"compute.conversions", Topic::kTraining, "Are types converted to and fro?", rule_conversions},
    {"compute.recompute", Topic::kTraining, "Is too much recomputed?", rule_recompute},
    {"compute.gather", Topic::kTraining, "Do gathers take the time?", rule_gather},
    {"compute.denormals", Topic::kTraining, "Do numbers become too small?", rule_denormals},
    {"compute.tensor_loop", Topic::kTraining, "Does Python loop over a tensor?", rule_tensor_loop},
    {"compute.attention", Topic::kTraining, "Is attention put together by hand?", rule_attention},
    {"compute.fusible_chain", Topic::kTraining, "Could operators be one?", rule_fusible_chain},
    {"compute.conv_bias", Topic::kTraining, "Are biases added for nothing?", rule_conv_bias},
    {"compute.validation_graphs", Topic::kTraining, "Does evaluation build graphs?", rule_validation_graphs},
    {"optimizer.per_parameter", Topic::kTraining, "Are parameters updated together?", rule_per_parameter},
    {"optimizer.gradients_zeroed", Topic::kTraining, "Are gradients filled with zeros?",
     rule_gradients_zeroed},
    {"device.tensor_cores", Topic::kTraining, "Are tensor cores used?", rule_tensor_cores},
    {"device.tf32", Topic::kTraining, "Is float32 multiplied with TF32?", rule_tf32},
    {"device.launch_bound", Topic::kTraining, "Are kernels too short?", rule_launch_bound},
    {"device.idle_gaps", Topic::kTraining, "Does the device idle for long?", rule_idle_gaps},
    {"device.allocator", Topic::kTraining, "Is memory asked of the device?", rule_device_allocator},
    {"device.layout", Topic::kTraining, "Are tensors rearranged?", rule_layout},
    {"device.small_grids", Topic::kTraining, "Are kernels too small for the device?", rule_small_grids},
    {"communication.exposed", Topic::kTraining, "Is communication hidden?", rule_communication},
    {"memory.page_faults", Topic::kTraining, "Is memory given back and fetched again?",
     rule_recorded_page_faults, rule_page_faults},
    {"memory.growth", Topic::kTraining, "Does memory grow from step to step?", rule_memory_growth},
    {"memory.temporary_peak", Topic::kTraining, "Does the loss make the peak?", rule_temporary_peak},
    {"memory.device_full", Topic::kTraining, "Is the device's memory nearly full?", rule_device_full},
    {"batch.size", Topic::kTraining, "Would another batch size be faster?", nullptr, rule_batch_size},
    {"steps.warm_up", Topic::kTraining, "Is warm-up among the steps?", rule_warm_up},
    {"steps.few", Topic::kTraining, "Are there enough steps?", rule_few_steps},
    {"recording.slows", Topic::kTraining, "Does recording change the result?", rule_recording_cost},

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
  for (Finding& finding : findings) {
    const bool has_page = topic == RuleTopic::kTraining && finding.id != "step.waits_for";
    if (has_page) finding.doc_page = finding.id;
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
