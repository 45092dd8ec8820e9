// What is shown of a flame graph: its large nodes, or all of them as text.
#include "analyze/places/flame_trim.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace skyline::analyze {
namespace {

// Per node whether it stays. A node is never longer than the one around it, so what stays is a tree.
std::vector<bool> find_large(const Flame& flame, int64_t parts_of_whole, size_t most) {
  const int64_t least_ns = flame.nodes.front().total_ns / parts_of_whole;
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < flame.nodes.size(); ++i) {
    if (flame.nodes[i].total_ns >= least_ns) order.push_back(i);
  }
  if (order.size() > most) {
    std::nth_element(order.begin(), order.begin() + static_cast<ptrdiff_t>(most), order.end(),
                     [&](uint32_t a, uint32_t b) {
                       const int64_t x = flame.nodes[a].total_ns, y = flame.nodes[b].total_ns;
                       return x != y ? x > y : a < b;
                     });
    order.resize(most);
  }
  std::vector<bool> stays(flame.nodes.size(), false);
  for (const uint32_t node : order) stays[node] = true;
  return stays;
}

// What would end a frame or a line of folded text.
std::string foldable(std::string text) {
  for (char& c : text) {
    if (c == ';') c = ',';
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace

Flame trim(const Flame& flame, int64_t parts_of_whole, size_t most) {
  const std::vector<bool> stays = find_large(flame, parts_of_whole, most);
  Flame trimmed;
  std::vector<uint32_t> number(flame.nodes.size(), kNoRow);
  std::vector<uint32_t> names(flame.names.size(), kNoRow), places(flame.places.size(), kNoRow);
  for (uint32_t i = 0; i < flame.nodes.size(); ++i) {
    if (!stays[i]) continue;
    number[i] = static_cast<uint32_t>(trimmed.nodes.size());
    FlameNode node = flame.nodes[i];
    if (node.parent != kNoRow) node.parent = number[node.parent];
    if (names[node.name] == kNoRow) {
      names[node.name] = static_cast<uint32_t>(trimmed.names.size());
      trimmed.names.push_back(flame.names[node.name]);
    }
    node.name = names[node.name];
    if (node.place != kNoRow && places[node.place] == kNoRow) {
      places[node.place] = static_cast<uint32_t>(trimmed.places.size());
      trimmed.places.push_back(flame.places[node.place]);
    }
    if (node.place != kNoRow) node.place = places[node.place];
    trimmed.nodes.push_back(node);
  }
  trimmed.left_out = flame.left_out + flame.nodes.size() - trimmed.nodes.size();
  return trimmed;
}

std::string folded(const Flame& flame) {
  std::vector<std::string> names;
  for (const std::string& name : flame.names) names.push_back(foldable(name));
  std::string out;
  std::vector<std::string> paths(flame.nodes.size());
  std::map<std::string, int64_t> sums;  // names that became equal
  for (uint32_t i = 1; i < flame.nodes.size(); ++i) {
    const FlameNode& node = flame.nodes[i];
    paths[i] = node.parent == 0 ? names[node.name] : paths[node.parent] + ";" + names[node.name];
    if (node.self_ns > 0) sums[paths[i]] += node.self_ns;
  }
  for (const auto& [path, ns] : sums) out += fmt::format("{} {}\n", path, ns);
  return out;
}

}  // namespace skyline::analyze
