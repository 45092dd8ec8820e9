#include "report/report_entries.h"

#include <map>
#include <set>

namespace skyline::report {
namespace {

std::vector<ReportFrame> frames_of(const analyze::ProgramLines& lines,
                                   const session::ProfiledProject& project) {
  std::vector<ReportFrame> frames;
  for (const analyze::ProgramLine& line : lines)
    frames.push_back({session::in_project(line.file, project.project_root), line.line});
  return frames;
}

std::string operation_name(const Trace& trace, uint32_t op) {
  constexpr std::string_view kTorch = "aten::";
  std::string_view name = trace.slice_name(trace.ops.slice[op]);
  if (name.starts_with(kTorch)) name.remove_prefix(kTorch.size());
  return std::string(name);
}

// The operator that Python called, which the one that allocates is a part of: conv2d, not convolution.
uint32_t called_op(const Trace& trace, uint32_t op) {
  const StackId stack = trace.ops.stack_of(op);
  SliceId slice = trace.ops.slice[op];
  while (stack.exists() && trace.slices.parent[slice.value].exists()) {
    slice = trace.slices.parent[slice.value];
    if (trace.category(slice) != Category::kCpuOp) break;
    const uint32_t around = trace.slices.detail[slice.value];
    if (trace.ops.stack_of(around) != stack) break;
    op = around;
  }
  return op;
}

// Tensors of a role by name, in the order in which the program first named them; of each the newest row.
class NamedTensors {
 public:
  NamedTensors(const Trace& trace, TensorRole role) {
    for (uint32_t row = 0; row < trace.tensors.size(); ++row) {
      if (trace.tensors.role[row] != role) continue;
      const std::string_view name = trace.strings[trace.tensors.name[row]];
      const auto [entry, is_new] = rows_.insert_or_assign(name, row);
      if (is_new) order_.push_back(name);
    }
  }
  const std::vector<std::string_view>& names() const { return order_; }
  uint32_t row(std::string_view name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? kNoRow : found->second;
  }

 private:
  std::map<std::string_view, uint32_t> rows_;
  std::vector<std::string_view> order_;
};

std::vector<WeightEntry> weight_entries(const session::MemoryBreakdown& memory,
                                        const session::ProfiledProject& project) {
  const Trace& trace = memory.trace();
  analyze::ProgramStacks stacks(trace);
  std::map<std::string_view, uint32_t> made_by;  // operator by the weight's name
  for (const analyze::PeakBlock& block : memory.peak.blocks) {
    if (block.role == analyze::MemoryRole::kWeights && block.op != kNoRow)
      made_by[trace.strings[trace.tensors.name[block.tensor]]] = block.op;
  }
  const NamedTensors weights(trace, TensorRole::kWeight), gradients(trace, TensorRole::kGradient);
  std::set<uint64_t> seen;  // storages; tied weights have one
  std::vector<WeightEntry> entries;
  for (const std::string_view name : weights.names()) {
    const uint32_t row = weights.row(name), gradient = gradients.row(std::string(name) + ".grad");
    if (!seen.insert(trace.tensors.address[row]).second) continue;
    WeightEntry& entry = entries.emplace_back();
    entry.name = name;
    entry.size_bytes = trace.tensors.bytes[row];
    if (gradient != kNoRow) entry.grad_size_bytes = trace.tensors.bytes[gradient];
    entry.module = std::string(trace.strings[trace.tensors.module[row]]);
    if (const auto op = made_by.find(name); op != made_by.end())
      entry.frames = frames_of(stacks.of(trace.ops.stack_of(op->second)), project);
  }
  return entries;
}

std::vector<ActivationEntry> activation_entries(const session::MemoryBreakdown& memory,
                                                const session::ProfiledProject& project) {
  const Trace& trace = memory.trace();
  analyze::ProgramStacks stacks(trace);
  std::map<uint32_t, size_t> numbers;  // by operator: which entry
  std::vector<ActivationEntry> entries;
  for (const analyze::PeakBlock& block : memory.peak.blocks) {
    if (block.role != analyze::MemoryRole::kActivations || block.op == kNoRow) continue;
    const uint32_t op = called_op(trace, block.op);
    const auto [known, is_new] = numbers.try_emplace(op, entries.size());
    if (is_new) {
      entries.push_back({.operation_name = operation_name(trace, op),
                         .frames = frames_of(stacks.of(trace.ops.stack_of(block.op)), project)});
      if (trace.ops.module_of(block.op).exists())
        entries.back().module = std::string(analyze::module_of(trace, block));
    }
    entries[known->second].size_bytes += block.bytes;
  }
  return entries;
}

// A name only once: parts that the model does not hold have none of their own.
template <typename Tree>
std::vector<ReportContext::Module> modules_in(const Tree& tree) {
  std::vector<ReportContext::Module> modules;
  std::set<std::string_view> seen;
  for (size_t i = 1; i < tree.size(); ++i) {  // the first is the whole
    if (seen.insert(tree[i].name).second) modules.push_back({tree[i].name, tree[i].class_name});
  }
  return modules;
}

}  // namespace

std::vector<TimeEntry> time_entries(const session::ProfileResult& result,
                                    const session::ProfiledProject& project) {
  std::vector<TimeEntry> entries;
  if (result.time == nullptr) return entries;
  const Trace& trace = result.time->trace();
  for (const analyze::ForwardCall& call : analyze::forward_calls(*result.time->analyzed)) {
    if (call.lines.empty()) continue;
    TimeEntry& entry = entries.emplace_back();
    entry.operation_name = operation_name(trace, call.op);
    entry.forward_ns = call.forward_ns;
    entry.backward_ns = call.backward_ns;
    entry.frames = frames_of(call.lines, project);
    if (call.module) entry.module = std::string(*call.module);
  }
  return entries;
}

MemoryEntries memory_entries(const session::ProfileResult& result, const session::ProfiledProject& project) {
  if (result.memory == nullptr) return {};
  return {.weights = weight_entries(*result.memory, project),
          .activations = activation_entries(*result.memory, project),
          .peak_bytes = result.memory->peak.peak.bytes};
}

std::vector<std::pair<std::string, std::string>> environment_facts(const session::ProfileResult& result) {
  const Trace* trace = nullptr;
  if (result.memory != nullptr) trace = &result.memory->trace();
  if (result.time != nullptr) trace = &result.time->trace();
  if (trace == nullptr) return {};
  const std::map<std::string, std::string> facts(trace->info.metadata.begin(), trace->info.metadata.end());
  return {facts.begin(), facts.end()};
}

ReportContext report_context(const session::ProfileResult& result, const session::ProfiledProject& project) {
  ReportContext context;
  std::map<std::string, std::string> about;
  for (const auto& [key, value] : environment_facts(result)) about[key] = value;
  about["producer"] = project.producer;
  about["entry_point"] = session::in_project(project.entry_point, project.project_root);
  about["batch_size"] = std::to_string(result.batch_size);
  about["device"] = result.loaded.device;
  about["source_hash"] = result.source_hash;
  about["in_fresh_process"] = result.in_fresh_process ? "1" : "0";
  if (result.time != nullptr) about["recorded_ns"] = std::to_string(result.time->breakdown.wall_ns());
  context.metadata.assign(about.begin(), about.end());
  if (result.time != nullptr) {
    context.modules = modules_in(result.time->breakdown.modules);
  } else if (result.memory != nullptr) {
    context.modules = modules_in(result.memory->modules);
  }
  for (const session::BatchMeasurement& sample : result.samples) {
    context.samples.push_back(
        {sample.batch_size, sample.time.median_ns, sample.peak_bytes, sample.durations_ns});
  }
  return context;
}

}  // namespace skyline::report
