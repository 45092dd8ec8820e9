#include "serve/breakdown_messages.h"

#include <algorithm>

namespace skyline {
namespace {

constexpr size_t kMostUses = 8;  // of a node
constexpr size_t kMostLinks = 30'000;

int64_t number_of(uint32_t row) { return row == kNoRow ? -1 : int64_t{row}; }

protocol::Times to_message(const BreakdownTimes& times) {
  return {{times.host.ns.begin(), times.host.ns.end()},
          {times.device.ns.begin(), times.device.ns.end()},
          times.calls};
}

protocol::OpUse to_message(const Trace& trace, const OpUse& use) {
  return {std::string(trace.strings[use.name]),
          std::string(name_of(use.phase)),
          std::string(trace.strings[use.input_dims]),
          use.calls,
          use.host_ns,
          use.device_ns};
}

protocol::BreakdownNode to_message(const Trace& trace, const BreakdownNode& node) {
  protocol::BreakdownNode message;
  message.parent = number_of(node.parent);
  message.depth = node.depth;
  message.end = node.end;
  message.name = node.name;
  message.class_name = node.class_name;
  message.function = node.function;
  message.line = node.line;
  message.own = to_message(node.own);
  message.total = to_message(node.total);
  for (size_t i = 0; i < std::min(kMostUses, node.uses.size()); ++i)
    message.uses.push_back(to_message(trace, node.uses[i]));
  return message;
}

}  // namespace

protocol::Breakdown to_message(const Trace& trace, const Breakdown& breakdown) {
  protocol::Breakdown message;
  message.step_number = breakdown.step_number;
  message.start_ns = minus(breakdown.start_ns, trace.first_ns);
  message.end_ns = minus(breakdown.end_ns, trace.first_ns);
  message.has_device = breakdown.has_device;
  for (const BreakdownNode& node : breakdown.modules) message.modules.push_back(to_message(trace, node));
  for (const BreakdownNode& node : breakdown.lines) message.lines.push_back(to_message(trace, node));
  for (const LineTimes& line : breakdown.flat_lines) {
    message.flat_lines.push_back(
        {line.file, line.line, line.function, to_message(line.own), to_message(line.total)});
  }
  for (const CodeLink& link : breakdown.links)
    message.links.push_back({link.module, link.line, link.host_ns, link.device_ns});
  for (const uint32_t line : breakdown.call_lines) message.places.push_back(number_of(line));
  return message;
}

}  // namespace skyline
