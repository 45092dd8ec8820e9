// The memory at the peak as a table: by role, module, line or block; or all of it over time.
#pragma once

#include "analyze/core/analysis.h"

namespace skyline::analyze {

inline constexpr ColumnDef kMemoryColumns[] = {
    {"name", "Name", Unit::kText, ColumnKind::kKey,
     "The role, the module, the line of the user's program that allocated, or what the block is; (all) is "
     "the peak, and a model itself has its class in parentheses."},
    {"role", "Role", Unit::kText, ColumnKind::kKey,
     "Of the block; skyline explain memory.peak_weights and so on define them."},
    {"module", "Module", Unit::kText, ColumnKind::kKey,
     "The module that holds the tensor, or else the one that ran when the block was allocated."},
    {"line", "Line", Unit::kText, ColumnKind::kKey,
     "The line of the user's program that allocated the block."},
    {"size", "Size", Unit::kBytes, ColumnKind::kAdditive,
     "Bytes that live at the peak, those of modules inside included."},
    {"share", "Share", Unit::kShare, ColumnKind::kDerived, "Of the device's peak."},
    {"weights", "Weights", Unit::kBytes, ColumnKind::kAdditive, "Of size, those of the role weights."},
    {"activations", "Activations", Unit::kBytes, ColumnKind::kAdditive,
     "Of size, those of the role activations."},
    {"gradients", "Gradients", Unit::kBytes, ColumnKind::kAdditive, "Of size, those of the role gradients."},
    {"optimizer_state", "State", Unit::kBytes, ColumnKind::kAdditive,
     "Of size, those of the role optimizer_state."},
    {"temporaries", "Temporaries", Unit::kBytes, ColumnKind::kAdditive,
     "Of size, those of the role temporaries."},
    {"rest", "Rest", Unit::kBytes, ColumnKind::kAdditive, "Of size, those of all other roles."},
    {"own", "Own", Unit::kBytes, ColumnKind::kAdditive,
     "Bytes of the module itself, without the modules inside."},
    {"depth", "Depth", Unit::kNumber, ColumnKind::kDerived, "How many modules are around it; (all) has 0."},
    {"class", "Class", Unit::kText, ColumnKind::kKey, "The module's class, where it was seen running."},
    {"blocks", "Blocks", Unit::kCount, ColumnKind::kAdditive,
     "Allocations that they are made of; of a module, its own."},
    {"time", "Time", Unit::kNanoseconds, ColumnKind::kKey,
     "When a stretch of time begins, since the trace's start; it ends where the next one begins."},
    {"least", "Least", Unit::kBytes, ColumnKind::kDerived, "The fewest bytes that live within the stretch."},
    {"most", "Most", Unit::kBytes, ColumnKind::kDerived,
     "The most bytes that live within the stretch; the largest is memory.peak_recording."},
    {"reserved", "Reserved", Unit::kBytes, ColumnKind::kDerived,
     "The most bytes that the allocator held of the device within the stretch, where that was recorded."},
    {"device", "Device", Unit::kText, ColumnKind::kKey,
     "Where the memory is; the device with the largest peak comes first."},
};
inline constexpr std::string_view kMemoryGroups[] = {"role", "module", "line", "block", "time"};

Table memory_table(const AnalyzedTrace& analyzed, const TableOptions& options);

}  // namespace skyline::analyze
