#include "collect/log/stack_rows.h"

#include <algorithm>

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;
using table::TableId;

}  // namespace

// With the stacks around them, as far as the file has not got them; parents first.
std::vector<uint32_t> StackRows::take_resolved() {
  const uint32_t resolved = python_stacks::resolved_count();
  const auto later = std::partition(new_.begin(), new_.end(), [&](uint32_t id) { return id < resolved; });
  std::vector<uint32_t> ids;
  for (auto wanted = new_.begin(); wanted != later; ++wanted) {
    for (uint32_t id = *wanted; id != kNoStack; id = python_stacks::node(id).parent) {
      if (!written_.insert(id)) break;
      ids.push_back(id);
    }
  }
  new_.erase(new_.begin(), later);
  std::sort(ids.begin(), ids.end());
  return ids;
}

void StackRows::write_to(ChunkSink& sink, Definitions& definitions) {
  const std::vector<uint32_t> ids = take_resolved();
  if (ids.empty()) return;
  std::vector<StackNode> nodes;
  nodes.reserve(ids.size());
  for (const uint32_t id : ids) nodes.push_back(python_stacks::node(id));
  write_modules(nodes, sink, definitions);
  write_frames(nodes, sink, definitions);
  std::vector<uint32_t> parents, frames, modules;
  for (const StackNode& node : nodes) {
    parents.push_back(node.parent);
    frames.push_back(frame_ids_.at({node.code, node.line}));
    modules.push_back(node.module);
  }
  table::ChunkBuilder& chunk = sink.begin(TableId::kStacks);
  chunk.add(table::stacks::kId, ids);
  chunk.add(table::stacks::kParent, parents);
  chunk.add(table::stacks::kFrame, frames);
  chunk.add(table::stacks::kModule, modules);
  sink.append();
}

// A frame is a line of code: stacks through the same line share it.
void StackRows::write_frames(const std::vector<StackNode>& nodes, ChunkSink& sink, Definitions& definitions) {
  std::vector<uint32_t> ids, files, functions;
  std::vector<int32_t> lines;
  for (const StackNode& node : nodes) {
    const auto [found, is_new] =
        frame_ids_.try_emplace({node.code, node.line}, static_cast<uint32_t>(frame_ids_.size()));
    if (!is_new) continue;
    const CodeInfo code = python_stacks::code(node.code);
    ids.push_back(found->second);
    files.push_back(definitions.string_id(code.file));
    functions.push_back(definitions.string_id(code.function));
    lines.push_back(node.line);
  }
  if (ids.empty()) return;
  definitions.write_names(sink);
  table::ChunkBuilder& chunk = sink.begin(TableId::kFrames);
  chunk.add(table::frames::kId, ids);
  chunk.add(table::frames::kFile, files);
  chunk.add(table::frames::kFunction, functions);
  chunk.add(table::frames::kLine, lines);
  sink.append();
}

void StackRows::write_modules(const std::vector<StackNode>& nodes, ChunkSink& sink,
                              Definitions& definitions) {
  std::vector<uint32_t> ids, names, classes;
  for (const StackNode& node : nodes) {
    if (node.module == kNoStack || !written_modules_.insert(node.module)) continue;
    const ModuleInfo module = python_stacks::module(node.module);
    ids.push_back(node.module);
    names.push_back(definitions.string_id(module.name));
    classes.push_back(definitions.string_id(module.type.empty() ? "?" : module.type));
  }
  if (ids.empty()) return;
  definitions.write_names(sink);
  table::ChunkBuilder& chunk = sink.begin(TableId::kModules);
  chunk.add(table::modules::kId, ids);
  chunk.add(table::modules::kName, names);
  chunk.add(table::modules::kClass, classes);
  sink.append();
}

}  // namespace skyline::collect
