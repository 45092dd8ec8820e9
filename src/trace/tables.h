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

  bool operator==(const SliceRow&) const = default;
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

  SliceRow row(uint32_t i) const {
    return {
        .start_ns = start_ns[i],
        .dur_ns = dur_ns[i],
        .name = name[i],
        .track = track[i],
        .category = category[i],
        .detail = detail[i],
        .source_place = source_place[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.start_ns);
    visit(row.dur_ns);
    visit(row.name);
    visit(row.track);
    visit(row.category);
    visit(row.detail);
    visit(row.source_place);
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
        6, "detail", Similarity::kNear, Filled::kRead, true, kNoRow,
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
  StackId stack = {};
  ModuleId module = {};
  SignatureId signature = {};
  StringId concrete_inputs = {};

  bool operator==(const OpRow&) const = default;
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
  // The forward op that a backward op belongs to.
  Column<SliceId> forward;
  // The Python stack from which it was called.
  Column<StackId> stack;
  // The innermost nn.Module in which it was called.
  Column<ModuleId> module;
  // Types and shapes of its inputs.
  Column<SignatureId> signature;
  // Values of the inputs that are no tensors, JSON text without white space.
  Column<StringId> concrete_inputs;

  size_t size() const { return slice.size(); }
  StackId stack_of(uint32_t row) const { return stack.empty() ? columns::stack.missing : stack[row]; }
  ModuleId module_of(uint32_t row) const { return module.empty() ? columns::module.missing : module[row]; }
  StringId concrete_inputs_of(uint32_t row) const { return concrete_inputs.empty() ? columns::concrete_inputs.missing : concrete_inputs[row]; }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const OpRow& row) {
    external_id.push_back(row.external_id);
    sequence.push_back(row.sequence);
    fwd_thread.push_back(row.fwd_thread);
    add_if_any(stack, row.stack, columns::stack, size());
    add_if_any(module, row.module, columns::module, size());
    signature.push_back(row.signature);
    add_if_any(concrete_inputs, row.concrete_inputs, columns::concrete_inputs, size());
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  OpRow row(uint32_t i) const {
    return {
        .slice = slice[i],
        .external_id = external_id[i],
        .sequence = sequence[i],
        .fwd_thread = fwd_thread[i],
        .stack = stack_of(i),
        .module = module_of(i),
        .signature = signature[i],
        .concrete_inputs = concrete_inputs_of(i),
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.slice);
    visit(row.external_id);
    visit(row.sequence);
    visit(row.fwd_thread);
    visit(row.stack);
    visit(row.module);
    visit(row.signature);
    visit(row.concrete_inputs);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNearSplit, Filled::kRead, false, {},
        "The operator's slice."};
    static constexpr ColumnDecl<uint64_t> external_id = {
        2, "external_id", Similarity::kNear, Filled::kRead, true, 0,
        "Torch's number of the call."};
    static constexpr ColumnDecl<int64_t> sequence = {
        3, "sequence", Similarity::kNone, Filled::kRead, true, -1,
        "Autograd's sequence number, by which a backward op knows its forward op."};
    static constexpr ColumnDecl<uint32_t> fwd_thread = {
        4, "fwd_thread", Similarity::kNone, Filled::kRead, true, 0,
        "Torch's own number of the forward thread; only backward ops have one."};
    static constexpr ColumnDecl<SliceId> forward = {
        7, "forward", Similarity::kSplit, Filled::kFrozen, true, {},
        "The forward op that a backward op belongs to."};
    static constexpr ColumnDecl<StackId> stack = {
        8, "stack", Similarity::kNone, Filled::kIfAny, true, {},
        "The Python stack from which it was called."};
    static constexpr ColumnDecl<ModuleId> module = {
        9, "module", Similarity::kNone, Filled::kIfAny, true, {},
        "The innermost nn.Module in which it was called."};
    static constexpr ColumnDecl<SignatureId> signature = {
        10, "signature", Similarity::kNone, Filled::kRead, true, {},
        "Types and shapes of its inputs."};
    static constexpr ColumnDecl<StringId> concrete_inputs = {
        11, "concrete_inputs", Similarity::kNone, Filled::kIfAny, true, {},
        "Values of the inputs that are no tensors, JSON text without white space."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::slice, tables.slice...);
    visit(columns::external_id, tables.external_id...);
    visit(columns::sequence, tables.sequence...);
    visit(columns::fwd_thread, tables.fwd_thread...);
    visit(columns::forward, tables.forward...);
    visit(columns::stack, tables.stack...);
    visit(columns::module, tables.module...);
    visit(columns::signature, tables.signature...);
    visit(columns::concrete_inputs, tables.concrete_inputs...);
  }
};

// What a reader says of a row of signatures; what it leaves out is not known.
struct SignatureRow {
  StringId dims = {};
  StringId types = {};
  StringId strides = {};

  bool operator==(const SignatureRow&) const = default;
};

// Types and shapes of the inputs of operators, each combination once: as written, and read into inputs.
struct SignatureTable {
  // Shapes of the inputs, JSON text without white space.
  Column<StringId> dims;
  // Types of the inputs, JSON text without white space.
  Column<StringId> types;
  // Strides of the inputs, JSON text without white space.
  Column<StringId> strides;
  // Its rows of inputs stand together from here.
  Column<uint32_t> first_input;
  // How many they are; none if the texts cannot be read.
  Column<uint32_t> input_count;

  size_t size() const { return dims.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const SignatureRow& row) {
    types.push_back(row.types);
    strides.push_back(row.strides);
    dims.push_back(row.dims);
    return static_cast<uint32_t>(size() - 1);
  }

  SignatureRow row(uint32_t i) const {
    return {
        .dims = dims[i],
        .types = types[i],
        .strides = strides[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.dims);
    visit(row.types);
    visit(row.strides);
  }

  struct columns {
    static constexpr ColumnDecl<StringId> dims = {
        1, "dims", Similarity::kNone, Filled::kRead, true, {},
        "Shapes of the inputs, JSON text without white space."};
    static constexpr ColumnDecl<StringId> types = {
        2, "types", Similarity::kNone, Filled::kRead, true, {},
        "Types of the inputs, JSON text without white space."};
    static constexpr ColumnDecl<StringId> strides = {
        3, "strides", Similarity::kNone, Filled::kRead, true, {},
        "Strides of the inputs, JSON text without white space."};
    static constexpr ColumnDecl<uint32_t> first_input = {
        4, "first_input", Similarity::kNear, Filled::kFrozen, false, {},
        "Its rows of inputs stand together from here."};
    static constexpr ColumnDecl<uint32_t> input_count = {
        5, "input_count", Similarity::kNone, Filled::kFrozen, false, {},
        "How many they are; none if the texts cannot be read."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::dims, tables.dims...);
    visit(columns::types, tables.types...);
    visit(columns::strides, tables.strides...);
    visit(columns::first_input, tables.first_input...);
    visit(columns::input_count, tables.input_count...);
  }
};

// What a reader says of a row of inputs; what it leaves out is not known.
struct InputRow {
  SignatureId signature = {};
  uint32_t argument = {};
  int32_t element = -1;
  StringId type = {};
  uint32_t first_size = {};
  int32_t rank = -1;

  bool operator==(const InputRow&) const = default;
};

// Inputs of signatures, in the order of the arguments; a list of tensors has a row for each.
struct InputTable {
  // To which it belongs.
  Column<SignatureId> signature;
  // Its place among the arguments.
  Column<uint32_t> argument;
  // Its place in a list of tensors.
  Column<int32_t> element;
  // As torch names it: float, c10::BFloat16, Scalar, …
  Column<StringId> type;
  // Its rows of input_sizes stand together from here.
  Column<uint32_t> first_size;
  // How many they are: its number of dimensions; 0 for a value that is no tensor, too.
  Column<int32_t> rank;

  size_t size() const { return signature.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const InputRow& row) {
    argument.push_back(row.argument);
    element.push_back(row.element);
    type.push_back(row.type);
    first_size.push_back(row.first_size);
    rank.push_back(row.rank);
    signature.push_back(row.signature);
    return static_cast<uint32_t>(size() - 1);
  }

  InputRow row(uint32_t i) const {
    return {
        .signature = signature[i],
        .argument = argument[i],
        .element = element[i],
        .type = type[i],
        .first_size = first_size[i],
        .rank = rank[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.signature);
    visit(row.argument);
    visit(row.element);
    visit(row.type);
    visit(row.first_size);
    visit(row.rank);
  }

  struct columns {
    static constexpr ColumnDecl<SignatureId> signature = {
        1, "signature", Similarity::kNear, Filled::kRead, false, {},
        "To which it belongs."};
    static constexpr ColumnDecl<uint32_t> argument = {
        2, "argument", Similarity::kNone, Filled::kRead, false, {},
        "Its place among the arguments."};
    static constexpr ColumnDecl<int32_t> element = {
        3, "element", Similarity::kNone, Filled::kRead, true, -1,
        "Its place in a list of tensors."};
    static constexpr ColumnDecl<StringId> type = {
        4, "type", Similarity::kNone, Filled::kRead, true, {},
        "As torch names it: float, c10::BFloat16, Scalar, …"};
    static constexpr ColumnDecl<uint32_t> first_size = {
        5, "first_size", Similarity::kNear, Filled::kRead, false, {},
        "Its rows of input_sizes stand together from here."};
    static constexpr ColumnDecl<int32_t> rank = {
        6, "rank", Similarity::kNone, Filled::kRead, true, -1,
        "How many they are: its number of dimensions; 0 for a value that is no tensor, too."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::signature, tables.signature...);
    visit(columns::argument, tables.argument...);
    visit(columns::element, tables.element...);
    visit(columns::type, tables.type...);
    visit(columns::first_size, tables.first_size...);
    visit(columns::rank, tables.rank...);
  }
};

// What a reader says of a row of input_sizes; what it leaves out is not known.
struct InputSizeRow {
  int64_t size_along = {};
  int64_t stride = -1;

  bool operator==(const InputSizeRow&) const = default;
};

// Dimensions of inputs, outermost first.
struct InputSizeTable {
  // Number of elements along the dimension.
  Column<int64_t> size_along;
  // Elements from one to the next along the dimension.
  Column<int64_t> stride;

  size_t size() const { return size_along.size(); }
  int64_t stride_of(uint32_t row) const { return stride.empty() ? columns::stride.missing : stride[row]; }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const InputSizeRow& row) {
    add_if_any(stride, row.stride, columns::stride, size());
    size_along.push_back(row.size_along);
    return static_cast<uint32_t>(size() - 1);
  }

  InputSizeRow row(uint32_t i) const {
    return {
        .size_along = size_along[i],
        .stride = stride_of(i),
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.size_along);
    visit(row.stride);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> size_along = {
        1, "size_along", Similarity::kNone, Filled::kRead, false, {},
        "Number of elements along the dimension."};
    static constexpr ColumnDecl<int64_t> stride = {
        2, "stride", Similarity::kNone, Filled::kIfAny, true, -1,
        "Elements from one to the next along the dimension."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::size_along, tables.size_along...);
    visit(columns::stride, tables.stride...);
  }
};

// What a reader says of a row of pythons; what it leaves out is not known.
struct PythonRow {
  SliceId slice = {};
  int64_t python_id = -1;
  int64_t parent_id = -1;
  int64_t module_id = -1;

  bool operator==(const PythonRow&) const = default;
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

  PythonRow row(uint32_t i) const {
    return {
        .slice = slice[i],
        .python_id = python_id[i],
        .parent_id = parent_id[i],
        .module_id = module_id[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.slice);
    visit(row.python_id);
    visit(row.parent_id);
    visit(row.module_id);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNearSplit, Filled::kRead, false, {},
        "The call's slice."};
    static constexpr ColumnDecl<int64_t> python_id = {
        2, "python_id", Similarity::kNear, Filled::kRead, true, -1,
        "The profiler's number of the call."};
    static constexpr ColumnDecl<int64_t> parent_id = {
        3, "parent_id", Similarity::kNear, Filled::kRead, true, -1,
        "The number of the call around it."};
    static constexpr ColumnDecl<int64_t> module_id = {
        4, "module_id", Similarity::kNone, Filled::kRead, true, -1,
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

  bool operator==(const LaunchRow&) const = default;
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

  LaunchRow row(uint32_t i) const {
    return {
        .slice = slice[i],
        .correlation = correlation[i],
        .external_id = external_id[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.slice);
    visit(row.correlation);
    visit(row.external_id);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNearSplit, Filled::kRead, false, {},
        "The call's slice."};
    static constexpr ColumnDecl<uint64_t> correlation = {
        2, "correlation", Similarity::kNearSplit, Filled::kRead, true, kNoCorrelation,
        "The number that the work it starts carries, too."};
    static constexpr ColumnDecl<uint64_t> external_id = {
        3, "external_id", Similarity::kNear, Filled::kRead, true, 0,
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
  KernelShapeId shape = {};
  uint64_t graph_id = 0;
  uint64_t graph_node = 0;

  bool operator==(const ActivityRow&) const = default;
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
  // How the kernel was launched.
  Column<KernelShapeId> shape;
  // The CUDA graph that it belongs to.
  Column<uint64_t> graph_id;
  // The number of its node in the graph.
  Column<uint64_t> graph_node;

  size_t size() const { return slice.size(); }
  KernelShapeId shape_of(uint32_t row) const { return shape.empty() ? columns::shape.missing : shape[row]; }
  uint64_t graph_id_of(uint32_t row) const { return graph_id.empty() ? columns::graph_id.missing : graph_id[row]; }
  uint64_t graph_node_of(uint32_t row) const { return graph_node.empty() ? columns::graph_node.missing : graph_node[row]; }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const ActivityRow& row) {
    correlation.push_back(row.correlation);
    device.push_back(row.device);
    stream.push_back(row.stream);
    bytes.push_back(row.bytes);
    collective.push_back(row.collective);
    add_if_any(shape, row.shape, columns::shape, size());
    add_if_any(graph_id, row.graph_id, columns::graph_id, size());
    add_if_any(graph_node, row.graph_node, columns::graph_node, size());
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  ActivityRow row(uint32_t i) const {
    return {
        .slice = slice[i],
        .correlation = correlation[i],
        .device = device[i],
        .stream = stream[i],
        .bytes = bytes[i],
        .collective = collective[i],
        .shape = shape_of(i),
        .graph_id = graph_id_of(i),
        .graph_node = graph_node_of(i),
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.slice);
    visit(row.correlation);
    visit(row.device);
    visit(row.stream);
    visit(row.bytes);
    visit(row.collective);
    visit(row.shape);
    visit(row.graph_id);
    visit(row.graph_node);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNear, Filled::kRead, false, {},
        "The work's slice."};
    static constexpr ColumnDecl<uint64_t> correlation = {
        2, "correlation", Similarity::kNearSplit, Filled::kRead, true, kNoCorrelation,
        "The number of the call that started it."};
    static constexpr ColumnDecl<int64_t> device = {
        3, "device", Similarity::kNone, Filled::kRead, true, -1,
        "The device's number."};
    static constexpr ColumnDecl<int64_t> stream = {
        4, "stream", Similarity::kNear, Filled::kRead, true, -1,
        "The stream's number."};
    static constexpr ColumnDecl<int64_t> bytes = {
        5, "bytes", Similarity::kNone, Filled::kRead, true, -1,
        "How much a copy or a set moves."};
    static constexpr ColumnDecl<SliceId> launch = {
        6, "launch", Similarity::kNear, Filled::kFrozen, true, {},
        "The call that started it, if it is in the file."};
    static constexpr ColumnDecl<CollectiveId> collective = {
        7, "collective", Similarity::kNear, Filled::kRead, true, {},
        "What c10d says of it."};
    static constexpr ColumnDecl<KernelShapeId> shape = {
        8, "shape", Similarity::kNone, Filled::kIfAny, true, {},
        "How the kernel was launched."};
    static constexpr ColumnDecl<uint64_t> graph_id = {
        9, "graph_id", Similarity::kNear, Filled::kIfAny, true, 0,
        "The CUDA graph that it belongs to."};
    static constexpr ColumnDecl<uint64_t> graph_node = {
        10, "graph_node", Similarity::kNear, Filled::kIfAny, true, 0,
        "The number of its node in the graph."};
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
    visit(columns::shape, tables.shape...);
    visit(columns::graph_id, tables.graph_id...);
    visit(columns::graph_node, tables.graph_node...);
  }
};

// What a reader says of a row of kernel_shapes; what it leaves out is not known.
struct KernelShapeRow {
  int64_t grid_x = -1;
  int64_t grid_y = -1;
  int64_t grid_z = -1;
  int64_t block_x = -1;
  int64_t block_y = -1;
  int64_t block_z = -1;
  int64_t registers = -1;
  int64_t shared_bytes = -1;
  double blocks_per_sm = -1;
  double warps_per_sm = -1;
  double occupancy_percent = -1;
  int32_t limited_by = -1;

  bool operator==(const KernelShapeRow&) const = default;
};

// How kernels were launched, each combination once.
struct KernelShapeTable {
  // Blocks of the grid.
  Column<int64_t> grid_x;
  // The same, second dimension.
  Column<int64_t> grid_y;
  // The same, third dimension.
  Column<int64_t> grid_z;
  // Threads of a block.
  Column<int64_t> block_x;
  // The same, second dimension.
  Column<int64_t> block_y;
  // The same, third dimension.
  Column<int64_t> block_z;
  // Registers per thread.
  Column<int64_t> registers;
  // Shared memory of a block.
  Column<int64_t> shared_bytes;
  // Blocks of the grid per multiprocessor, as the producer computed it.
  Column<double> blocks_per_sm;
  // Warps of the grid per multiprocessor, as the producer computed it.
  Column<double> warps_per_sm;
  // Estimated achieved occupancy, as the producer computed it.
  Column<double> occupancy_percent;
  // What keeps more blocks from running on a multiprocessor, as a sum of 1 warps, 2 registers, 4 shared
  // memory, 8 blocks, 16 barriers (OccupancyLimit).
  Column<int32_t> limited_by;

  size_t size() const { return grid_x.size(); }
  int32_t limited_by_of(uint32_t row) const { return limited_by.empty() ? columns::limited_by.missing : limited_by[row]; }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const KernelShapeRow& row) {
    grid_y.push_back(row.grid_y);
    grid_z.push_back(row.grid_z);
    block_x.push_back(row.block_x);
    block_y.push_back(row.block_y);
    block_z.push_back(row.block_z);
    registers.push_back(row.registers);
    shared_bytes.push_back(row.shared_bytes);
    blocks_per_sm.push_back(row.blocks_per_sm);
    warps_per_sm.push_back(row.warps_per_sm);
    occupancy_percent.push_back(row.occupancy_percent);
    add_if_any(limited_by, row.limited_by, columns::limited_by, size());
    grid_x.push_back(row.grid_x);
    return static_cast<uint32_t>(size() - 1);
  }

  KernelShapeRow row(uint32_t i) const {
    return {
        .grid_x = grid_x[i],
        .grid_y = grid_y[i],
        .grid_z = grid_z[i],
        .block_x = block_x[i],
        .block_y = block_y[i],
        .block_z = block_z[i],
        .registers = registers[i],
        .shared_bytes = shared_bytes[i],
        .blocks_per_sm = blocks_per_sm[i],
        .warps_per_sm = warps_per_sm[i],
        .occupancy_percent = occupancy_percent[i],
        .limited_by = limited_by_of(i),
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.grid_x);
    visit(row.grid_y);
    visit(row.grid_z);
    visit(row.block_x);
    visit(row.block_y);
    visit(row.block_z);
    visit(row.registers);
    visit(row.shared_bytes);
    visit(row.blocks_per_sm);
    visit(row.warps_per_sm);
    visit(row.occupancy_percent);
    visit(row.limited_by);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> grid_x = {
        1, "grid_x", Similarity::kNone, Filled::kRead, true, -1,
        "Blocks of the grid."};
    static constexpr ColumnDecl<int64_t> grid_y = {
        2, "grid_y", Similarity::kNone, Filled::kRead, true, -1,
        "The same, second dimension."};
    static constexpr ColumnDecl<int64_t> grid_z = {
        3, "grid_z", Similarity::kNone, Filled::kRead, true, -1,
        "The same, third dimension."};
    static constexpr ColumnDecl<int64_t> block_x = {
        4, "block_x", Similarity::kNone, Filled::kRead, true, -1,
        "Threads of a block."};
    static constexpr ColumnDecl<int64_t> block_y = {
        5, "block_y", Similarity::kNone, Filled::kRead, true, -1,
        "The same, second dimension."};
    static constexpr ColumnDecl<int64_t> block_z = {
        6, "block_z", Similarity::kNone, Filled::kRead, true, -1,
        "The same, third dimension."};
    static constexpr ColumnDecl<int64_t> registers = {
        7, "registers", Similarity::kNone, Filled::kRead, true, -1,
        "Registers per thread."};
    static constexpr ColumnDecl<int64_t> shared_bytes = {
        8, "shared_bytes", Similarity::kNone, Filled::kRead, true, -1,
        "Shared memory of a block."};
    static constexpr ColumnDecl<double> blocks_per_sm = {
        9, "blocks_per_sm", Similarity::kNone, Filled::kRead, true, -1,
        "Blocks of the grid per multiprocessor, as the producer computed it."};
    static constexpr ColumnDecl<double> warps_per_sm = {
        10, "warps_per_sm", Similarity::kNone, Filled::kRead, true, -1,
        "Warps of the grid per multiprocessor, as the producer computed it."};
    static constexpr ColumnDecl<double> occupancy_percent = {
        11, "occupancy_percent", Similarity::kNone, Filled::kRead, true, -1,
        "Estimated achieved occupancy, as the producer computed it."};
    static constexpr ColumnDecl<int32_t> limited_by = {
        12, "limited_by", Similarity::kNone, Filled::kIfAny, true, -1,
        "What keeps more blocks from running on a multiprocessor, as a sum of 1 warps, 2 registers, 4 shared memory, 8 blocks, 16 barriers (OccupancyLimit)."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::grid_x, tables.grid_x...);
    visit(columns::grid_y, tables.grid_y...);
    visit(columns::grid_z, tables.grid_z...);
    visit(columns::block_x, tables.block_x...);
    visit(columns::block_y, tables.block_y...);
    visit(columns::block_z, tables.block_z...);
    visit(columns::registers, tables.registers...);
    visit(columns::shared_bytes, tables.shared_bytes...);
    visit(columns::blocks_per_sm, tables.blocks_per_sm...);
    visit(columns::warps_per_sm, tables.warps_per_sm...);
    visit(columns::occupancy_percent, tables.occupancy_percent...);
    visit(columns::limited_by, tables.limited_by...);
  }
};

// What a reader says of a row of syncs; what it leaves out is not known.
struct SyncRow {
  SliceId slice = {};
  StringId kind = {};
  uint64_t correlation = kNoCorrelation;
  int64_t device = -1;
  int64_t stream = -1;
  int64_t awaited_stream = -1;
  uint64_t awaited_record = kNoCorrelation;
  int64_t event_id = -1;

  bool operator==(const SyncRow&) const = default;
};

// Waiting for a device, and events recorded on it: slices of category sync and cuda_event, ordered by slice.
// One that the file says nothing more about has no row.
struct SyncTable {
  // Its slice.
  Column<SliceId> slice;
  // As the producer names it: Context Sync, Stream Sync, Event Sync, Stream Wait Event, …
  Column<StringId> kind;
  // The number of the call that asked for it.
  Column<uint64_t> correlation;
  // The device's number.
  Column<int64_t> device;
  // The stream that waits, or on which the event is recorded; none: the host waits for all.
  Column<int64_t> stream;
  // The stream on which the awaited event was recorded.
  Column<int64_t> awaited_stream;
  // The number of the call that recorded the awaited event.
  Column<uint64_t> awaited_record;
  // The number of the event that is awaited or recorded.
  Column<int64_t> event_id;

  size_t size() const { return slice.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const SyncRow& row) {
    kind.push_back(row.kind);
    correlation.push_back(row.correlation);
    device.push_back(row.device);
    stream.push_back(row.stream);
    awaited_stream.push_back(row.awaited_stream);
    awaited_record.push_back(row.awaited_record);
    event_id.push_back(row.event_id);
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  SyncRow row(uint32_t i) const {
    return {
        .slice = slice[i],
        .kind = kind[i],
        .correlation = correlation[i],
        .device = device[i],
        .stream = stream[i],
        .awaited_stream = awaited_stream[i],
        .awaited_record = awaited_record[i],
        .event_id = event_id[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.slice);
    visit(row.kind);
    visit(row.correlation);
    visit(row.device);
    visit(row.stream);
    visit(row.awaited_stream);
    visit(row.awaited_record);
    visit(row.event_id);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNear, Filled::kRead, false, {},
        "Its slice."};
    static constexpr ColumnDecl<StringId> kind = {
        2, "kind", Similarity::kNone, Filled::kRead, true, {},
        "As the producer names it: Context Sync, Stream Sync, Event Sync, Stream Wait Event, …"};
    static constexpr ColumnDecl<uint64_t> correlation = {
        3, "correlation", Similarity::kNear, Filled::kRead, true, kNoCorrelation,
        "The number of the call that asked for it."};
    static constexpr ColumnDecl<int64_t> device = {
        4, "device", Similarity::kNone, Filled::kRead, true, -1,
        "The device's number."};
    static constexpr ColumnDecl<int64_t> stream = {
        5, "stream", Similarity::kNone, Filled::kRead, true, -1,
        "The stream that waits, or on which the event is recorded; none: the host waits for all."};
    static constexpr ColumnDecl<int64_t> awaited_stream = {
        6, "awaited_stream", Similarity::kNone, Filled::kRead, true, -1,
        "The stream on which the awaited event was recorded."};
    static constexpr ColumnDecl<uint64_t> awaited_record = {
        7, "awaited_record", Similarity::kNone, Filled::kRead, true, kNoCorrelation,
        "The number of the call that recorded the awaited event."};
    static constexpr ColumnDecl<int64_t> event_id = {
        8, "event_id", Similarity::kNone, Filled::kRead, true, -1,
        "The number of the event that is awaited or recorded."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::slice, tables.slice...);
    visit(columns::kind, tables.kind...);
    visit(columns::correlation, tables.correlation...);
    visit(columns::device, tables.device...);
    visit(columns::stream, tables.stream...);
    visit(columns::awaited_stream, tables.awaited_stream...);
    visit(columns::awaited_record, tables.awaited_record...);
    visit(columns::event_id, tables.event_id...);
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
  StringId group_description = {};
  int64_t sequence = -1;
  StringId comms_id = {};
  int64_t rank = -1;
  int64_t source_rank = -1;
  int64_t target_rank = -1;
  StringId in_split = {};
  StringId out_split = {};
  int64_t first_global_rank = -1;
  int64_t global_rank_stride = -1;
  int32_t is_async = -1;

  bool operator==(const CollectiveRow&) const = default;
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
  // What the process group is for, as the program named it.
  Column<StringId> group_description;
  // Number of the collective in its process group, the same on all ranks.
  Column<int64_t> sequence;
  // What torch calls the communication in all its ranks; text as written.
  Column<StringId> comms_id;
  // The rank that says so.
  Column<int64_t> rank;
  // The rank from which it comes, point to point.
  Column<int64_t> source_rank;
  // The rank to which it goes, point to point.
  Column<int64_t> target_rank;
  // How the input is split among ranks, text as written.
  Column<StringId> in_split;
  // How the output is split among ranks, text as written.
  Column<StringId> out_split;
  // Ranks of the process group, if they are evenly spaced: the first.
  Column<int64_t> first_global_rank;
  // And from one to the next.
  Column<int64_t> global_rank_stride;
  // 1 if the caller does not wait for it, 0 if it does.
  Column<int32_t> is_async;

  size_t size() const { return slice.size(); }
  StringId group_description_of(uint32_t row) const { return group_description.empty() ? columns::group_description.missing : group_description[row]; }
  int64_t sequence_of(uint32_t row) const { return sequence.empty() ? columns::sequence.missing : sequence[row]; }
  StringId comms_id_of(uint32_t row) const { return comms_id.empty() ? columns::comms_id.missing : comms_id[row]; }
  int64_t rank_of(uint32_t row) const { return rank.empty() ? columns::rank.missing : rank[row]; }
  int64_t source_rank_of(uint32_t row) const { return source_rank.empty() ? columns::source_rank.missing : source_rank[row]; }
  int64_t target_rank_of(uint32_t row) const { return target_rank.empty() ? columns::target_rank.missing : target_rank[row]; }
  StringId in_split_of(uint32_t row) const { return in_split.empty() ? columns::in_split.missing : in_split[row]; }
  StringId out_split_of(uint32_t row) const { return out_split.empty() ? columns::out_split.missing : out_split[row]; }
  int64_t first_global_rank_of(uint32_t row) const { return first_global_rank.empty() ? columns::first_global_rank.missing : first_global_rank[row]; }
  int64_t global_rank_stride_of(uint32_t row) const { return global_rank_stride.empty() ? columns::global_rank_stride.missing : global_rank_stride[row]; }
  int32_t is_async_of(uint32_t row) const { return is_async.empty() ? columns::is_async.missing : is_async[row]; }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const CollectiveRow& row) {
    name.push_back(row.name);
    dtype.push_back(row.dtype);
    group_name.push_back(row.group_name);
    group_ranks.push_back(row.group_ranks);
    in_elements.push_back(row.in_elements);
    out_elements.push_back(row.out_elements);
    group_size.push_back(row.group_size);
    add_if_any(group_description, row.group_description, columns::group_description, size());
    add_if_any(sequence, row.sequence, columns::sequence, size());
    add_if_any(comms_id, row.comms_id, columns::comms_id, size());
    add_if_any(rank, row.rank, columns::rank, size());
    add_if_any(source_rank, row.source_rank, columns::source_rank, size());
    add_if_any(target_rank, row.target_rank, columns::target_rank, size());
    add_if_any(in_split, row.in_split, columns::in_split, size());
    add_if_any(out_split, row.out_split, columns::out_split, size());
    add_if_any(first_global_rank, row.first_global_rank, columns::first_global_rank, size());
    add_if_any(global_rank_stride, row.global_rank_stride, columns::global_rank_stride, size());
    add_if_any(is_async, row.is_async, columns::is_async, size());
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  CollectiveRow row(uint32_t i) const {
    return {
        .slice = slice[i],
        .name = name[i],
        .dtype = dtype[i],
        .group_name = group_name[i],
        .group_ranks = group_ranks[i],
        .in_elements = in_elements[i],
        .out_elements = out_elements[i],
        .group_size = group_size[i],
        .group_description = group_description_of(i),
        .sequence = sequence_of(i),
        .comms_id = comms_id_of(i),
        .rank = rank_of(i),
        .source_rank = source_rank_of(i),
        .target_rank = target_rank_of(i),
        .in_split = in_split_of(i),
        .out_split = out_split_of(i),
        .first_global_rank = first_global_rank_of(i),
        .global_rank_stride = global_rank_stride_of(i),
        .is_async = is_async_of(i),
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.slice);
    visit(row.name);
    visit(row.dtype);
    visit(row.group_name);
    visit(row.group_ranks);
    visit(row.in_elements);
    visit(row.out_elements);
    visit(row.group_size);
    visit(row.group_description);
    visit(row.sequence);
    visit(row.comms_id);
    visit(row.rank);
    visit(row.source_rank);
    visit(row.target_rank);
    visit(row.in_split);
    visit(row.out_split);
    visit(row.first_global_rank);
    visit(row.global_rank_stride);
    visit(row.is_async);
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
        6, "in_elements", Similarity::kNone, Filled::kRead, true, -1,
        "Number of elements that go in."};
    static constexpr ColumnDecl<int64_t> out_elements = {
        7, "out_elements", Similarity::kNone, Filled::kRead, true, -1,
        "Number of elements that come out."};
    static constexpr ColumnDecl<int64_t> group_size = {
        8, "group_size", Similarity::kNone, Filled::kRead, true, -1,
        "Number of ranks in the process group."};
    static constexpr ColumnDecl<StringId> group_description = {
        9, "group_description", Similarity::kNone, Filled::kIfAny, true, {},
        "What the process group is for, as the program named it."};
    static constexpr ColumnDecl<int64_t> sequence = {
        10, "sequence", Similarity::kNear, Filled::kIfAny, true, -1,
        "Number of the collective in its process group, the same on all ranks."};
    static constexpr ColumnDecl<StringId> comms_id = {
        11, "comms_id", Similarity::kNone, Filled::kIfAny, true, {},
        "What torch calls the communication in all its ranks; text as written."};
    static constexpr ColumnDecl<int64_t> rank = {
        12, "rank", Similarity::kNone, Filled::kIfAny, true, -1,
        "The rank that says so."};
    static constexpr ColumnDecl<int64_t> source_rank = {
        13, "source_rank", Similarity::kNone, Filled::kIfAny, true, -1,
        "The rank from which it comes, point to point."};
    static constexpr ColumnDecl<int64_t> target_rank = {
        14, "target_rank", Similarity::kNone, Filled::kIfAny, true, -1,
        "The rank to which it goes, point to point."};
    static constexpr ColumnDecl<StringId> in_split = {
        15, "in_split", Similarity::kNone, Filled::kIfAny, true, {},
        "How the input is split among ranks, text as written."};
    static constexpr ColumnDecl<StringId> out_split = {
        16, "out_split", Similarity::kNone, Filled::kIfAny, true, {},
        "How the output is split among ranks, text as written."};
    static constexpr ColumnDecl<int64_t> first_global_rank = {
        17, "first_global_rank", Similarity::kNone, Filled::kIfAny, true, -1,
        "Ranks of the process group, if they are evenly spaced: the first."};
    static constexpr ColumnDecl<int64_t> global_rank_stride = {
        18, "global_rank_stride", Similarity::kNone, Filled::kIfAny, true, -1,
        "And from one to the next."};
    static constexpr ColumnDecl<int32_t> is_async = {
        19, "is_async", Similarity::kNone, Filled::kIfAny, true, -1,
        "1 if the caller does not wait for it, 0 if it does."};
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
    visit(columns::group_description, tables.group_description...);
    visit(columns::sequence, tables.sequence...);
    visit(columns::comms_id, tables.comms_id...);
    visit(columns::rank, tables.rank...);
    visit(columns::source_rank, tables.source_rank...);
    visit(columns::target_rank, tables.target_rank...);
    visit(columns::in_split, tables.in_split...);
    visit(columns::out_split, tables.out_split...);
    visit(columns::first_global_rank, tables.first_global_rank...);
    visit(columns::global_rank_stride, tables.global_rank_stride...);
    visit(columns::is_async, tables.is_async...);
  }
};

// What a reader says of a row of compiled_calls; what it leaves out is not known.
struct CompiledCallRow {
  SliceId slice = {};
  StringId kernel_name = {};
  StringId kernel_file = {};
  StringId kernel_hash = {};
  StringId backend = {};
  StringId kwargs = {};
  StringId grid = {};
  int64_t stream = -1;
  int64_t num_warps = -1;
  int64_t num_stages = -1;

  bool operator==(const CompiledCallRow&) const = default;
};

// Calls of compiled kernels (Triton and others), as torch describes them at their operators; ordered by
// slice.
struct CompiledCallTable {
  // The operator's slice.
  Column<SliceId> slice;
  // Name of the kernel.
  Column<StringId> kernel_name;
  // The file that holds its source.
  Column<StringId> kernel_file;
  // Of its source, as the compiler's cache names it.
  Column<StringId> kernel_hash;
  // What compiled it: triton, …
  Column<StringId> backend;
  // What it was specialised with: XBLOCK=2,R0_BLOCK=2048.
  Column<StringId> kwargs;
  // How it was launched, text as written.
  Column<StringId> grid;
  // The stream's number.
  Column<int64_t> stream;
  // Warps per block.
  Column<int64_t> num_warps;
  // Stages of its pipeline.
  Column<int64_t> num_stages;

  size_t size() const { return slice.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const CompiledCallRow& row) {
    kernel_name.push_back(row.kernel_name);
    kernel_file.push_back(row.kernel_file);
    kernel_hash.push_back(row.kernel_hash);
    backend.push_back(row.backend);
    kwargs.push_back(row.kwargs);
    grid.push_back(row.grid);
    stream.push_back(row.stream);
    num_warps.push_back(row.num_warps);
    num_stages.push_back(row.num_stages);
    slice.push_back(row.slice);
    return static_cast<uint32_t>(size() - 1);
  }

  CompiledCallRow row(uint32_t i) const {
    return {
        .slice = slice[i],
        .kernel_name = kernel_name[i],
        .kernel_file = kernel_file[i],
        .kernel_hash = kernel_hash[i],
        .backend = backend[i],
        .kwargs = kwargs[i],
        .grid = grid[i],
        .stream = stream[i],
        .num_warps = num_warps[i],
        .num_stages = num_stages[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.slice);
    visit(row.kernel_name);
    visit(row.kernel_file);
    visit(row.kernel_hash);
    visit(row.backend);
    visit(row.kwargs);
    visit(row.grid);
    visit(row.stream);
    visit(row.num_warps);
    visit(row.num_stages);
  }

  struct columns {
    static constexpr ColumnDecl<SliceId> slice = {
        1, "slice", Similarity::kNear, Filled::kRead, false, {},
        "The operator's slice."};
    static constexpr ColumnDecl<StringId> kernel_name = {
        2, "kernel_name", Similarity::kNone, Filled::kRead, true, {},
        "Name of the kernel."};
    static constexpr ColumnDecl<StringId> kernel_file = {
        3, "kernel_file", Similarity::kNone, Filled::kRead, true, {},
        "The file that holds its source."};
    static constexpr ColumnDecl<StringId> kernel_hash = {
        4, "kernel_hash", Similarity::kNone, Filled::kRead, true, {},
        "Of its source, as the compiler's cache names it."};
    static constexpr ColumnDecl<StringId> backend = {
        5, "backend", Similarity::kNone, Filled::kRead, true, {},
        "What compiled it: triton, …"};
    static constexpr ColumnDecl<StringId> kwargs = {
        6, "kwargs", Similarity::kNone, Filled::kRead, true, {},
        "What it was specialised with: XBLOCK=2,R0_BLOCK=2048."};
    static constexpr ColumnDecl<StringId> grid = {
        7, "grid", Similarity::kNone, Filled::kRead, true, {},
        "How it was launched, text as written."};
    static constexpr ColumnDecl<int64_t> stream = {
        8, "stream", Similarity::kNone, Filled::kRead, true, -1,
        "The stream's number."};
    static constexpr ColumnDecl<int64_t> num_warps = {
        9, "num_warps", Similarity::kNone, Filled::kRead, true, -1,
        "Warps per block."};
    static constexpr ColumnDecl<int64_t> num_stages = {
        10, "num_stages", Similarity::kNone, Filled::kRead, true, -1,
        "Stages of its pipeline."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::slice, tables.slice...);
    visit(columns::kernel_name, tables.kernel_name...);
    visit(columns::kernel_file, tables.kernel_file...);
    visit(columns::kernel_hash, tables.kernel_hash...);
    visit(columns::backend, tables.backend...);
    visit(columns::kwargs, tables.kwargs...);
    visit(columns::grid, tables.grid...);
    visit(columns::stream, tables.stream...);
    visit(columns::num_warps, tables.num_warps...);
    visit(columns::num_stages, tables.num_stages...);
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

  bool operator==(const MemoryRow&) const = default;
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

  MemoryRow row(uint32_t i) const {
    return {
        .time_ns = time_ns[i],
        .track = track[i],
        .address = address[i],
        .bytes = bytes[i],
        .total_allocated = total_allocated[i],
        .total_reserved = total_reserved[i],
        .device_type = device_type[i],
        .device_id = device_id[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.time_ns);
    visit(row.track);
    visit(row.address);
    visit(row.bytes);
    visit(row.total_allocated);
    visit(row.total_reserved);
    visit(row.device_type);
    visit(row.device_id);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> time_ns = {
        1, "time_ns", Similarity::kNearSplit, Filled::kRead, false, {},
        "When."};
    static constexpr ColumnDecl<TrackId> track = {
        2, "track", Similarity::kNone, Filled::kRead, false, {},
        "The thread on which it happened."};
    static constexpr ColumnDecl<uint64_t> address = {
        3, "address", Similarity::kNear, Filled::kRead, true, 0,
        "Of the block."};
    static constexpr ColumnDecl<int64_t> bytes = {
        4, "bytes", Similarity::kNone, Filled::kRead, false, {},
        "How much was allocated; negative: freed."};
    static constexpr ColumnDecl<int64_t> total_allocated = {
        5, "total_allocated", Similarity::kNear, Filled::kRead, true, kUnknownBytes,
        "Allocated on the device afterwards."};
    static constexpr ColumnDecl<int64_t> total_reserved = {
        6, "total_reserved", Similarity::kNear, Filled::kRead, true, kUnknownBytes,
        "Reserved by the allocator afterwards."};
    static constexpr ColumnDecl<int32_t> device_type = {
        7, "device_type", Similarity::kNone, Filled::kRead, true, -1,
        "c10's code: 0 CPU, 1 CUDA, …"};
    static constexpr ColumnDecl<int32_t> device_id = {
        8, "device_id", Similarity::kNone, Filled::kRead, true, -1,
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

  bool operator==(const TensorRow&) const = default;
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

  TensorRow row(uint32_t i) const {
    return {
        .role = role[i],
        .name = name[i],
        .module = module[i],
        .dims = dims[i],
        .address = address[i],
        .bytes = bytes[i],
        .time_ns = time_ns[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.role);
    visit(row.name);
    visit(row.module);
    visit(row.dims);
    visit(row.address);
    visit(row.bytes);
    visit(row.time_ns);
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

  bool operator==(const CounterRow&) const = default;
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

  CounterRow row(uint32_t i) const {
    return {
        .time_ns = time_ns[i],
        .track = track[i],
        .name = name[i],
        .key = key[i],
        .value = value[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.time_ns);
    visit(row.track);
    visit(row.name);
    visit(row.key);
    visit(row.value);
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

  bool operator==(const FrameRow&) const = default;
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

  FrameRow row(uint32_t i) const {
    return {
        .file = file[i],
        .function = function[i],
        .line = line[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.file);
    visit(row.function);
    visit(row.line);
  }

  struct columns {
    static constexpr ColumnDecl<StringId> file = {
        1, "file", Similarity::kNone, Filled::kRead, true, {},
        "Path as Python knows it."};
    static constexpr ColumnDecl<StringId> function = {
        2, "function", Similarity::kNone, Filled::kRead, true, {},
        "Name of the function."};
    static constexpr ColumnDecl<int32_t> line = {
        3, "line", Similarity::kNone, Filled::kRead, true, 0,
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

  bool operator==(const StackRow&) const = default;
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

  StackRow row(uint32_t i) const {
    return {
        .parent = parent[i],
        .frame = frame[i],
        .module = module[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.parent);
    visit(row.frame);
    visit(row.module);
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

  bool operator==(const ModuleRow&) const = default;
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

  ModuleRow row(uint32_t i) const {
    return {
        .name = name[i],
        .class_name = class_name[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.name);
    visit(row.class_name);
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

// What a reader says of a row of samples; what it leaves out is not known.
struct SampleRow {
  int64_t time_ns = {};
  TrackId track = {};
  StackId stack = {};

  bool operator==(const SampleRow&) const = default;
};

// Where threads stood in Python, now and then, in the order of time for each thread.
struct SampleTable {
  // When.
  Column<int64_t> time_ns;
  // The thread.
  Column<TrackId> track;
  // Its Python stack; none: it ran no Python.
  Column<StackId> stack;

  size_t size() const { return time_ns.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const SampleRow& row) {
    track.push_back(row.track);
    stack.push_back(row.stack);
    time_ns.push_back(row.time_ns);
    return static_cast<uint32_t>(size() - 1);
  }

  SampleRow row(uint32_t i) const {
    return {
        .time_ns = time_ns[i],
        .track = track[i],
        .stack = stack[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.time_ns);
    visit(row.track);
    visit(row.stack);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> time_ns = {
        1, "time_ns", Similarity::kNearSplit, Filled::kRead, false, {},
        "When."};
    static constexpr ColumnDecl<TrackId> track = {
        2, "track", Similarity::kNone, Filled::kRead, false, {},
        "The thread."};
    static constexpr ColumnDecl<StackId> stack = {
        3, "stack", Similarity::kNone, Filled::kRead, true, {},
        "Its Python stack; none: it ran no Python."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::time_ns, tables.time_ns...);
    visit(columns::track, tables.track...);
    visit(columns::stack, tables.stack...);
  }
};

// What a reader says of a row of gc_pauses; what it leaves out is not known.
struct GcPauseRow {
  int64_t start_ns = {};
  int64_t dur_ns = {};
  TrackId track = {};
  int32_t generation = -1;
  int64_t collected = -1;

  bool operator==(const GcPauseRow&) const = default;
};

// Runs of Python's garbage collector, for which all threads wait.
struct GcPauseTable {
  // When it begins.
  Column<int64_t> start_ns;
  // How long it takes; not negative.
  Column<int64_t> dur_ns;
  // The thread on which it ran.
  Column<TrackId> track;
  // The oldest generation that was collected.
  Column<int32_t> generation;
  // How many objects were freed.
  Column<int64_t> collected;

  size_t size() const { return start_ns.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const GcPauseRow& row) {
    dur_ns.push_back(row.dur_ns);
    track.push_back(row.track);
    generation.push_back(row.generation);
    collected.push_back(row.collected);
    start_ns.push_back(row.start_ns);
    return static_cast<uint32_t>(size() - 1);
  }

  GcPauseRow row(uint32_t i) const {
    return {
        .start_ns = start_ns[i],
        .dur_ns = dur_ns[i],
        .track = track[i],
        .generation = generation[i],
        .collected = collected[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.start_ns);
    visit(row.dur_ns);
    visit(row.track);
    visit(row.generation);
    visit(row.collected);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> start_ns = {
        1, "start_ns", Similarity::kNearSplit, Filled::kRead, false, {},
        "When it begins."};
    static constexpr ColumnDecl<int64_t> dur_ns = {
        2, "dur_ns", Similarity::kSplit, Filled::kRead, false, {},
        "How long it takes; not negative."};
    static constexpr ColumnDecl<TrackId> track = {
        3, "track", Similarity::kNone, Filled::kRead, false, {},
        "The thread on which it ran."};
    static constexpr ColumnDecl<int32_t> generation = {
        4, "generation", Similarity::kNone, Filled::kRead, true, -1,
        "The oldest generation that was collected."};
    static constexpr ColumnDecl<int64_t> collected = {
        5, "collected", Similarity::kNone, Filled::kRead, true, -1,
        "How many objects were freed."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::start_ns, tables.start_ns...);
    visit(columns::dur_ns, tables.dur_ns...);
    visit(columns::track, tables.track...);
    visit(columns::generation, tables.generation...);
    visit(columns::collected, tables.collected...);
  }
};

// What a reader says of a row of processes; what it leaves out is not known.
struct ProcessRow {
  int64_t pid = -1;
  StringId name = {};
  int64_t rank = -1;
  int64_t parent_pid = -1;
  StringId role = {};

  bool operator==(const ProcessRow&) const = default;
};

// Processes that took part: the one that was recorded, and those it started.
struct ProcessTable {
  // The system's number.
  Column<int64_t> pid;
  // As the program or the system names it.
  Column<StringId> name;
  // Its rank in the job.
  Column<int64_t> rank;
  // The number of the process that started it.
  Column<int64_t> parent_pid;
  // What it does there: trainer, DataLoader worker, …
  Column<StringId> role;

  size_t size() const { return pid.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const ProcessRow& row) {
    name.push_back(row.name);
    rank.push_back(row.rank);
    parent_pid.push_back(row.parent_pid);
    role.push_back(row.role);
    pid.push_back(row.pid);
    return static_cast<uint32_t>(size() - 1);
  }

  ProcessRow row(uint32_t i) const {
    return {
        .pid = pid[i],
        .name = name[i],
        .rank = rank[i],
        .parent_pid = parent_pid[i],
        .role = role[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.pid);
    visit(row.name);
    visit(row.rank);
    visit(row.parent_pid);
    visit(row.role);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> pid = {
        1, "pid", Similarity::kNone, Filled::kRead, true, -1,
        "The system's number."};
    static constexpr ColumnDecl<StringId> name = {
        2, "name", Similarity::kNone, Filled::kRead, true, {},
        "As the program or the system names it."};
    static constexpr ColumnDecl<int64_t> rank = {
        3, "rank", Similarity::kNone, Filled::kRead, true, -1,
        "Its rank in the job."};
    static constexpr ColumnDecl<int64_t> parent_pid = {
        4, "parent_pid", Similarity::kNone, Filled::kRead, true, -1,
        "The number of the process that started it."};
    static constexpr ColumnDecl<StringId> role = {
        5, "role", Similarity::kNone, Filled::kRead, true, {},
        "What it does there: trainer, DataLoader worker, …"};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::pid, tables.pid...);
    visit(columns::name, tables.name...);
    visit(columns::rank, tables.rank...);
    visit(columns::parent_pid, tables.parent_pid...);
    visit(columns::role, tables.role...);
  }
};

// What a reader says of a row of settings; what it leaves out is not known.
struct SettingRow {
  StringId key = {};
  StringId value = {};

  bool operator==(const SettingRow&) const = default;
};

// What the run was set to: switches of torch, variables of the environment, options of the loader.
struct SettingTable {
  // Dotted name.
  Column<StringId> key;
  // As text.
  Column<StringId> value;

  size_t size() const { return key.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const SettingRow& row) {
    value.push_back(row.value);
    key.push_back(row.key);
    return static_cast<uint32_t>(size() - 1);
  }

  SettingRow row(uint32_t i) const {
    return {
        .key = key[i],
        .value = value[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.key);
    visit(row.value);
  }

  struct columns {
    static constexpr ColumnDecl<StringId> key = {
        1, "key", Similarity::kNone, Filled::kRead, false, {},
        "Dotted name."};
    static constexpr ColumnDecl<StringId> value = {
        2, "value", Similarity::kNone, Filled::kRead, true, {},
        "As text."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::key, tables.key...);
    visit(columns::value, tables.value...);
  }
};

// What a reader says of a row of process_counters; what it leaves out is not known.
struct ProcessCounterRow {
  int64_t time_ns = {};
  ProcessId process = {};
  StringId name = {};
  double value = {};

  bool operator==(const ProcessCounterRow&) const = default;
};

// Samples of what the system counts for a process: processor time, memory, page faults, …
struct ProcessCounterTable {
  // When.
  Column<int64_t> time_ns;
  // The process.
  Column<ProcessId> process;
  // Of the counter.
  Column<StringId> name;
  // As counted.
  Column<double> value;

  size_t size() const { return time_ns.size(); }

  // The number of the new row. Frozen columns stay empty.
  uint32_t add(const ProcessCounterRow& row) {
    process.push_back(row.process);
    name.push_back(row.name);
    value.push_back(row.value);
    time_ns.push_back(row.time_ns);
    return static_cast<uint32_t>(size() - 1);
  }

  ProcessCounterRow row(uint32_t i) const {
    return {
        .time_ns = time_ns[i],
        .process = process[i],
        .name = name[i],
        .value = value[i],
    };
  }
  // visit(value) for all that a row says; `Row` may be const.
  template <typename Row, typename Visit>
  static void for_each_value(Row& row, Visit&& visit) {
    visit(row.time_ns);
    visit(row.process);
    visit(row.name);
    visit(row.value);
  }

  struct columns {
    static constexpr ColumnDecl<int64_t> time_ns = {
        1, "time_ns", Similarity::kNearSplit, Filled::kRead, false, {},
        "When."};
    static constexpr ColumnDecl<ProcessId> process = {
        2, "process", Similarity::kNone, Filled::kRead, false, {},
        "The process."};
    static constexpr ColumnDecl<StringId> name = {
        3, "name", Similarity::kNone, Filled::kRead, true, {},
        "Of the counter."};
    static constexpr ColumnDecl<double> value = {
        4, "value", Similarity::kSplit, Filled::kRead, false, {},
        "As counted."};
  };

  // visit(spec, column...) for every column, of one table or of several side by side.
  template <typename Visit, typename... Tables>
  static void for_each_column(Visit&& visit, Tables&... tables) {
    visit(columns::time_ns, tables.time_ns...);
    visit(columns::process, tables.process...);
    visit(columns::name, tables.name...);
    visit(columns::value, tables.value...);
  }
};

// visit(spec, table...) for every table of a Trace, or of several side by side.
template <typename Visit, typename... Traces>
void for_each_table(Visit&& visit, Traces&... traces) {
  visit(TableDecl{37, "slices", "Everything that has a start and a duration. Slices of one track stand together, ordered by start, the enclosing before the enclosed."}, traces.slices...);
  visit(TableDecl{38, "ops", "Operators and ranges: slices of category cpu_op and user_annotation."}, traces.ops...);
  visit(TableDecl{55, "signatures", "Types and shapes of the inputs of operators, each combination once: as written, and read into inputs."}, traces.signatures...);
  visit(TableDecl{56, "inputs", "Inputs of signatures, in the order of the arguments; a list of tensors has a row for each."}, traces.inputs...);
  visit(TableDecl{57, "input_sizes", "Dimensions of inputs, outermost first."}, traces.input_sizes...);
  visit(TableDecl{39, "pythons", "Python frames and nn.Module calls: slices of category python_function."}, traces.pythons...);
  visit(TableDecl{40, "launches", "Runtime and driver calls of the host: slices of category runtime and driver."}, traces.launches...);
  visit(TableDecl{41, "activities", "Work on a device: slices of category kernel, memcpy, memset and device_other."}, traces.activities...);
  visit(TableDecl{54, "kernel_shapes", "How kernels were launched, each combination once."}, traces.kernel_shapes...);
  visit(TableDecl{58, "syncs", "Waiting for a device, and events recorded on it: slices of category sync and cuda_event, ordered by slice. One that the file says nothing more about has no row."}, traces.syncs...);
  visit(TableDecl{42, "collectives", "What c10d says about a collective, on its op and on its kernels."}, traces.collectives...);
  visit(TableDecl{59, "compiled_calls", "Calls of compiled kernels (Triton and others), as torch describes them at their operators; ordered by slice."}, traces.compiled_calls...);
  visit(TableDecl{43, "memory", "Allocations and frees, in file order."}, traces.memory...);
  visit(TableDecl{53, "tensors", "Tensors that outlive operators, as the program named them while they lived, in file order. One storage may have several names (tied weights), and a tensor may be told of many times."}, traces.tensors...);
  visit(TableDecl{44, "counters", "Samples of counters, in file order; one row per key of the event."}, traces.counters...);
  visit(TableDecl{48, "frames", "Lines of Python code that stacks pass through."}, traces.frames...);
  visit(TableDecl{49, "stacks", "Python stacks as a tree: a stack is its innermost frame and the stack around it, which stands before it."}, traces.stacks...);
  visit(TableDecl{50, "modules", "Instances of nn.Module."}, traces.modules...);
  visit(TableDecl{60, "samples", "Where threads stood in Python, now and then, in the order of time for each thread."}, traces.samples...);
  visit(TableDecl{61, "gc_pauses", "Runs of Python's garbage collector, for which all threads wait."}, traces.gc_pauses...);
  visit(TableDecl{62, "processes", "Processes that took part: the one that was recorded, and those it started."}, traces.processes...);
  visit(TableDecl{63, "settings", "What the run was set to: switches of torch, variables of the environment, options of the loader."}, traces.settings...);
  visit(TableDecl{64, "process_counters", "Samples of what the system counts for a process: processor time, memory, page faults, …"}, traces.process_counters...);
}

}  // namespace skyline
