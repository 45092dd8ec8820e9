// What lives in memory at the peak, as JSON.
#include "report/analysis_json_memory.h"

#include "report/analysis_json_parts.h"
#include "report/analysis_json_stacks.h"

namespace skyline::report {
namespace {

using Layout = JsonWriter::Layout;

// Roles without a byte are left out.
void write_roles(JsonWriter& json, std::string_view name, const analyze::RoleBytes& bytes) {
  json.key(name);
  json.begin_object(Layout::kInline);
  for (const analyze::MemoryRoleDef& role : analyze::kMemoryRoles) {
    if (bytes[role.role] != 0) json.field(role.name, bytes[role.role]);
  }
  json.end_object();
}

class MemoryWriter {
 public:
  MemoryWriter(JsonWriter& json, const session::MemoryBreakdown& memory, const std::string& project_root)
      : json_(json), memory_(memory), root_(project_root), stacks_(memory.trace(), project_root) {}

  void write() {
    const analyze::MemoryAtPeak& peak = memory_.peak;
    json_.begin_object();
    json_.field("device", name_of(peak.device));
    json_.field("peak_bytes", peak.peak.bytes);
    json_.field("older_bytes", peak.older_bytes);
    json_.field("recording_peak_bytes", peak.recording.bytes);
    write_definitions();
    write_roles(json_, "by_role", peak.roles);
    write_modules();
    write_lines();
    write_blocks();
    stacks_.write(json_);
    json_.end_object();
  }

 private:
  void write_definitions() {
    json_.key("roles");
    json_.begin_array();
    for (const analyze::MemoryRoleDef& role : analyze::kMemoryRoles) {
      json_.begin_object(Layout::kInline);
      json_.field("name", role.name);
      json_.field("definition", role.definition);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_modules() {
    json_.key("modules");
    json_.begin_array();
    for (const analyze::MemoryNode& node : memory_.modules) {
      json_.begin_object(Layout::kInline);
      write_parent(json_, node.parent);
      json_.field("depth", node.depth);
      json_.field("name", node.name);
      json_.field("class_name", node.class_name);
      write_roles(json_, "own", node.own);
      write_roles(json_, "total", node.total);
      json_.field("block_count", node.blocks);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_lines() {
    json_.key("lines");
    json_.begin_array();
    for (const analyze::MemoryLine& line : memory_.lines) {
      json_.begin_object(Layout::kInline);
      json_.field("file", session::in_project(line.file, root_));
      json_.field("line", line.line);
      json_.field("function", line.function);
      write_roles(json_, "total", line.total);
      json_.field("block_count", line.blocks);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_blocks() {
    json_.key("blocks");
    json_.begin_array();
    for (const analyze::PeakBlock& block : memory_.peak.blocks) write_block(block);
    json_.end_array();
  }

  void write_block(const analyze::PeakBlock& block) {
    const Trace& trace = memory_.trace();
    json_.begin_object(Layout::kInline);
    json_.field("bytes", block.bytes);
    json_.field("role", name_of(block.role));
    json_.field("module", analyze::module_of(trace, block));
    json_.key("tensor");
    if (block.tensor == kNoRow) {
      json_.null();
    } else {
      json_.value(trace.strings[trace.tensors.name[block.tensor]]);
    }
    json_.key("op");
    if (block.op == kNoRow) {
      json_.null();
    } else {
      json_.value(trace.slice_name(trace.ops.slice[block.op]));
    }
    stacks_.write_number(json_, block.op == kNoRow ? StackId() : trace.ops.stack_of(block.op));
    json_.end_object();
  }

  JsonWriter& json_;
  const session::MemoryBreakdown& memory_;
  const std::string& root_;
  StackList stacks_;
};

}  // namespace

void write_memory_breakdown(JsonWriter& json, const session::MemoryBreakdown& memory,
                            const std::string& project_root) {
  MemoryWriter(json, memory, project_root).write();
}

}  // namespace skyline::report
