#include "analyze/places/op_stacks.h"

namespace skyline::analyze {

OpStacks::OpStacks(const AnalyzedTrace& analyzed)
    : frames_(analyzed.get<FrameTree>()), number_(analyzed.trace().ops.size(), kNoRow) {
  std::vector<uint32_t> number_of_node(frames_.tree().size(), kNoRow);
  for (uint32_t op = 0; op < number_.size(); ++op) {
    const uint32_t node = frames_.node_of_op(op);
    if (node == PlaceTree::kRoot) continue;
    if (number_of_node[node] == kNoRow) {
      number_of_node[node] = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(node);
    }
    number_[op] = number_of_node[node];
  }
}

std::string OpStacks::text_of_node(uint32_t node) const {
  std::vector<uint32_t> path;
  for (; node != PlaceTree::kRoot; node = frames_.tree().parent(node)) path.push_back(node);
  std::string text;
  for (auto part = path.rbegin(); part != path.rend(); ++part) {
    if (!text.empty()) text += ';';
    text += frames_.label(frames_.label_of(*part)).text;
  }
  return text;
}

}  // namespace skyline::analyze
