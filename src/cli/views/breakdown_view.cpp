#include "cli/views/breakdown_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal/ink.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/stacked_bar.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/units.h"

namespace skyline::cli {
namespace {

struct Look {
  std::string_view glyph;
  Ink ink;
};

// One line per phase and per role, in the order of their enums.
constexpr std::array<Look, analyze::kPhases.size()> kPhaseLooks = {{
    {"█", Ink::kCompute},        // forward
    {"▓", Ink::kCommunication},  // backward
    {"▒", Ink::kCopy},           // recompute
    {"░", Ink::kHost},           // optimizer
    {"▞", Ink::kInput},          // zero_grad
    {"▚", Ink::kInput},          // data
    {"◆", Ink::kCommunication},  // collectives
    {"·", Ink::kIdle},           // python
    {" ", Ink::kPlain},          // untracked
}};
constexpr std::array<Look, analyze::kMemoryRoles.size()> kRoleLooks = {{
    {"█", Ink::kCompute},        // weights
    {"▞", Ink::kInput},          // buffers
    {"▓", Ink::kCommunication},  // gradients
    {"░", Ink::kHost},           // optimizer state
    {"▚", Ink::kInput},          // inputs
    {"▒", Ink::kCopy},           // activations
    {"·", Ink::kIdle},           // temporaries
    {" ", Ink::kPlain},          // other
}};

std::string spoken(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// "layers.0 (Block)", indented by its depth.
std::string tree_name(uint32_t depth, const std::string& name, const std::string& class_name) {
  const std::string shown = name.empty() ? "model" : name;
  std::string text(2 * (depth > 0 ? depth - 1 : 0), ' ');
  text += printable(shown);
  return class_name.empty() ? text : text + fmt::format(" ({})", printable(class_name));
}

double share_of_whole(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// Rows of a tree that are worth a line: the largest `rows`, in the tree's order.
template <typename Tree, typename Size>
std::vector<size_t> largest_nodes(const Tree& tree, size_t rows, Size size) {
  std::vector<size_t> chosen;
  for (size_t i = 1; i < tree.size(); ++i) {
    if (size(tree[i]) > 0) chosen.push_back(i);
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](size_t a, size_t b) { return size(tree[a]) > size(tree[b]); });
  if (chosen.size() > rows) chosen.resize(rows);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::string render_phases(const analyze::Breakdown& breakdown, const Console& console) {
  std::vector<BarPart> parts;
  const analyze::PhaseTimes& times = breakdown.modules.front().total.host;
  for (size_t i = 0; i < analyze::kPhases.size(); ++i) {
    parts.push_back(
        {spoken(analyze::kPhases[i].name), times.ns[i], kPhaseLooks[i].glyph, kPhaseLooks[i].ink});
  }
  return render_stacked_bar(parts, console.width, console.color);
}

std::string render_modules(const analyze::Breakdown& breakdown, const Console& console, size_t rows) {
  const auto time_of = [&](const analyze::BreakdownNode& node) {
    return breakdown.has_device ? node.total.device.sum() : node.total.host.sum();
  };
  TextTable table({{"Module", Align::kLeft, true},
                   {breakdown.has_device ? "Device time" : "Time", Align::kRight},
                   {"Share", Align::kRight},
                   {"Forward", Align::kRight},
                   {"Backward", Align::kRight},
                   {"Own", Align::kRight},
                   {"Ops", Align::kRight}});
  const int64_t whole = time_of(breakdown.modules.front());
  for (const size_t i : largest_nodes(breakdown.modules, rows, time_of)) {
    const analyze::BreakdownNode& node = breakdown.modules[i];
    const analyze::PhaseTimes& total = breakdown.has_device ? node.total.device : node.total.host;
    const analyze::PhaseTimes& own = breakdown.has_device ? node.own.device : node.own.host;
    table.add_row({tree_name(node.depth, node.name, node.class_name), format_ns(total.sum()),
                   format_share(share_of_whole(total.sum(), whole)),
                   format_ns(total[analyze::Phase::kForward]), format_ns(total[analyze::Phase::kBackward]),
                   format_ns(own.sum()), format_count(node.total.calls)});
  }
  return table.render(console.width, console.color);
}

// The line's text, if the recording holds the file.
std::string source_line(const Trace& trace, const std::string& file, int64_t line) {
  for (const SourceFile& source : trace.sources) {
    if (source.path != file) continue;
    std::string_view rest = source.text;
    for (int64_t i = 1; i < line && !rest.empty(); ++i) {
      const size_t end = rest.find('\n');
      rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
    }
    std::string_view text = rest.substr(0, rest.find('\n'));
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return printable(text);
  }
  return {};
}

std::string render_lines(const session::TimeBreakdown& time, const std::string& root, const Console& console,
                         size_t rows) {
  const analyze::Breakdown& breakdown = time.breakdown;
  const auto own_ns = [&](const analyze::LineTimes& line) {
    return breakdown.has_device ? line.own.device.sum() : line.own.host.sum();
  };
  std::vector<const analyze::LineTimes*> lines;
  for (const analyze::LineTimes& line : breakdown.flat_lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const auto* a, const auto* b) { return own_ns(*a) > own_ns(*b); });
  if (lines.size() > rows) lines.resize(rows);
  TextTable table({{"Line", Align::kLeft, true},
                   {"Own time", Align::kRight},
                   {"Share", Align::kRight},
                   {"", Align::kLeft, true}});
  for (const analyze::LineTimes* line : lines) {
    table.add_row({printable(fmt::format("{}:{}", session::in_project(line->file, root), line->line)),
                   format_ns(own_ns(*line)), format_share(share_of_whole(own_ns(*line), breakdown.wall_ns())),
                   source_line(time.trace(), line->file, line->line)});
  }
  return table.render(console.width, console.color);
}

std::string memory_line_place(const analyze::MemoryLine& line, const std::string& root) {
  if (line.file.empty()) return "not known where";
  return printable(fmt::format("{}:{}", session::in_project(line.file, root), line.line));
}

}  // namespace

std::string render_time_breakdown(const session::ProfileResult& result, const std::string& project_root,
                                  const Console& console, size_t rows) {
  const analyze::Breakdown& breakdown = result.time->breakdown;
  if (breakdown.modules.empty()) return "";
  const double ratio = share_of_whole(breakdown.wall_ns(), result.measured->time.median_ns);
  std::string text = fmt::format("One recorded iteration: {}, {:.2f} times the median\n",
                                 format_ns(breakdown.wall_ns()), ratio);
  text += render_phases(breakdown, console) + "\n";
  text += render_modules(breakdown, console, rows) + "\n";
  return text + render_lines(*result.time, project_root, console, rows / 2);
}

std::string render_memory_breakdown(const session::ProfileResult& result, const std::string& project_root,
                                    const Console& console, size_t rows) {
  const session::MemoryBreakdown& memory = *result.memory;
  std::vector<BarPart> parts;
  for (size_t i = 0; i < analyze::kMemoryRoles.size(); ++i) {
    parts.push_back({spoken(analyze::kMemoryRoles[i].name), memory.peak.roles.bytes[i], kRoleLooks[i].glyph,
                     kRoleLooks[i].ink});
  }
  std::string text = fmt::format("Memory at the peak: {}\n", format_bytes(memory.peak.peak.bytes));
  text += render_stacked_bar(parts, console.width, console.color) + "\n";
  TextTable modules({{"Module", Align::kLeft, true},
                     {"Memory", Align::kRight},
                     {"Share", Align::kRight},
                     {"Weights", Align::kRight},
                     {"Activations", Align::kRight}});
  const auto size_of = [](const analyze::MemoryNode& node) { return node.total.sum(); };
  for (const size_t i : largest_nodes(memory.modules, rows, size_of)) {
    const analyze::MemoryNode& node = memory.modules[i];
    modules.add_row({tree_name(node.depth, node.name, node.class_name), format_bytes(size_of(node)),
                     format_share(share_of_whole(size_of(node), memory.peak.peak.bytes)),
                     format_bytes(node.total[analyze::MemoryRole::kWeights]),
                     format_bytes(node.total[analyze::MemoryRole::kActivations])});
  }
  text += modules.render(console.width, console.color) + "\n";
  TextTable lines({{"Line", Align::kLeft, true},
                   {"Own memory", Align::kRight},
                   {"Share", Align::kRight},
                   {"", Align::kLeft, true}});
  for (size_t i = 0; i < std::min(memory.lines.size(), rows / 2); ++i) {
    const analyze::MemoryLine& line = memory.lines[i];
    lines.add_row({memory_line_place(line, project_root), format_bytes(line.total.sum()),
                   format_share(share_of_whole(line.total.sum(), memory.peak.peak.bytes)),
                   source_line(memory.trace(), line.file, line.line)});
  }
  return text + lines.render(console.width, console.color);
}

}  // namespace skyline::cli
