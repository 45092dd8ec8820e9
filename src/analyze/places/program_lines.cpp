#include "analyze/places/program_lines.h"

#include "analyze/places/line_places.h"

namespace skyline::analyze {

ProgramStacks::ProgramStacks(const Trace& trace) : places_(std::make_unique<LinePlaces>(trace)) {}
ProgramStacks::~ProgramStacks() = default;

ProgramLines ProgramStacks::of(StackId stack) { return lines_around(*places_, places_->node(stack)); }

ProgramLines lines_around(const LinePlaces& places, uint32_t node) {
  ProgramLines lines;
  for (; node != PlaceTree::kRoot; node = places.tree().parent(node)) {
    const LinePlaces::Label label = places.label(node);
    lines.push_back({label.file, label.line, label.function});
  }
  return lines;
}

}  // namespace skyline::analyze
