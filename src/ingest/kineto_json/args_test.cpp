// Args that tables keep beside those of every event: what of them is read, and what stays unknown.
#include <gtest/gtest.h>

#include "ingest/ingest.h"
#include "trace/sparse_rows.h"
#include "trace/test_dump.h"

namespace skyline::ingest {
namespace {

class ArgsOf {
 public:
  // `events`: members of each event behind its phase; times are given.
  explicit ArgsOf(std::initializer_list<std::string> events, IngestOptions options = {.threads = 1}) {
    std::string text = R"({"traceEvents": [)";
    int time = 0;
    for (const std::string& event : events) {
      time += 10;
      text += (time == 10 ? "" : ", ") + std::string(R"({"ph": "X", "pid": 0, "tid": 7, "ts": )") +
              std::to_string(time) + R"(, "dur": 5, )" + event + "}";
    }
    Result<std::unique_ptr<const Trace>> read = read_trace_bytes(text + "]}", "t.json", options);
    if (!read.ok()) ADD_FAILURE() << read.error().sentence;
    trace_ = std::move(read).value();
  }

  const Trace* operator->() const { return trace_.get(); }
  std::string_view text(StringId id) const { return id.exists() ? trace_->strings[id] : "none"; }
  KernelShapeRow shape(uint32_t activity) const {
    const KernelShapeId id = trace_->activities.shape_of(activity);
    return id.exists() ? trace_->kernel_shapes.row(id.value) : KernelShapeRow();
  }

 private:
  std::unique_ptr<const Trace> trace_;
};

std::string sync(const std::string& args) {
  return R"("cat": "cuda_sync", "name": "s", "args": {)" + args + "}";
}
std::string kernel(const std::string& args) {
  return R"("cat": "kernel", "name": "k", "args": {)" + args + "}";
}
std::string op(const std::string& args) { return R"("cat": "cpu_op", "name": "o", "args": {)" + args + "}"; }

TEST(SyncArgs, SayWhoWaitsForWhat) {
  const ArgsOf trace({sync(R"("cuda_sync_kind": "Stream Wait Event", "wait_on_stream": 20, "device": 0,
                              "wait_on_cuda_event_record_corr_id": 1385, "wait_on_cuda_event_id": 19,
                              "stream": 24, "correlation": 1389, "context": 1)")});
  ASSERT_EQ(trace->syncs.size(), 1u);
  EXPECT_EQ(row_about(trace->syncs, SliceId(0)), 0u);
  const SyncRow row = trace->syncs.row(0);
  EXPECT_EQ(trace.text(row.kind), "Stream Wait Event");
  EXPECT_EQ(row, (SyncRow{.slice = SliceId(0),
                          .kind = row.kind,
                          .correlation = 1389,
                          .device = 0,
                          .stream = 24,
                          .awaited_stream = 20,
                          .awaited_record = 1385,
                          .event_id = 19}));
}

TEST(SyncArgs, WhatIsNotSaidIsUnknown) {
  const ArgsOf trace({sync(R"("cuda_sync_kind": "Context Sync", "stream": -1, "correlation": 7)"),
                      sync(R"("cuda_sync_kind": 5, "wait_on_stream": 4294967295, "wait_on_cuda_event_id": "?",
                              "wait_on_cuda_event_record_corr_id": -1)"),
                      R"("cat": "cuda_sync", "name": "bare")"});
  ASSERT_EQ(trace->syncs.size(), 2u);
  EXPECT_EQ(trace->syncs.row(0),
            (SyncRow{.slice = SliceId(0), .kind = trace->syncs.kind[0], .correlation = 7}));
  EXPECT_EQ(trace->syncs.row(1), (SyncRow{.slice = SliceId(1)}));
  EXPECT_EQ(row_about(trace->syncs, SliceId(2)), kNoRow);
}

TEST(SyncArgs, AnEventThatIsRecordedHasItsStream) {
  const ArgsOf trace(
      {R"("cat": "cuda_event", "name": "e", "args": {"stream": 7, "event_id": 3, "correlation": 4})"});
  EXPECT_EQ(trace->syncs.row(0),
            (SyncRow{.slice = SliceId(0), .correlation = 4, .stream = 7, .event_id = 3}));
}

TEST(SyncArgs, RowsFollowTheirSlices) {
  // The second sync stands on another track, and the file tells of them backwards.
  const ArgsOf trace({R"("cat": "cpu_op", "name": "o")", sync(R"("correlation": 2)"),
                      R"("cat": "xpu_sync", "name": "s", "tid": 1, "ts": 1, "args": {"correlation": 1})"});
  ASSERT_EQ(trace->syncs.size(), 2u);
  for (const uint32_t row : {0u, 1u}) {
    const SliceId slice = trace->syncs.slice[row];
    EXPECT_EQ(trace->category(slice), Category::kSync);
    EXPECT_EQ(trace->strings[trace->tracks[trace->slices.track[slice.value].value].thread],
              trace->syncs.correlation[row] == 1 ? "1" : "7");
  }
}

TEST(CollectiveArgs, SayHowRanksBelongTogether) {
  const ArgsOf trace(
      {op(R"("Collective name": "send", "Process Group Name": "1", "Process Group Description": "pp",
                            "Seq": 12, "Comms Id": 9223372036854775809, "Rank": 1, "Src Rank": 1, "Dst Rank": 2,
                            "In split size": [1, 2], "Out split size": [], "Global rank start": 0,
                            "Global rank stride": 2, "Is asynchronized op": true)"),
       op(R"("Collective name": "allreduce")")});
  const CollectiveTable& collectives = trace->collectives;
  ASSERT_EQ(collectives.size(), 2u);
  const CollectiveRow row = collectives.row(0);
  EXPECT_EQ(trace.text(row.group_description), "pp");
  EXPECT_EQ(row.sequence, 12);
  EXPECT_EQ(trace.text(row.comms_id), "9223372036854775809");
  EXPECT_EQ(row.rank, 1);
  EXPECT_EQ(row.source_rank, 1);
  EXPECT_EQ(row.target_rank, 2);
  EXPECT_EQ(trace.text(row.in_split), "[1,2]");
  EXPECT_EQ(trace.text(row.out_split), "[]");
  EXPECT_EQ(row.first_global_rank, 0);
  EXPECT_EQ(row.global_rank_stride, 2);
  EXPECT_EQ(row.is_async, 1);
  EXPECT_EQ(collectives.row(1), (CollectiveRow{.slice = collectives.slice[1], .name = collectives.name[1]}));
}

TEST(CollectiveArgs, WhatNoneSaysTakesNoColumn) {
  const ArgsOf trace({op(R"("Collective name": "allreduce")")});
  EXPECT_TRUE(trace->collectives.sequence.empty());
  EXPECT_EQ(trace->collectives.sequence_of(0), -1);
}

const std::string kShape = R"("registers per thread": 122, "shared memory": 12544, "blocks per SM": 5.925926,
  "warps per SM": 23.5, "grid": [8, 16, 5], "block": [128, 1, 2], "est. achieved occupancy %": 25)";

TEST(KernelArgs, ShapesAreKeptOnce) {
  const ArgsOf trace(
      {kernel(R"("stream": 7, )" + kShape + R"(, "correlation": 1)"),
       kernel(R"("correlation": 2, )" + kShape),
       // The same in another order.
       kernel(R"("grid": "[8,16,5]", "block": [128,1,2], "warps per SM": 23.5, "shared memory": 12544,
                                "correlation": 3, "blocks per SM": 5.925926, "registers per thread": 122,
                                "est. achieved occupancy %": 25)"),
       R"("cat": "gpu_memcpy", "name": "m", "args": {"bytes": 4})"});
  ASSERT_EQ(trace->kernel_shapes.size(), 1u);
  for (const uint32_t row : {0u, 1u, 2u}) EXPECT_EQ(trace->activities.shape[row], KernelShapeId(0));
  EXPECT_FALSE(trace->activities.shape[3].exists());
  EXPECT_EQ(trace.shape(0), (KernelShapeRow{.grid_x = 8,
                                            .grid_y = 16,
                                            .grid_z = 5,
                                            .block_x = 128,
                                            .block_y = 1,
                                            .block_z = 2,
                                            .registers = 122,
                                            .shared_bytes = 12544,
                                            .blocks_per_sm = 5.925926,
                                            .warps_per_sm = 23.5,
                                            .occupancy_percent = 25}));
}

TEST(KernelArgs, WhatLimitsOccupancyIsKeptWhereItIsSaid) {
  const ArgsOf trace(
      {kernel(kShape), kernel(R"("grid": [1, 1, 1], "occupancy": {"activeBlocksPerMultiprocessor": 2,
                 "limitingFactors": "REGS|SMEM", "blockLimitRegs": 2}, "block": [64, 1, 1])"),
       kernel(R"("occupancy": {"limitingFactors": "LATER|WARPS"})"),
       kernel(R"("occupancy": {"limitingFactors": ""})"), kernel(R"("occupancy": 7, "grid": [3, 1, 1])")});
  const auto limits = [&](uint32_t activity) {
    return trace->kernel_shapes.row(trace->activities.shape[activity].value).limited_by;
  };
  EXPECT_EQ(limits(0), -1);
  EXPECT_EQ(limits(1), 2 + 4);
  EXPECT_EQ(trace->kernel_shapes.row(trace->activities.shape[1].value).block_x, 64);
  EXPECT_EQ(limits(2), 1) << "a word that is not known says nothing";
  EXPECT_EQ(limits(3), -1);
  EXPECT_EQ(limits(4), -1);
  const ArgsOf older({kernel(kShape)});
  EXPECT_TRUE(older->kernel_shapes.limited_by.empty()) << "it takes no memory where no file says it";
}

TEST(KernelArgs, WhatIsNotANumberIsUnknown) {
  const ArgsOf trace({kernel(R"("grid": [], "block": [1], "blocks per SM": inf, "warps per SM": "inf",
                                "registers per thread": "many", "est. achieved occupancy %": 0)")});
  EXPECT_EQ(trace.shape(0), (KernelShapeRow{.block_x = 1, .occupancy_percent = 0}));
  EXPECT_EQ(trace->losses[Loss::kBadNumber].count, 0u);
}

TEST(KernelArgs, NodesOfGraphsAreKept) {
  const ArgsOf trace({kernel(R"("graph id": 0, "graph node id": 0)"),
                      kernel(R"("graph id": 3, "graph node id": 42949672963)")});
  EXPECT_EQ(trace->activities.graph_id_of(0), 0u);
  EXPECT_EQ(trace->activities.graph_id_of(1), 3u);
  EXPECT_EQ(trace->activities.graph_node_of(1), 42949672963u);
  const ArgsOf without({kernel(R"("graph id": 0)")});
  EXPECT_TRUE(without->activities.graph_id.empty());
}

TEST(CompiledArgs, SayWhichKernelAndHow) {
  const ArgsOf trace(
      {op(R"("External id": 1)"),
       op(R"j("num_warps": 8, "stream": 0, "kernel_backend": "triton", "kernel_name": "triton_red_0",
                            "kernel_kwargs": "XBLOCK=2,R0_BLOCK=2048", "num_stages": 1, "kernel_file": "/x/a.py",
                            "kernel_hash": "cmw", "grid": "grid(100,)")j"),
       op(R"("kernel_hash": "b", "kernel_kwargs": {"X": 1})")});
  ASSERT_EQ(trace->compiled_calls.size(), 2u);
  EXPECT_EQ(row_about(trace->compiled_calls, SliceId(0)), kNoRow);
  const CompiledCallRow row = trace->compiled_calls.row(row_about(trace->compiled_calls, SliceId(1)));
  EXPECT_EQ(trace.text(row.backend), "triton");
  EXPECT_EQ(trace.text(row.kernel_name), "triton_red_0");
  EXPECT_EQ(trace.text(row.kernel_file), "/x/a.py");
  EXPECT_EQ(trace.text(row.kernel_hash), "cmw");
  EXPECT_EQ(trace.text(row.kwargs), "XBLOCK=2,R0_BLOCK=2048");
  EXPECT_EQ(trace.text(row.grid), "grid(100,)");
  EXPECT_EQ(row.stream, 0);
  EXPECT_EQ(row.num_warps, 8);
  EXPECT_EQ(row.num_stages, 1);
  const CompiledCallRow other = trace->compiled_calls.row(1);
  EXPECT_EQ(trace.text(other.kwargs), R"({"X":1})");
  EXPECT_EQ(other.num_warps, -1);
}

const std::string kInputs = R"("Concrete Inputs": ["", "1e-5"], "Input type": ["float", "Scalar"],
  "Input Strides": [[3, 1], []], "Input Dims": [[2, 3], []])";

TEST(InputArgs, SignaturesAreKeptOnce) {
  const ArgsOf trace({op(R"("External id": 1, )" + kInputs + R"(, "Ev Idx": 1)"),
                      op(R"("Ev Idx": 2, )" + kInputs),
                      // The same in another order and layout, with another value.
                      op(R"("Input Dims": [[2,3],[]], "Input Strides": [[3,1],[]], "Ev Idx": 3,
                            "Input type": ["float","Scalar"], "Concrete Inputs": ["","2"])"),
                      op(R"("Ev Idx": 4)")});
  ASSERT_EQ(trace->signatures.size(), 1u);
  for (const uint32_t row : {0u, 1u, 2u}) EXPECT_EQ(trace->ops.signature[row], SignatureId(0));
  EXPECT_FALSE(trace->ops.signature[3].exists());
  EXPECT_EQ(trace.text(trace->input_dims(1)), "[[2,3],[]]");
  EXPECT_EQ(trace.text(trace->input_types(1)), R"(["float","Scalar"])");
  EXPECT_EQ(trace.text(trace->signatures.strides[0]), "[[3,1],[]]");
  EXPECT_EQ(trace.text(trace->input_dims(3)), "none");
  EXPECT_EQ(trace.text(trace->ops.concrete_inputs_of(0)), R"(["","1e-5"])");
  EXPECT_EQ(trace.text(trace->ops.concrete_inputs_of(2)), R"(["","2"])");
  EXPECT_EQ(trace.text(trace->ops.concrete_inputs_of(3)), "none");
  ASSERT_EQ(trace->inputs.size(), 2u);
  EXPECT_EQ(trace->inputs.rank[0], 2);
  EXPECT_EQ(trace->input_sizes.row(1), (InputSizeRow{.size_along = 3, .stride = 1}));
}

TEST(InputArgs, TheFirstKeyTellsStretchesApart) {
  const ArgsOf trace({op(R"("Input Dims": [], "Input type": ["float"])"),
                      op(R"("Concrete Inputs": [], "Input type": ["float"])")});
  EXPECT_EQ(trace.text(trace->input_dims(0)), "[]");
  EXPECT_EQ(trace.text(trace->input_dims(1)), "none");
  EXPECT_EQ(trace.text(trace->input_types(1)), R"(["float"])");
  EXPECT_EQ(trace.text(trace->ops.concrete_inputs_of(1)), "[]");
}

TEST(InputArgs, OfKeysThatComeTwiceTheLastCounts) {
  const ArgsOf trace({op(R"("Input Dims": [[1]], "Input type": [], "Input Dims": [[2]])")});
  EXPECT_EQ(trace.text(trace->input_dims(0)), "[[2]]");
  EXPECT_EQ(trace->losses[Loss::kRepeatedKey].count, 1u);
}

// Ids count through the file, whatever it is cut into.
TEST(InputArgs, ChunksAndThreadsChangeNothing) {
  std::vector<std::string> all;
  std::string text = R"({"traceEvents": [)";
  for (int i = 0; i < 60; ++i) {
    text += (i == 0 ? "" : ", ") + std::string(R"({"ph": "X", "pid": 0, "tid": 7, "dur": 1, "ts": )") +
            std::to_string(i) + "," +
            op(R"("Input Dims": [[)" + std::to_string(i % 7) + R"(]], "Concrete Inputs": [")" +
               (i < 30 ? "" : "x") + R"("])") +
            "}";
  }
  for (const size_t chunk_bytes : {1, 100, 1 << 20}) {
    const Result<std::unique_ptr<const Trace>> read =
        read_trace_bytes(text + "]}", "t.json", {.threads = 2, .chunk_bytes = chunk_bytes});
    ASSERT_TRUE(read.ok());
    all.push_back(text_of(*read.value()));
    EXPECT_EQ(read.value()->signatures.size(), 7u);
    EXPECT_EQ(all.back(), all.front());
  }
}

}  // namespace
}  // namespace skyline::ingest
