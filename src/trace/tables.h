// Made by tools/gen_tables.py from src/trace/tables.schema; change that.
//
// Columns of plain values, one row per thing. Times are integer nanoseconds on the file's own clock, sizes
// are bytes. A table's rows are found from a slice through SliceTable::detail, and back through its `slice`
// column. What a column has where nothing is known is declared with it (columns::x.missing); ids are tested
// with exists().
// clang-format off
#pragma once

#include "trace/column_decl.h"

namespace skyline {

// What a reader says of a row of slices; what it leaves out is not known.
struct SliceRow {
  int64_t start_ns = {};
  int64_t dur_ns = {};
  StringId name = {};
  TrackId track = {};
  Category category = {};
  uint32_t detail = kNoRow;
  uint64_t source_place = {};
};

// Everything that has a start and a duration. Slices of one track stand together, ordered by start, the
// enclosing before the enclosed.
struct SliceTable {
  // When it begins, on the file's clock; the trace's base_ns turns it into Unix time.
  Column<int64_t> start_ns;
  // How long it takes; not negative.
  Column<int64_t> dur_ns;
  // As the producer wrote it.
  Column<StringId> name;
  // The thread or stream on which it stands.
  Column<TrackId> track;
  // What it is, whatever word the producer used.
  Column<Category> category;
  // Row in the table for its category: ops, pythons, launches or activities.
  Column<uint32_t> detail;
  // Where its event is in the source: byte offset in the text, or row of the events of a recording.
  Column<uint64_t> source_place;
  // The slice around it on its track and lane.
  Column<SliceId> parent;
  // How many slices are around it.
  Column<uint16_t> depth;
  // 0, or the extra lane for slices that only partly overlap their neighbours.
  Column<uint16_t> lane;

  size_t size() const { return start_ns.size(); }
  int64_t end_ns(SliceId id) const { return start_ns[id.value] + dur_ns[id.value]; }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const SliceRow& row) {
    dur_ns.push_back(row.dur_ns);
    name.push_back(row.name);
    track.push_back(row.track);
    category.push_back(row.category);
    detail.push_back(row.detail);
    source_place.push_back(row.source_place);
    start_ns.push_back(row.start_ns);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> start_ns = {
        1, "start_ns", Similarity::kNearSplit, Filled::kRead, false, {},
        "When it begins, on the file's clock; the trace's base_ns turns it into Unix time."};
    static constexpr ColumnDecl<int64_t> dur_ns = {
        2, "dur_ns", Similarity::kSplit, Filled::kRead, false, {},
        "How long it takes; not negative."};
    static constexpr ColumnDecl<StringId> name = {
        3, "name", Similarity::kNone, Filled::kRead, true, {},
        "As the producer wrote it."};
    static constexpr ColumnDecl<TrackId> track = {
        4, "track", Similarity::kNone, Filled::kRead, false, {},
        "The thread or stream on which it stands."};
    static constexpr ColumnDecl<Category> category = {
        5, "category", Similarity::kNone, Filled::kRead, false, {},
        "What it is, whatever word the producer used."};
    static constexpr ColumnDecl<uint32_t> detail = {
        6, "detail", Similarity::kNear, Filled::kRead, true, {kNoRow},
        "Row in the table for its category: ops, pythons, launches or activities."};
    static constexpr ColumnDecl<uint64_t> source_place = {
        7, "source_place", Similarity::kNear, Filled::kRead, false, {},
        "Where its event is in the source: byte offset in the text, or row of the events of a recording."};
    static constexpr ColumnDecl<SliceId> parent = {
        8, "parent", Similarity::kNear, Filled::kFrozen, true, {},
        "The slice around it on its track and lane."};
    static constexpr ColumnDecl<uint16_t> depth = {
        9, "depth", Similarity::kSplit, Filled::kFrozen, false, {},
        "How many slices are around it."};
    static constexpr ColumnDecl<uint16_t> lane = {
        10, "lane", Similarity::kNone, Filled::kFrozen, false, {},
        "0, or the extra lane for slices that only partly overlap their neighbours."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::start_ns, tables.start_ns...);
    visit(columns::dur_ns, tables.dur_ns...);
    visit(columns::name, tables.name...);
    visit(columns::track, tables.track...);
    visit(columns::category, tables.category...);
    visit(columns::detail, tables.detail...);
    visit(columns::source_place, tables.source_place...);
    visit(columns::parent, tables.parent...);
    visit(columns::depth, tables.depth...);
    visit(columns::lane, tables.lane...);
  }
};

// What a reader says of a row of ops; what it leaves out is not known.
struct OpRow {
  SliceId slice = {};
  uint64_t external_id = 0;
  int64_t sequence = -1;
  uint32_t fwd_thread = 0;
  StringId input_dims = {};
  StringId input_types = {};
  StackId stack = {};
  ModuleId module = {};
};

// Operators and ranges: slices of category cpu_op and user_annotation.
struct OpTable {
  // The operator's slice.
  Column<SliceId> slice;
  // Torch's number of the call.
  Column<uint64_t> external_id;
  // Autograd's sequence number, by which a backward op knows its forward op.
  Column<int64_t> sequence;
  // Torch's own number of the forward thread; only backward ops have one.
  Column<uint32_t> fwd_thread;
  // Shapes of the inputs, JSON text without white space.
  Column<StringId> input_dims;
  // Types of the inputs, JSON text without white space.
  Column<StringId> input_types;
  // The forward op that a backward op belongs to.
  Column<SliceId> forward;
  // The Python stack from which it was called.
  Column<StackId> stack;
  // The innermost nn.Module in which it was called.
  Column<ModuleId> module;

  size_t size() const { return slice.size(); }
  StackId stack_of(uint32_t row) const { return stack.empty() ? columns::stack.missing : stack[row]; }
  ModuleId module_of(uint32_t row) const { return module.empty() ? columns::module.missing : module[row]; }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const OpRow& row) {
    external_id.push_back(row.external_id);
    sequence.push_back(row.sequence);
    fwd_thread.push_back(row.fwd_thread);
    input_dims.push_back(row.input_dims);
    input_types.push_back(row.input_types);
    add_if_any(stack, row.stack, columns::stack, size());
    add_if_any(module, row.module, columns::module, size());
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNearSplit, Filled::kRead, false, {},
        "The operator's slice."};
    static constexpr ColumnDecl<uint64_t> external_id = {
        2, "external_id", Similarity::kNear, Filled::kRead, true, {0},
        "Torch's number of the call."};
    static constexpr ColumnDecl<int64_t> sequence = {
        3, "sequence", Similarity::kNone, Filled::kRead, true, {-1},
        "Autograd's sequence number, by which a backward op knows its forward op."};
    static constexpr ColumnDecl<uint32_t> fwd_thread = {
        4, "fwd_thread", Similarity::kNone, Filled::kRead, true, {0},
        "Torch's own number of the forward thread; only backward ops have one."};
    static constexpr ColumnDecl<StringId> input_dims = {
        5, "input_dims", Similarity::kNone, Filled::kRead, true, {},
        "Shapes of the inputs, JSON text without white space."};
    static constexpr ColumnDecl<StringId> input_types = {
        6, "input_types", Similarity::kNone, Filled::kRead, true, {},
        "Types of the inputs, JSON text without white space."};
    static constexpr ColumnDecl<SliceId> forward = {
        7, "forward", Similarity::kSplit, Filled::kFrozen, true, {},
        "The forward op that a backward op belongs to."};
    static constexpr ColumnDecl<StackId> stack = {
        8, "stack", Similarity::kNone, Filled::kIfAny, true, {},
        "The Python stack from which it was called."};
    static constexpr ColumnDecl<ModuleId> module = {
        9, "module", Similarity::kNone, Filled::kIfAny, true, {},
        "The innermost nn.Module in which it was called."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::slice, tables.slice...);
    visit(columns::external_id, tables.external_id...);
    visit(columns::sequence, tables.sequence...);
    visit(columns::fwd_thread, tables.fwd_thread...);
    visit(columns::input_dims, tables.input_dims...);
    visit(columns::input_types, tables.input_types...);
    visit(columns::forward, tables.forward...);
    visit(columns::stack, tables.stack...);
    visit(columns::module, tables.module...);
  }
};

// What a reader says of a row of pythons; what it leaves out is not known.
struct PythonRow {
  SliceId slice = {};
  int64_t python_id = -1;
  int64_t parent_id = -1;
  int64_t module_id = -1;
};

// Python frames and nn.Module calls: slices of category python_function.
struct PythonTable {
  // The call's slice.
  Column<SliceId> slice;
  // The profiler's number of the call.
  Column<int64_t> python_id;
  // The number of the call around it.
  Column<int64_t> parent_id;
  // The number of the nn.Module instance; only its calls have one.
  Column<int64_t> module_id;

  size_t size() const { return slice.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const PythonRow& row) {
    python_id.push_back(row.python_id);
    parent_id.push_back(row.parent_id);
    module_id.push_back(row.module_id);
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNearSplit, Filled::kRead, false, {},
        "The call's slice."};
    static constexpr ColumnDecl<int64_t> python_id = {
        2, "python_id", Similarity::kNear, Filled::kRead, true, {-1},
        "The profiler's number of the call."};
    static constexpr ColumnDecl<int64_t> parent_id = {
        3, "parent_id", Similarity::kNear, Filled::kRead, true, {-1},
        "The number of the call around it."};
    static constexpr ColumnDecl<int64_t> module_id = {
        4, "module_id", Similarity::kNone, Filled::kRead, true, {-1},
        "The number of the nn.Module instance; only its calls have one."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::slice, tables.slice...);
    visit(columns::python_id, tables.python_id...);
    visit(columns::parent_id, tables.parent_id...);
    visit(columns::module_id, tables.module_id...);
  }
};

// What a reader says of a row of launches; what it leaves out is not known.
struct LaunchRow {
  SliceId slice = {};
  uint64_t correlation = kNoCorrelation;
  uint64_t external_id = 0;
};

// Runtime and driver calls of the host: slices of category runtime and driver.
struct LaunchTable {
  // The call's slice.
  Column<SliceId> slice;
  // The number that the work it starts carries, too.
  Column<uint64_t> correlation;
  // As written; it means three things in torch's history, so nothing is linked by it.
  Column<uint64_t> external_id;
  // The innermost operator around the call on its thread.
  Column<SliceId> op;
  // How many activities it started.
  Column<uint32_t> activities;

  size_t size() const { return slice.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const LaunchRow& row) {
    correlation.push_back(row.correlation);
    external_id.push_back(row.external_id);
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNearSplit, Filled::kRead, false, {},
        "The call's slice."};
    static constexpr ColumnDecl<uint64_t> correlation = {
        2, "correlation", Similarity::kNearSplit, Filled::kRead, true, {kNoCorrelation},
        "The number that the work it starts carries, too."};
    static constexpr ColumnDecl<uint64_t> external_id = {
        3, "external_id", Similarity::kNear, Filled::kRead, true, {0},
        "As written; it means three things in torch's history, so nothing is linked by it."};
    static constexpr ColumnDecl<SliceId> op = {
        4, "op", Similarity::kNear, Filled::kFrozen, true, {},
        "The innermost operator around the call on its thread."};
    static constexpr ColumnDecl<uint32_t> activities = {
        5, "activities", Similarity::kSplit, Filled::kFrozen, false, {},
        "How many activities it started."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::slice, tables.slice...);
    visit(columns::correlation, tables.correlation...);
    visit(columns::external_id, tables.external_id...);
    visit(columns::op, tables.op...);
    visit(columns::activities, tables.activities...);
  }
};

// What a reader says of a row of activities; what it leaves out is not known.
struct ActivityRow {
  SliceId slice = {};
  uint64_t correlation = kNoCorrelation;
  int64_t device = -1;
  int64_t stream = -1;
  int64_t bytes = -1;
  CollectiveId collective = {};
};

// Work on a device: slices of category kernel, memcpy, memset and device_other.
struct ActivityTable {
  // The work's slice.
  Column<SliceId> slice;
  // The number of the call that started it.
  Column<uint64_t> correlation;
  // The device's number.
  Column<int64_t> device;
  // The stream's number.
  Column<int64_t> stream;
  // How much a copy or a set moves.
  Column<int64_t> bytes;
  // The call that started it, if it is in the file.
  Column<SliceId> launch;
  // What c10d says of it.
  Column<CollectiveId> collective;

  size_t size() const { return slice.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const ActivityRow& row) {
    correlation.push_back(row.correlation);
    device.push_back(row.device);
    stream.push_back(row.stream);
    bytes.push_back(row.bytes);
    collective.push_back(row.collective);
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNear, Filled::kRead, false, {},
        "The work's slice."};
    static constexpr ColumnDecl<uint64_t> correlation = {
        2, "correlation", Similarity::kNearSplit, Filled::kRead, true, {kNoCorrelation},
        "The number of the call that started it."};
    static constexpr ColumnDecl<int64_t> device = {
        3, "device", Similarity::kNone, Filled::kRead, true, {-1},
        "The device's number."};
    static constexpr ColumnDecl<int64_t> stream = {
        4, "stream", Similarity::kNear, Filled::kRead, true, {-1},
        "The stream's number."};
    static constexpr ColumnDecl<int64_t> bytes = {
        5, "bytes", Similarity::kNone, Filled::kRead, true, {-1},
        "How much a copy or a set moves."};
    static constexpr ColumnDecl<SliceId> launch = {
        6, "launch", Similarity::kNear, Filled::kFrozen, true, {},
        "The call that started it, if it is in the file."};
    static constexpr ColumnDecl<CollectiveId> collective = {
        7, "collective", Similarity::kNear, Filled::kRead, true, {},
        "What c10d says of it."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::slice, tables.slice...);
    visit(columns::correlation, tables.correlation...);
    visit(columns::device, tables.device...);
    visit(columns::stream, tables.stream...);
    visit(columns::bytes, tables.bytes...);
    visit(columns::launch, tables.launch...);
    visit(columns::collective, tables.collective...);
  }
};

// What a reader says of a row of collectives; what it leaves out is not known.
struct CollectiveRow {
  SliceId slice = {};
  StringId name = {};
  StringId dtype = {};
  StringId group_name = {};
  StringId group_ranks = {};
  int64_t in_elements = -1;
  int64_t out_elements = -1;
  int64_t group_size = -1;
};

// What c10d says about a collective, on its op and on its kernels.
struct CollectiveTable {
  // The slice that says so.
  Column<SliceId> slice;
  // As c10d names it: allreduce, …
  Column<StringId> name;
  // Type of the elements.
  Column<StringId> dtype;
  // Name of the process group.
  Column<StringId> group_name;
  // Ranks of the process group, text as written.
  Column<StringId> group_ranks;
  // Number of elements that go in.
  Column<int64_t> in_elements;
  // Number of elements that come out.
  Column<int64_t> out_elements;
  // Number of ranks in the process group.
  Column<int64_t> group_size;

  size_t size() const { return slice.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const CollectiveRow& row) {
    name.push_back(row.name);
    dtype.push_back(row.dtype);
    group_name.push_back(row.group_name);
    group_ranks.push_back(row.group_ranks);
    in_elements.push_back(row.in_elements);
    out_elements.push_back(row.out_elements);
    group_size.push_back(row.group_size);
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNear, Filled::kRead, false, {},
        "The slice that says so."};
    static constexpr ColumnDecl<StringId> name = {
        2, "name", Similarity::kNone, Filled::kRead, true, {},
        "As c10d names it: allreduce, …"};
    static constexpr ColumnDecl<StringId> dtype = {
        3, "dtype", Similarity::kNone, Filled::kRead, true, {},
        "Type of the elements."};
    static constexpr ColumnDecl<StringId> group_name = {
        4, "group_name", Similarity::kNone, Filled::kRead, true, {},
        "Name of the process group."};
    static constexpr ColumnDecl<StringId> group_ranks = {
        5, "group_ranks", Similarity::kNone, Filled::kRead, true, {},
        "Ranks of the process group, text as written."};
    static constexpr ColumnDecl<int64_t> in_elements = {
        6, "in_elements", Similarity::kNone, Filled::kRead, true, {-1},
        "Number of elements that go in."};
    static constexpr ColumnDecl<int64_t> out_elements = {
        7, "out_elements", Similarity::kNone, Filled::kRead, true, {-1},
        "Number of elements that come out."};
    static constexpr ColumnDecl<int64_t> group_size = {
        8, "group_size", Similarity::kNone, Filled::kRead, true, {-1},
        "Number of ranks in the process group."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::slice, tables.slice...);
    visit(columns::name, tables.name...);
    visit(columns::dtype, tables.dtype...);
    visit(columns::group_name, tables.group_name...);
    visit(columns::group_ranks, tables.group_ranks...);
    visit(columns::in_elements, tables.in_elements...);
    visit(columns::out_elements, tables.out_elements...);
    visit(columns::group_size, tables.group_size...);
  }
};

// What a reader says of a row of memory; what it leaves out is not known.
struct MemoryRow {
  int64_t time_ns = {};
  TrackId track = {};
  uint64_t address = 0;
  int64_t bytes = {};
  int64_t total_allocated = kUnknownBytes;
  int64_t total_reserved = kUnknownBytes;
  int32_t device_type = -1;
  int32_t device_id = -1;
};

// Allocations and frees, in file order.
struct MemoryTable {
  // When.
  Column<int64_t> time_ns;
  // The thread on which it happened.
  Column<TrackId> track;
  // Of the block.
  Column<uint64_t> address;
  // How much was allocated; negative: freed.
  Column<int64_t> bytes;
  // Allocated on the device afterwards.
  Column<int64_t> total_allocated;
  // Reserved by the allocator afterwards.
  Column<int64_t> total_reserved;
  // c10's code: 0 CPU, 1 CUDA, …
  Column<int32_t> device_type;
  // The device's number; none on the CPU.
  Column<int32_t> device_id;

  size_t size() const { return time_ns.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const MemoryRow& row) {
    track.push_back(row.track);
    address.push_back(row.address);
    bytes.push_back(row.bytes);
    total_allocated.push_back(row.total_allocated);
    total_reserved.push_back(row.total_reserved);
    device_type.push_back(row.device_type);
    device_id.push_back(row.device_id);
    time_ns.push_back(row.time_ns);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> time_ns = {
        1, "time_ns", Similarity::kNearSplit, Filled::kRead, false, {},
        "When."};
    static constexpr ColumnDecl<TrackId> track = {
        2, "track", Similarity::kNone, Filled::kRead, false, {},
        "The thread on which it happened."};
    static constexpr ColumnDecl<uint64_t> address = {
        3, "address", Similarity::kNear, Filled::kRead, true, {0},
        "Of the block."};
    static constexpr ColumnDecl<int64_t> bytes = {
        4, "bytes", Similarity::kNone, Filled::kRead, false, {},
        "How much was allocated; negative: freed."};
    static constexpr ColumnDecl<int64_t> total_allocated = {
        5, "total_allocated", Similarity::kNear, Filled::kRead, true, {kUnknownBytes},
        "Allocated on the device afterwards."};
    static constexpr ColumnDecl<int64_t> total_reserved = {
        6, "total_reserved", Similarity::kNear, Filled::kRead, true, {kUnknownBytes},
        "Reserved by the allocator afterwards."};
    static constexpr ColumnDecl<int32_t> device_type = {
        7, "device_type", Similarity::kNone, Filled::kRead, true, {-1},
        "c10's code: 0 CPU, 1 CUDA, …"};
    static constexpr ColumnDecl<int32_t> device_id = {
        8, "device_id", Similarity::kNone, Filled::kRead, true, {-1},
        "The device's number; none on the CPU."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::time_ns, tables.time_ns...);
    visit(columns::track, tables.track...);
    visit(columns::address, tables.address...);
    visit(columns::bytes, tables.bytes...);
    visit(columns::total_allocated, tables.total_allocated...);
    visit(columns::total_reserved, tables.total_reserved...);
    visit(columns::device_type, tables.device_type...);
    visit(columns::device_id, tables.device_id...);
  }
};

// What a reader says of a row of tensors; what it leaves out is not known.
struct TensorRow {
  TensorRole role = {};
  StringId name = {};
  StringId module = {};
  StringId dims = {};
  uint64_t address = {};
  int64_t bytes = {};
  int64_t time_ns = {};
};

// Tensors that outlive operators, as the program named them while they lived, in file order. One storage may
// have several names (tied weights), and a tensor may be told of many times.
struct TensorTable {
  // What it is to the program.
  Column<TensorRole> role;
  // Qualified: layers.0.weight, layers.0.weight.grad, inputs[0].
  Column<StringId> name;
  // Qualified name of the module that holds it; empty: the model itself.
  Column<StringId> module;
  // JSON text without white space.
  Column<StringId> dims;
  // Of the storage, as in memory.
  Column<uint64_t> address;
  // Of the storage.
  Column<int64_t> bytes;
  // When it was alive there.
  Column<int64_t> time_ns;

  size_t size() const { return role.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const TensorRow& row) {
    name.push_back(row.name);
    module.push_back(row.module);
    dims.push_back(row.dims);
    address.push_back(row.address);
    bytes.push_back(row.bytes);
    time_ns.push_back(row.time_ns);
    role.push_back(row.role);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<TensorRole> role = {
        1, "role", Similarity::kNone, Filled::kRead, false, {},
        "What it is to the program."};
    static constexpr ColumnDecl<StringId> name = {
        2, "name", Similarity::kNone, Filled::kRead, true, {},
        "Qualified: layers.0.weight, layers.0.weight.grad, inputs[0]."};
    static constexpr ColumnDecl<StringId> module = {
        3, "module", Similarity::kNone, Filled::kRead, true, {},
        "Qualified name of the module that holds it; empty: the model itself."};
    static constexpr ColumnDecl<StringId> dims = {
        4, "dims", Similarity::kNone, Filled::kRead, true, {},
        "JSON text without white space."};
    static constexpr ColumnDecl<uint64_t> address = {
        5, "address", Similarity::kNear, Filled::kRead, false, {},
        "Of the storage, as in memory."};
    static constexpr ColumnDecl<int64_t> bytes = {
        6, "bytes", Similarity::kNone, Filled::kRead, false, {},
        "Of the storage."};
    static constexpr ColumnDecl<int64_t> time_ns = {
        7, "time_ns", Similarity::kNear, Filled::kRead, false, {},
        "When it was alive there."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::role, tables.role...);
    visit(columns::name, tables.name...);
    visit(columns::module, tables.module...);
    visit(columns::dims, tables.dims...);
    visit(columns::address, tables.address...);
    visit(columns::bytes, tables.bytes...);
    visit(columns::time_ns, tables.time_ns...);
  }
};

// What a reader says of a row of counters; what it leaves out is not known.
struct CounterRow {
  int64_t time_ns = {};
  TrackId track = {};
  StringId name = {};
  StringId key = {};
  double value = {};
};

// Samples of counters, in file order; one row per key of the event.
struct CounterTable {
  // When.
  Column<int64_t> time_ns;
  // The thread or process it belongs to.
  Column<TrackId> track;
  // Of the counter.
  Column<StringId> name;
  // Of the value within the counter.
  Column<StringId> key;
  // As written.
  Column<double> value;

  size_t size() const { return time_ns.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const CounterRow& row) {
    track.push_back(row.track);
    name.push_back(row.name);
    key.push_back(row.key);
    value.push_back(row.value);
    time_ns.push_back(row.time_ns);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> time_ns = {
        1, "time_ns", Similarity::kNearSplit, Filled::kRead, false, {},
        "When."};
    static constexpr ColumnDecl<TrackId> track = {
        2, "track", Similarity::kNone, Filled::kRead, false, {},
        "The thread or process it belongs to."};
    static constexpr ColumnDecl<StringId> name = {
        3, "name", Similarity::kNone, Filled::kRead, true, {},
        "Of the counter."};
    static constexpr ColumnDecl<StringId> key = {
        4, "key", Similarity::kNone, Filled::kRead, true, {},
        "Of the value within the counter."};
    static constexpr ColumnDecl<double> value = {
        5, "value", Similarity::kSplit, Filled::kRead, false, {},
        "As written."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::time_ns, tables.time_ns...);
    visit(columns::track, tables.track...);
    visit(columns::name, tables.name...);
    visit(columns::key, tables.key...);
    visit(columns::value, tables.value...);
  }
};

// What a reader says of a row of frames; what it leaves out is not known.
struct FrameRow {
  StringId file = {};
  StringId function = {};
  int32_t line = 0;
};

// Lines of Python code that stacks pass through.
struct FrameTable {
  // Path as Python knows it.
  Column<StringId> file;
  // Name of the function.
  Column<StringId> function;
  // Number of the line in the file.
  Column<int32_t> line;

  size_t size() const { return file.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const FrameRow& row) {
    function.push_back(row.function);
    line.push_back(row.line);
    file.push_back(row.file);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<StringId> file = {
        1, "file", Similarity::kNone, Filled::kRead, true, {},
        "Path as Python knows it."};
    static constexpr ColumnDecl<StringId> function = {
        2, "function", Similarity::kNone, Filled::kRead, true, {},
        "Name of the function."};
    static constexpr ColumnDecl<int32_t> line = {
        3, "line", Similarity::kNone, Filled::kRead, true, {0},
        "Number of the line in the file."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::file, tables.file...);
    visit(columns::function, tables.function...);
    visit(columns::line, tables.line...);
  }
};

// What a reader says of a row of stacks; what it leaves out is not known.
struct StackRow {
  StackId parent = {};
  FrameId frame = {};
  ModuleId module = {};
};

// Python stacks as a tree: a stack is its innermost frame and the stack around it, which stands before it.
struct StackTable {
  // The stack around it.
  Column<StackId> parent;
  // The innermost frame.
  Column<FrameId> frame;
  // The innermost nn.Module that runs there.
  Column<ModuleId> module;

  size_t size() const { return parent.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const StackRow& row) {
    frame.push_back(row.frame);
    module.push_back(row.module);
    parent.push_back(row.parent);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<StackId> parent = {
        1, "parent", Similarity::kNone, Filled::kRead, true, {},
        "The stack around it."};
    static constexpr ColumnDecl<FrameId> frame = {
        2, "frame", Similarity::kNone, Filled::kRead, true, {},
        "The innermost frame."};
    static constexpr ColumnDecl<ModuleId> module = {
        3, "module", Similarity::kNone, Filled::kRead, true, {},
        "The innermost nn.Module that runs there."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::parent, tables.parent...);
    visit(columns::frame, tables.frame...);
    visit(columns::module, tables.module...);
  }
};

// What a reader says of a row of modules; what it leaves out is not known.
struct ModuleRow {
  StringId name = {};
  StringId class_name = {};
};

// Instances of nn.Module.
struct ModuleTable {
  // Qualified, as named_modules() says it; empty: the model itself.
  Column<StringId> name;
  // Name of its class.
  Column<StringId> class_name;

  size_t size() const { return name.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const ModuleRow& row) {
    class_name.push_back(row.class_name);
    name.push_back(row.name);
    return static_cast<uint32_t>(size() - 1);
  }

  struct columns {
    static constexpr ColumnDecl<StringId> name = {
        1, "name", Similarity::kNone, Filled::kRead, true, {},
        "Qualified, as named_modules() says it; empty: the model itself."};
    static constexpr ColumnDecl<StringId> class_name = {
        2, "class_name", Similarity::kNone, Filled::kRead, true, {},
        "Name of its class."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::name, tables.name...);
    visit(columns::class_name, tables.class_name...);
  }
};

// visit(spec, table...) for every table of a Trace, or of several side by side.
template <typename Visit, typename... Traces>
void for_each_table(Visit&& visit, Traces&... traces) {
  visit(TableDecl{37, "slices", "Everything that has a start and a duration. Slices of one track stand together, ordered by start, the enclosing before the enclosed."}, traces.slices...);
  visit(TableDecl{38, "ops", "Operators and ranges: slices of category cpu_op and user_annotation."}, traces.ops...);
  visit(TableDecl{39, "pythons", "Python frames and nn.Module calls: slices of category python_function."}, traces.pythons...);
  visit(TableDecl{40, "launches", "Runtime and driver calls of the host: slices of category runtime and driver."}, traces.launches...);
  visit(TableDecl{41, "activities", "Work on a device: slices of category kernel, memcpy, memset and device_other."}, traces.activities...);
  visit(TableDecl{42, "collectives", "What c10d says about a collective, on its op and on its kernels."}, traces.collectives...);
  visit(TableDecl{43, "memory", "Allocations and frees, in file order."}, traces.memory...);
  visit(TableDecl{53, "tensors", "Tensors that outlive operators, as the program named them while they lived, in file order. One storage may have several names (tied weights), and a tensor may be told of many times."}, traces.tensors...);
  visit(TableDecl{44, "counters", "Samples of counters, in file order; one row per key of the event."}, traces.counters...);
  visit(TableDecl{48, "frames", "Lines of Python code that stacks pass through."}, traces.frames...);
  visit(TableDecl{49, "stacks", "Python stacks as a tree: a stack is its innermost frame and the stack around it, which stands before it."}, traces.stacks...);
  visit(TableDecl{50, "modules", "Instances of nn.Module."}, traces.modules...);
}

}  // namespace skyline
