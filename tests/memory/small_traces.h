// Small traces that fill every table, and a larger one.
#pragma once

#include <string>

#include "ingest/ingest.h"
#include "ingest/native/stored_columns.h"
#include "ingest/native/test_recording.h"

namespace skyline::faults {

// Kineto's JSON: two steps with operators, backward operators and their arrows, launches, kernels, copies, a
// collective, Python frames and modules, memory, counters, annotations, and an event that needs mending.
inline std::string kineto_text(int steps = 2) {
  std::string events;
  int id = 0;
  const auto event = [&](const std::string& fields) {
    events += (events.empty() ? "\n{" : ",\n{") + fields + "}";
  };
  const auto slice = [&](const std::string& category, const std::string& name, int tid, int start, int dur,
                         const std::string& args = "") {
    event(R"("ph":"X","cat":")" + category + R"(","name":")" + name + R"(","pid":)" +
          (category == "kernel" || category == "gpu_memcpy" ? "0" : "77") + R"(,"tid":)" +
          std::to_string(tid) + R"(,"ts":)" + std::to_string(1000 + start) + ".125" + R"(,"dur":)" +
          std::to_string(dur) + R"(,"args":{)" + args + "}");
  };
  const auto number = [](const char* key, int value) {
    return "\"" + std::string(key) + "\": " + std::to_string(value);
  };
  event(R"("ph":"M","name":"process_name","pid":77,"tid":0,"ts":0,"args":{"name":"python"})");
  event(R"("ph":"M","name":"thread_name","pid":77,"tid":77,"ts":0,"args":{"name":"thread 77"})");
  for (int step = 0; step < steps; ++step) {
    const int at = step * 1000;
    slice("user_annotation", "ProfilerStep#" + std::to_string(step), 77, at, 990,
          number("External id", ++id));
    slice("python_function", "train.py(10): main", 77, at + 1, 980,
          R"("Python id": 1, "Python parent id": null, "Python module id": 0)");
    slice("python_function", "nn.Module: Linear_0", 77, at + 5, 300,
          R"("Python id": 2, "Python parent id": 1, "Python module id": 0)");
    for (int op = 0; op < 3; ++op) {
      const int start = at + 10 + op * 100, sequence = step * 3 + op;
      slice("cpu_op", op == 1 ? "aten::gr\\u00fcn" : "aten::linear", 77, start, 80,
            number("External id", ++id) + ", " + number("Sequence number", sequence) +
                R"(, "Fwd thread id": 0, "Input Dims": [[2, 3], []], "Input type": ["float", "Scalar"])");
      slice("cuda_runtime", "cudaLaunchKernel", 77, start + 10, 20,
            number("External id", id) + ", " + number("correlation", id));
      slice(op == 2 ? "gpu_memcpy" : "kernel", op == 2 ? "Memcpy HtoD" : "gemm_" + std::to_string(op), 7,
            start + 40, 60,
            number("External id", id) + ", " + number("correlation", id) +
                R"(, "device": 0, "stream": 7, "bytes": 4096)");
      event(R"("ph":"s","cat":"fwdbwd","name":"fwdbwd","pid":77,"tid":77,"ts":)" +
            std::to_string(1000 + start) + ".125" + R"(,"id":)" + std::to_string(sequence + 1));
      slice("cpu_op", "autograd::engine::evaluate_function: LinearBackward0", 78, at + 500 + op * 100, 90,
            number("External id", ++id) + ", " + number("Sequence number", sequence) +
                R"(, "Fwd thread id": 1)");
      event(R"("ph":"f","cat":"fwdbwd","name":"fwdbwd","pid":77,"tid":78,"bp":"e","ts":)" +
            std::to_string(1500 + at + op * 100) + ".125" + R"(,"id":)" + std::to_string(sequence + 1));
      event(
          R"("ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":77,"tid":77,"ts":)" +
          std::to_string(1020 + start) + R"(,"args":{"Addr": )" + std::to_string(4096 + op) +
          R"(, "Bytes": 400, "Total Allocated": 400, "Total Reserved": 900, "Device Type": 0, "Device Id": -1})");
      event(
          R"("ph":"i","s":"t","cat":"cpu_instant_event","name":"[memory]","pid":77,"tid":77,"ts":)" +
          std::to_string(1600 + start) + R"(,"args":{"Addr": )" + std::to_string(4096 + op) +
          R"(, "Bytes": -400, "Total Allocated": 0, "Total Reserved": 900, "Device Type": 0, "Device Id": -1})");
    }
    slice("cpu_op", "nccl:all_reduce", 77, at + 400, 50,
          number("External id", ++id) +
              R"(, "Collective name": "allreduce", "dtype": "Float", "In msg nelems": 64, "Group size": 2)");
    slice("user_annotation", "Optimizer.step#SGD.step", 77, at + 850, 100, number("External id", ++id));
    event(R"("ph":"C","name":"power","pid":0,"ts":)" + std::to_string(1100 + at) +
          R"(,"args":{"watts": 77.5})");
  }
  events +=
      ",\n{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a \"quoted\" "
      "name\",\"pid\":77,\"tid\":77,\"ts\":1950,\"dur\":2}";
  return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "A100", "totalGlobalMem": 85899345920}],)"
         R"("distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2}, "with_stack": 1,)"
         "\n\"traceEvents\": [" +
         events + "\n], \"traceName\": \"t.json\", \"baseTimeNanoseconds\": 1727367894000000000}\n";
}

// Our own recording: what JSON does not have are stacks, modules, tensors and blocks that were alive before.
inline std::string recording_bytes(int steps = 2) {
  ingest::native::TestRecording r;
  r.meta["torch.version"] = "2.13.0";
  r.losses = {{"recorder.dropped", 3}};
  const uint32_t main = r.thread(100, "main"), autograd = r.thread(101, "autograd");
  const uint32_t model = r.module("", "Net"), layer = r.module("fc", "Linear");
  const uint32_t train = r.stack(tracefile::kNoId, "/p/train.py", "main", 10);
  const uint32_t forward = r.stack(train, "/p/model.py", "forward", 5, model);
  const uint32_t linear = r.stack(forward, "/usr/lib/torch/linear.py", "forward", 100, layer);
  const uint32_t shape = r.shape("[[2, 3]]", "[\"float\"]", "[[3, 1]]");
  r.live_block(0x900, 64);
  for (int step = 0; step < steps; ++step) {
    const auto at = static_cast<uint64_t>(step) * 10'000;
    r.event(tracefile::EventKind::kUserRange, "ProfilerStep#" + std::to_string(step), main, at, 9'900);
    for (uint64_t op = 0; op < 3; ++op) {
      auto& call = r.event(tracefile::EventKind::kOp, "aten::linear", main, at + 100 + op * 1000, 800);
      call.shapes = shape;
      call.stack = linear;
      const int64_t sequence = call.sequence = static_cast<int64_t>(op) + 3 * step;
      auto& back =
          r.event(tracefile::EventKind::kBackward, "AddmmBackward0", autograd, at + 5000 + op * 1000, 700);
      back.sequence = sequence;
      back.fwd_thread = 1;
      r.memory(main, at + 200 + op * 1000, 0x1000 + op * 64, 400, tracefile::kNotSaid);
      r.memory(main, at + 8000 + op * 100, 0x1000 + op * 64, 0, tracefile::kNotSaid);
    }
    r.event(tracefile::EventKind::kOp, "c10d::allreduce_", main, at + 4000, 500).collective =
        r.collective("allreduce", 64);
  }
  r.tensor(0, "fc.weight", "fc", 0x1000, 400, 300);
  return r.bytes();
}

// Every column's bytes, every text and what was lost, as one number.
inline std::string fingerprint(const Trace& trace) {
  uint64_t sum = trace.event_count;
  const auto add = [&](std::string_view bytes) { sum = sum * 0x9e3779b97f4a7c15 + hash_bytes(bytes); };
  ingest::native::for_each_stored_column(trace, [&](const auto&, const auto&, const auto& column) {
    add({reinterpret_cast<const char*>(column.data()), column.size() * sizeof(*column.data())});
  });
  for (uint32_t i = 0; i < trace.strings.size(); ++i) add(trace.strings[StringId(i)]);
  for (const auto& [key, value] : trace.info.metadata) add(key), add(value);
  add(trace.info.producer);
  for (const LossKind& kind : kLosses) add(std::to_string(trace.losses[kind.loss].count));
  return std::to_string(trace.event_count) + " events, " + std::to_string(sum);
}

// Small pieces, so that a small trace is more than one of them.
inline ingest::IngestOptions small_pieces(unsigned threads = 1) {
  ingest::IngestOptions options;
  options.threads = threads;
  options.chunk_bytes = 2000;
  return options;
}

}  // namespace skyline::faults
