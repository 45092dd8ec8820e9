// Every column of a trace that is kept whole, with its place in the file: one line each. Writer and
// loader go through the same list, so what one stores the other finds.
#pragma once

#include "trace/trace.h"
#include "tracefile/tracefile.h"

namespace skyline::native {

// Calls visit(column of the schema, column of the trace) for all; `T` is Trace or const Trace.
template <typename T, typename Visit>
void for_each_stored_column(T& t, Visit&& visit) {
  namespace f = tracefile;
  visit(f::trace_slices::kStartNs, t.slices.start_ns);
  visit(f::trace_slices::kDurNs, t.slices.dur_ns);
  visit(f::trace_slices::kName, t.slices.name);
  visit(f::trace_slices::kTrack, t.slices.track);
  visit(f::trace_slices::kCategory, t.slices.category);
  visit(f::trace_slices::kDetail, t.slices.detail);
  visit(f::trace_slices::kOffset, t.slices.offset);
  visit(f::trace_slices::kParent, t.slices.parent);
  visit(f::trace_slices::kDepth, t.slices.depth);
  visit(f::trace_slices::kLane, t.slices.lane);

  visit(f::trace_ops::kSlice, t.ops.slice);
  visit(f::trace_ops::kExternalId, t.ops.external_id);
  visit(f::trace_ops::kSequence, t.ops.sequence);
  visit(f::trace_ops::kFwdThread, t.ops.fwd_thread);
  visit(f::trace_ops::kInputDims, t.ops.input_dims);
  visit(f::trace_ops::kInputTypes, t.ops.input_types);
  visit(f::trace_ops::kForward, t.ops.forward);
  visit(f::trace_ops::kStack, t.ops.stack);
  visit(f::trace_ops::kModule, t.ops.module);

  visit(f::trace_pythons::kSlice, t.pythons.slice);
  visit(f::trace_pythons::kPythonId, t.pythons.python_id);
  visit(f::trace_pythons::kParentId, t.pythons.parent_id);
  visit(f::trace_pythons::kModuleId, t.pythons.module_id);

  visit(f::trace_launches::kSlice, t.launches.slice);
  visit(f::trace_launches::kCorrelation, t.launches.correlation);
  visit(f::trace_launches::kExternalId, t.launches.external_id);
  visit(f::trace_launches::kOp, t.launches.op);
  visit(f::trace_launches::kActivities, t.launches.activities);

  visit(f::trace_activities::kSlice, t.activities.slice);
  visit(f::trace_activities::kCorrelation, t.activities.correlation);
  visit(f::trace_activities::kDevice, t.activities.device);
  visit(f::trace_activities::kStream, t.activities.stream);
  visit(f::trace_activities::kBytes, t.activities.bytes);
  visit(f::trace_activities::kLaunch, t.activities.launch);
  visit(f::trace_activities::kCollective, t.activities.collective);

  visit(f::trace_collectives::kSlice, t.collectives.slice);
  visit(f::trace_collectives::kName, t.collectives.name);
  visit(f::trace_collectives::kDtype, t.collectives.dtype);
  visit(f::trace_collectives::kGroupName, t.collectives.group_name);
  visit(f::trace_collectives::kGroupRanks, t.collectives.group_ranks);
  visit(f::trace_collectives::kInElements, t.collectives.in_elements);
  visit(f::trace_collectives::kOutElements, t.collectives.out_elements);
  visit(f::trace_collectives::kGroupSize, t.collectives.group_size);

  visit(f::trace_memory::kTimeNs, t.memory.time_ns);
  visit(f::trace_memory::kTrack, t.memory.track);
  visit(f::trace_memory::kAddress, t.memory.address);
  visit(f::trace_memory::kBytes, t.memory.bytes);
  visit(f::trace_memory::kTotalAllocated, t.memory.total_allocated);
  visit(f::trace_memory::kTotalReserved, t.memory.total_reserved);
  visit(f::trace_memory::kDeviceType, t.memory.device_type);
  visit(f::trace_memory::kDeviceId, t.memory.device_id);

  visit(f::trace_tensors::kRole, t.tensors.role);
  visit(f::trace_tensors::kName, t.tensors.name);
  visit(f::trace_tensors::kModule, t.tensors.module);
  visit(f::trace_tensors::kDims, t.tensors.dims);
  visit(f::trace_tensors::kAddress, t.tensors.address);
  visit(f::trace_tensors::kBytes, t.tensors.bytes);
  visit(f::trace_tensors::kTimeNs, t.tensors.time_ns);

  visit(f::trace_counters::kTimeNs, t.counters.time_ns);
  visit(f::trace_counters::kTrack, t.counters.track);
  visit(f::trace_counters::kName, t.counters.name);
  visit(f::trace_counters::kKey, t.counters.key);
  visit(f::trace_counters::kValue, t.counters.value);

  visit(f::trace_frames::kFile, t.frames.file);
  visit(f::trace_frames::kFunction, t.frames.function);
  visit(f::trace_frames::kLine, t.frames.line);

  visit(f::trace_stacks::kParent, t.stacks.parent);
  visit(f::trace_stacks::kFrame, t.stacks.frame);
  visit(f::trace_stacks::kModule, t.stacks.module);

  visit(f::trace_modules::kName, t.modules.name);
  visit(f::trace_modules::kClassName, t.modules.class_name);
}

// The trace's ids and categories are plain integers in the file.
template <typename Stored, typename T>
const Stored* as_stored(const T* values) {
  static_assert(sizeof(Stored) == sizeof(T) && std::is_trivially_copyable_v<T>);
  return reinterpret_cast<const Stored*>(values);
}
template <typename Stored, typename T>
Stored* as_stored(T* values) {
  static_assert(sizeof(Stored) == sizeof(T) && std::is_trivially_copyable_v<T>);
  return reinterpret_cast<Stored*>(values);
}

}  // namespace skyline::native
