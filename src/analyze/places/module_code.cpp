#include "analyze/places/module_code.h"

#include <algorithm>
#include <map>

namespace skyline::analyze {
namespace {

uint64_t pair_of(uint32_t a, uint32_t b) { return uint64_t{a} << 32 | b; }

}  // namespace

ModuleCode::ModuleCode(const Trace& trace, const OpPlaces& places)
    : trace_(trace),
      places_(places),
      module_number_(places.modules.tree().size(), kNoRow),
      line_number_(places.lines.tree().size(), kNoRow) {}

void ModuleCode::add(uint32_t module, uint32_t line, const BreakdownTimes& times) {
  Spent& spent = spent_[pair_of(module, line)];
  spent.host += times.host.sum();
  spent.device += times.device.sum();
}

void ModuleCode::show(uint32_t module) {
  module_number_[module] = static_cast<uint32_t>(shown_.size());
  shown_.push_back(module);
}

void ModuleCode::set_lines(const std::vector<LineTimes>& flat_lines) {
  std::map<std::pair<std::string_view, int64_t>, uint32_t> numbers;
  for (const LineTimes& line : flat_lines)
    numbers.emplace(std::pair(std::string_view(line.file), line.line), static_cast<uint32_t>(numbers.size()));
  for (uint32_t place = 1; place < line_number_.size(); ++place) {
    const LinePlaces::Label label = places_.lines.label(place);
    const auto number = numbers.find({label.file, label.line});
    if (number != numbers.end()) line_number_[place] = number->second;
  }
}

// Each once, however often it is on the stack.
std::vector<uint32_t> ModuleCode::lines_around(uint32_t line) const {
  std::vector<uint32_t> lines;
  for (; line != PlaceTree::kRoot; line = places_.lines.tree().parent(line))
    if (line_number_[line] != kNoRow) lines.push_back(line_number_[line]);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

std::vector<CodeLink> ModuleCode::links() const {
  std::unordered_map<uint64_t, Spent> sums;  // by module's and line's number
  std::unordered_map<uint32_t, std::vector<uint32_t>> around;
  const PlaceTree& modules = places_.modules.tree();
  for (const auto& [places, spent] : spent_) {
    const auto line = static_cast<uint32_t>(places);
    if (spent.host == 0 && spent.device == 0) continue;
    const auto [lines, is_new] = around.try_emplace(line);
    if (is_new) lines->second = lines_around(line);
    for (auto module = static_cast<uint32_t>(places >> 32);; module = modules.parent(module)) {
      for (const uint32_t number : lines->second) {
        Spent& sum = sums[pair_of(module_number_[module], number)];
        sum.host += spent.host;
        sum.device += spent.device;
      }
      if (module == PlaceTree::kRoot) break;
    }
  }
  std::vector<CodeLink> links;
  links.reserve(sums.size());
  for (const auto& [numbers, sum] : sums)
    links.push_back(
        {static_cast<uint32_t>(numbers >> 32), static_cast<uint32_t>(numbers), sum.host, sum.device});
  std::sort(links.begin(), links.end(), [](const CodeLink& a, const CodeLink& b) {
    return pair_of(a.module, a.line) < pair_of(b.module, b.line);
  });
  return links;
}

bool ModuleCode::starts_between(SliceId slice, int64_t start_ns, int64_t end_ns) const {
  const int64_t start = trace_.slices.start_ns[slice.value];
  return start >= start_ns && start < end_ns;
}

void ModuleCode::add_call(Shared& shared, uint32_t module, uint32_t line) const {
  if (line == PlaceTree::kRoot || line == kNoRow || module == kNoRow) return;
  uint32_t& its = shared[module];
  its = its == kNoRow ? line : places_.lines.tree().shared(its, line);
}

// Where the innermost running module changes on a stack, one is called.
void ModuleCode::add_calls_on_stacks(Shared& shared, int64_t start_ns, int64_t end_ns) const {
  const StackTable& stacks = trace_.stacks;
  std::vector<bool> is_done(stacks.size(), false);
  for (uint32_t row = 0; row < trace_.ops.size(); ++row) {
    if (places_.of[row].in_backward || !starts_between(trace_.ops.slice[row], start_ns, end_ns)) continue;
    StackId inner = trace_.ops.stack_of(row);
    while (inner.exists() && !is_done[inner.value]) {
      is_done[inner.value] = true;
      const StackId outer = stacks.parent[inner.value];
      const ModuleId module = stacks.module[inner.value];
      if (outer.exists() && module.exists() && module != stacks.module[outer.value])
        add_call(shared, places_.modules.known_node(module), places_.lines.known_node(outer));
      inner = outer;
    }
  }
}

std::vector<uint32_t> ModuleCode::call_places(int64_t start_ns, int64_t end_ns) const {
  Shared shared(module_number_.size(), kNoRow);
  if (!trace_.ops.stack.empty()) add_calls_on_stacks(shared, start_ns, end_ns);
  for (const ModuleCall& call : places_.calls)
    if (starts_between(call.slice, start_ns, end_ns)) add_call(shared, call.module, call.line);

  // What never runs itself, a ModuleList, is where its parts are called.
  const PlaceTree& modules = places_.modules.tree();
  for (auto module = static_cast<uint32_t>(modules.size()); module-- > 1;) {  // children stand behind
    const uint32_t parent = modules.parent(module);
    if (parent != PlaceTree::kRoot && places_.modules.label(parent).class_name.empty())
      add_call(shared, parent, shared[module]);
  }
  return shared;
}

std::vector<uint32_t> ModuleCode::call_lines(int64_t start_ns, int64_t end_ns) const {
  const Shared shared = call_places(start_ns, end_ns);
  std::vector<uint32_t> lines;
  lines.reserve(shown_.size());
  for (const uint32_t module : shown_) {
    uint32_t line = shared[module] == kNoRow ? PlaceTree::kRoot : shared[module];
    while (line != PlaceTree::kRoot && line_number_[line] == kNoRow) line = places_.lines.tree().parent(line);
    lines.push_back(line == PlaceTree::kRoot ? kNoRow : line_number_[line]);
  }
  return lines;
}

}  // namespace skyline::analyze
