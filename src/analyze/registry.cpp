// All analyses, one line each. A new one is a file with its definitions, its tests, and a line here.
#include "analyze/memory/memory_figures.h"
#include "analyze/memory/memory_table.h"
#include "analyze/places/breakdown_tables.h"
#include "analyze/places/calls_table.h"
#include "analyze/places/stacks_table.h"
#include "analyze/places/syncs_table.h"
#include "analyze/processes/process_tables.h"
#include "analyze/time/device_time.h"
#include "analyze/time/host_time.h"
#include "analyze/time/hta_breakdown.h"
#include "analyze/time/kernels_table.h"
#include "analyze/time/ops_table.h"
#include "analyze/time/recording_figures.h"
#include "analyze/time/steps_table.h"
#include "analyze/time/trace_figures.h"
#include "analyze/time/tracelens_timeline.h"
#include "analyze/time/training_figures.h"

namespace skyline::analyze {
namespace {

constexpr FigureAnalysis kFigureAnalyses[] = {
    // name, sentence, needs, figures, run
    {"trace", "What is in the trace?", "any trace", kTraceFigures, trace_figures},
    {"training", "What does a step consist of?", "steps; samples and evaluation only from skyline run",
     kTrainingFigures, training_figures},
    {"host", "How much of the host's time lies outside operators?", "operators", kHostTimeFigures,
     host_time_figures},
    {"recording", "What did recording itself cost?", "a recording of Skyline's own", kRecordingFigures,
     recording_figures},
    {"memory", "What lives in memory when a step needs the most of it?",
     "allocations (profile_memory); roles also need the names of tensors, which only a session records",
     kMemoryFigures, memory_figures},
    {"device", "How long does the device work, and at what?", "device activities", kDeviceTimeFigures,
     device_time},
    {"tracelens", "What does TraceLens' gpu_timeline say?", "device activities with their launch calls",
     kTracelensFigures, tracelens_timeline},
    {"hta", "What does HTA's temporal breakdown say?",
     "device activities; with several steps also their launch calls", kHtaFigures, hta_breakdown},
};

constexpr TableAnalysis kTableAnalyses[] = {
    // name, title, sentence, must_hold, needs, columns, group_by, run, open
    {"steps", "Steps", "How long do the steps take, and where does their time go?", TraceContent::kSteps,
     "steps", kStepsColumns, kStepsGroups, steps_table},
    {"ops", "Operators", "Which operators take the time, on the host and on the device?",
     TraceContent::kEvents, "operators", kOpsColumns, kOpsGroups, ops_table},
    {"kernels", "Kernels", "Which kernels take the device's time, and who launches them?",
     TraceContent::kDevice, "device activities", kKernelsColumns, kKernelsGroups, kernels_table},
    {"syncs", "Synchronisations", "What waits for the device, and who asks for it?", TraceContent::kDevice,
     "synchronisation events or the host's calls; Python stacks (with_stack) to tell lines", kSyncsColumns,
     kSyncsGroups, syncs_table},
    {"stacks", "Stacks", "Which lines of the program take the time?", TraceContent::kStacks,
     "operators with Python stacks (with_stack)", kStacksColumns, kStacksGroups, stacks_table},
    {"modules", "Modules", "Which modules take an iteration's time, forward and backward?",
     TraceContent::kSteps,
     "steps and operators; Python stacks with modules (with_stack) to tell modules apart", kModulesColumns,
     kModulesGroups, modules_table},
    {"lines", "Lines", "Which lines of the project take an iteration's time, forward and backward?",
     TraceContent::kSteps, "steps and operators; Python stacks (with_stack) to tell lines apart",
     kLinesColumns, kLinesGroups, lines_table},
    {"calls", "Calls", "What was called, one by one?", TraceContent::kEvents, "operators", kCallsColumns,
     kCallsGroups, calls_table, open_calls},
    {"memory", "Memory", "What lives in memory when a step needs the most of it?", TraceContent::kMemory,
     "allocations (profile_memory)", kMemoryColumns, kMemoryGroups, memory_table},
    {"processes", "Processes", "What do the trainer and its DataLoader workers take of the machine?",
     TraceContent::kEvents, "a recording with samples (skyline run, samples_hz)", kProcessesColumns,
     kProcessesGroups, processes_table},
    {"pauses", "Pauses", "How long does Python's garbage collector stop the program?", TraceContent::kEvents,
     "a recording with samples (skyline run, samples_hz)", kPausesColumns, kPausesGroups, pauses_table},
    {"settings", "Settings", "What was the run set to?", TraceContent::kEvents,
     "a recording with samples (skyline run, samples_hz)", kSettingsColumns, kSettingsGroups, settings_table},
};

}  // namespace

std::span<const FigureAnalysis> figure_analyses() { return kFigureAnalyses; }
std::span<const TableAnalysis> table_analyses() { return kTableAnalyses; }

}  // namespace skyline::analyze
