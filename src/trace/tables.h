// The trace's tables: columns of plain values, one row per thing. Times are integer nanoseconds on
// the file's own clock (TraceInfo::base_ns turns them into Unix time); sizes are bytes.
//
// A table's rows are found from a slice through SliceTable::detail, and back through its `slice`
// column. Ids that may be missing are tested with exists(); numbers that may be missing say how.
#pragma once

#include <cstdint>

#include "base/column.h"
#include "base/ids.h"
#include "trace/category.h"

namespace skyline {

// Slices of one track stand together, ordered by start, the enclosing before the enclosed.
struct SliceTable {
  Column<int64_t> start_ns;
  Column<int64_t> dur_ns;
  Column<StringId> name;
  Column<TrackId> track;
  Column<Category> category;
  Column<uint32_t> detail;  // row in ops, pythons, launches or activities, by category
  Column<uint64_t> offset;  // of the event's text in the uncompressed source

  // Set by nesting. A slice that only partly overlaps its neighbours moves to an extra lane.
  Column<SliceId> parent;
  Column<uint16_t> depth;
  Column<uint16_t> lane;

  size_t size() const { return start_ns.size(); }
  int64_t end_ns(SliceId id) const { return start_ns[id.value] + dur_ns[id.value]; }
};

// Operators: slices of category kCpuOp and kUserAnnotation.
struct OpTable {
  Column<SliceId> slice;
  Column<uint64_t> external_id;  // 0: none
  Column<int64_t> sequence;      // -1: none
  Column<uint32_t> fwd_thread;   // torch's own number of the forward thread; 0 in forward ops
  Column<StringId> input_dims;   // JSON text without white space
  Column<StringId> input_types;  // JSON text without white space
  Column<SliceId> forward;       // the forward op that a backward op belongs to

  // Where in the user's program it was called; both columns are empty when the file does not say it of
  // any op.
  Column<StackId> stack;
  Column<ModuleId> module;

  size_t size() const { return slice.size(); }
  StackId stack_of(uint32_t row) const { return stack.empty() ? StackId() : stack[row]; }
  ModuleId module_of(uint32_t row) const { return module.empty() ? ModuleId() : module[row]; }
};

// Lines of Python code that stacks pass through.
struct FrameTable {
  Column<StringId> file;
  Column<StringId> function;
  Column<int32_t> line;  // 0: not known

  size_t size() const { return file.size(); }
};

// Python stacks as a tree. A stack is its innermost frame and the stack around it, which stands before
// it in the table.
struct StackTable {
  Column<StackId> parent;
  Column<FrameId> frame;
  Column<ModuleId> module;  // the innermost module that runs there

  size_t size() const { return parent.size(); }
};

// Instances of nn.Module.
struct ModuleTable {
  Column<StringId> name;  // qualified, as named_modules() says it; empty: the model itself
  Column<StringId> class_name;

  size_t size() const { return name.size(); }
};

// Python frames and nn.Module calls: slices of category kPython.
struct PythonTable {
  Column<SliceId> slice;
  Column<int64_t> python_id;  // -1: none
  Column<int64_t> parent_id;  // -1: none
  Column<int64_t> module_id;  // -1: not an nn.Module call

  size_t size() const { return slice.size(); }
};

// Runtime and driver calls: slices of category kRuntime and kDriver.
struct LaunchTable {
  Column<SliceId> slice;
  Column<uint64_t> correlation;  // kNoCorrelation: none
  Column<uint64_t> external_id;  // as written; see docs on why it is not used to link
  Column<SliceId> op;            // the innermost op around the call on its thread
  Column<uint32_t> activities;   // how many activities it started

  size_t size() const { return slice.size(); }
};

// Work on a device: slices of category kKernel, kMemcpy, kMemset and kDeviceOther.
struct ActivityTable {
  Column<SliceId> slice;
  Column<uint64_t> correlation;  // kNoCorrelation: none
  Column<int64_t> device;        // -1: not said
  Column<int64_t> stream;        // -1: not said
  Column<int64_t> bytes;         // of copies and sets; -1: not said
  Column<SliceId> launch;        // the call that started it, if it is in the file
  Column<uint32_t> collective;   // row in collectives, or kNoRow

  size_t size() const { return slice.size(); }
};

inline constexpr uint64_t kNoCorrelation = UINT64_MAX;
inline constexpr uint32_t kNoRow = UINT32_MAX;

// What c10d says about a collective, on its op and on its kernels.
struct CollectiveTable {
  Column<SliceId> slice;
  Column<StringId> name;
  Column<StringId> dtype;
  Column<StringId> group_name;
  Column<StringId> group_ranks;  // text as written
  Column<int64_t> in_elements;   // -1: not said
  Column<int64_t> out_elements;  // -1: not said
  Column<int64_t> group_size;    // -1: not said

  size_t size() const { return slice.size(); }
};

// Allocations and frees, in file order.
struct MemoryTable {
  static constexpr int64_t kMissing = INT64_MIN;

  Column<int64_t> time_ns;
  Column<TrackId> track;
  Column<uint64_t> address;         // 0: not said
  Column<int64_t> bytes;            // negative: freed
  Column<int64_t> total_allocated;  // kMissing: not said
  Column<int64_t> total_reserved;   // kMissing: not said
  Column<int32_t> device_type;      // c10 code: 0 CPU, 1 CUDA, …; -1: not said
  Column<int32_t> device_id;

  size_t size() const { return time_ns.size(); }
};

// What a tensor is to the program that keeps it; the numbers are those of the file.
enum class TensorRole : uint8_t { kWeight = 0, kBuffer = 1, kGradient = 2, kOptimizerState = 3, kInput = 4 };
inline constexpr size_t kTensorRoles = 5;

// Tensors that outlive operators, as the program named them while they lived, in file order. One storage
// may have several names (tied weights), and a tensor may be told of many times.
struct TensorTable {
  Column<TensorRole> role;
  Column<StringId> name;     // qualified: layers.0.weight, layers.0.weight.grad, inputs[0]
  Column<StringId> module;   // qualified name of the module that holds it; empty: the model itself
  Column<StringId> dims;     // JSON text without white space
  Column<uint64_t> address;  // of the storage, as in MemoryTable
  Column<int64_t> bytes;     // of the storage
  Column<int64_t> time_ns;   // when it was alive there

  size_t size() const { return role.size(); }
};

// Counter samples, in file order; one row per key of the event's args.
struct CounterTable {
  Column<int64_t> time_ns;
  Column<TrackId> track;
  Column<StringId> name;
  Column<StringId> key;
  Column<double> value;

  size_t size() const { return time_ns.size(); }
};

}  // namespace skyline
