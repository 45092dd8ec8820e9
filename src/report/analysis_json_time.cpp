// Where the time of one recorded iteration goes, as JSON.
#include "report/analysis_json_time.h"

#include "report/analysis_json_parts.h"
#include "report/analysis_json_stacks.h"

namespace skyline::report {
namespace {

using Layout = JsonWriter::Layout;

// Phases that take no time are left out.
void write_phases(JsonWriter& json, std::string_view name, const analyze::PhaseTimes& times) {
  json.key(name);
  json.begin_object(Layout::kInline);
  for (const analyze::PhaseDef& phase : analyze::kPhases) {
    if (times[phase.phase] != 0) json.field(phase.name, times[phase.phase]);
  }
  json.end_object();
}

void write_times(JsonWriter& json, std::string_view name, const analyze::BreakdownTimes& times) {
  json.key(name);
  json.begin_object(Layout::kInline);
  write_phases(json, "host_ns", times.host);
  write_phases(json, "device_ns", times.device);
  json.field("calls", times.calls);
  json.end_object();
}

class TimeWriter {
 public:
  TimeWriter(JsonWriter& json, const session::TimeBreakdown& time, const std::string& project_root)
      : json_(json), time_(time), root_(project_root), stacks_(time.trace(), project_root) {}

  void write(const session::BatchMeasurement& measured) {
    const analyze::Breakdown& breakdown = time_.breakdown;
    json_.begin_object();
    json_.field("wall_ns", breakdown.wall_ns());
    json_.key("ratio_to_median");
    json_.value(static_cast<double>(breakdown.wall_ns()) / static_cast<double>(measured.time.median_ns));
    json_.field("has_device", breakdown.has_device);
    write_definitions();
    write_modules();
    write_lines();
    write_flat_lines();
    stacks_.write(json_);
    json_.end_object();
  }

 private:
  void write_definitions() {
    json_.key("phases");
    json_.begin_array();
    for (const analyze::PhaseDef& phase : analyze::kPhases) {
      json_.begin_object(Layout::kInline);
      json_.field("name", phase.name);
      json_.field("definition", phase.definition);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_modules() {
    json_.key("modules");
    json_.begin_array();
    for (const analyze::BreakdownNode& node : time_.breakdown.modules) {
      begin_node(node);
      json_.field("name", node.name);
      json_.field("class_name", node.class_name);
      end_node(node);
    }
    json_.end_array();
  }

  void write_lines() {
    json_.key("lines");
    json_.begin_array();
    for (const analyze::BreakdownNode& node : time_.breakdown.lines) {
      begin_node(node);
      write_place(node.name, node.line, node.function);
      end_node(node);
    }
    json_.end_array();
  }

  void write_flat_lines() {
    json_.key("flat_lines");
    json_.begin_array();
    for (const analyze::LineTimes& line : time_.breakdown.flat_lines) {
      json_.begin_object(Layout::kInline);
      write_place(line.file, line.line, line.function);
      write_times(json_, "own", line.own);
      write_times(json_, "total", line.total);
      json_.end_object();
    }
    json_.end_array();
  }

  void begin_node(const analyze::BreakdownNode& node) {
    json_.begin_object(Layout::kInline);
    write_parent(json_, node.parent);
    json_.field("depth", node.depth);
  }

  void end_node(const analyze::BreakdownNode& node) {
    write_times(json_, "own", node.own);
    write_times(json_, "total", node.total);
    json_.key("ops");
    json_.begin_array();
    for (const analyze::OpUse& use : node.uses) write_use(use);
    json_.end_array();
    json_.end_object();
  }

  void write_use(const analyze::OpUse& use) {
    json_.begin_object();
    json_.field("name", time_.trace().strings[use.name]);
    json_.field("phase", name_of(use.phase));
    json_.field("input_shapes", time_.trace().strings[use.input_dims]);
    json_.field("calls", use.calls);
    json_.field("host_ns", use.host_ns);
    json_.field("device_ns", use.device_ns);
    stacks_.write_number(json_, use.stack);
    json_.end_object();
  }

  void write_place(const std::string& file, int64_t line, const std::string& function) {
    json_.field("file", session::in_project(file, root_));
    json_.field("line", line);
    json_.field("function", function);
  }

  JsonWriter& json_;
  const session::TimeBreakdown& time_;
  const std::string& root_;
  StackList stacks_;
};

}  // namespace

void write_time_breakdown(JsonWriter& json, const session::TimeBreakdown& time,
                          const session::BatchMeasurement& measured, const std::string& project_root) {
  TimeWriter(json, time, project_root).write(measured);
}

}  // namespace skyline::report
