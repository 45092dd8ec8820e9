// What took part in a run beside operators: its processes, its settings, the pauses of its garbage collector.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr ColumnDef kProcessesColumns[] = {
    {"pid", "Process", Unit::kNumber, ColumnKind::kKey, "The system's number of the process."},
    {"role", "Role", Unit::kText, ColumnKind::kKey, "What it does: trainer, DataLoader worker."},
    {"name", "Name", Unit::kText, ColumnKind::kKey, "As the program names it."},
    {"cpu", "CPU", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Processor time from the first to the last time it was counted, of all its threads, in the kernel too."},
    {"cpu_share", "CPU share", Unit::kShare, ColumnKind::kDerived,
     "cpu by the time from the first to the last count: 100 % is one processor."},
    {"wait", "Wait", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Of a DataLoader worker: waiting until the trainer asks for a batch."},
    {"fetch", "Fetch", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Of a DataLoader worker: making batches, collate included."},
    {"collate", "Collate", Unit::kNanoseconds, ColumnKind::kAdditive,
     "Of a DataLoader worker: in the collate function."},
    {"batches", "Batches", Unit::kCount, ColumnKind::kAdditive, "How many it has fetched."},
    {"gc", "GC", Unit::kNanoseconds, ColumnKind::kAdditive, "Sum of the garbage collector's pauses."},
    {"gc_pauses", "GC pauses", Unit::kCount, ColumnKind::kAdditive, "How many there were."},
    {"resident", "Resident", Unit::kBytes, ColumnKind::kDerived,
     "The most memory that was resident when it was counted."},
    {"faults", "Faults", Unit::kCount, ColumnKind::kAdditive,
     "Page faults between the first count and the last."},
    {"major_faults", "Major faults", Unit::kCount, ColumnKind::kAdditive,
     "Those of them that waited for a disk."},
    {"switched_out", "Switched out", Unit::kCount, ColumnKind::kAdditive,
     "How often a thread of it lost its processor before it was done."},
    {"throttled", "Throttled", Unit::kNanoseconds, ColumnKind::kDerived,
     "Time for which the control group was held back by its quota; of all that is in it."},
    {"cpu_pressure", "CPU pressure", Unit::kNanoseconds, ColumnKind::kDerived,
     "Time in which something on the machine waited for a processor."},
    {"memory_pressure", "Memory pressure", Unit::kNanoseconds, ColumnKind::kDerived,
     "Time in which something on the machine waited for memory."},
    {"io_pressure", "I/O pressure", Unit::kNanoseconds, ColumnKind::kDerived,
     "Time in which something on the machine waited for a disk."},
    {"samples", "Samples", Unit::kCount, ColumnKind::kAdditive, "Sampled stacks of its threads."},
    {"counts", "Counts", Unit::kCount, ColumnKind::kAdditive, "How often the system's counters were read."},
};
inline constexpr std::string_view kProcessesGroups[] = {"process"};

inline constexpr ColumnDef kSettingsColumns[] = {
    {"key", "Setting", Unit::kText, ColumnKind::kKey,
     "torch.… a switch of torch, loader.N.… an argument of the Nth DataLoader, ddp.N.… a flag of "
     "DistributedDataParallel, environment.… a variable, python.… and machine.… what they say."},
    {"value", "Value", Unit::kText, ColumnKind::kKey,
     "As it was when recording began, or when it was first used."},
};
inline constexpr std::string_view kSettingsGroups[] = {"setting"};

inline constexpr ColumnDef kPausesColumns[] = {
    {"start", "Start", Unit::kNanoseconds, ColumnKind::kDerived,
     "When it begins, from the start of the trace."},
    {"duration", "Duration", Unit::kNanoseconds, ColumnKind::kAdditive,
     "How long it takes; all Python threads of the process wait."},
    {"generation", "Generation", Unit::kNumber, ColumnKind::kKey,
     "The oldest generation that was collected."},
    {"collected", "Collected", Unit::kCount, ColumnKind::kAdditive, "Objects that were freed."},
    {"pid", "Process", Unit::kNumber, ColumnKind::kKey, "In which process."},
};
inline constexpr std::string_view kPausesGroups[] = {"pause"};

Table processes_table(const AnalyzedTrace& analyzed, const TableOptions& options);
Table settings_table(const AnalyzedTrace& analyzed, const TableOptions& options);
Table pauses_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
