#include "analyze/memory/memory_figures.h"

#include "analyze/core/figures.h"
#include "analyze/memory/at_peak.h"
#include "analyze/memory/roles.h"

namespace skyline::analyze {

std::vector<Figure> memory_figures(const AnalyzedTrace& analyzed) {
  const std::shared_ptr<const MemoryPeaks> peaks = shared_peaks(analyzed);
  if (peaks->empty()) return unknown_figures(kMemoryFigures);
  const MemoryAtPeak& largest = peaks->front();
  std::vector<NamedFigure> values = {
      {"memory.peak", largest.peak.bytes},
      {"memory.peak_recording", largest.recording.bytes},
      {"memory.older", largest.older_bytes},
  };
  const bool has_names = roles_are_known(analyzed.trace());
  for (const MemoryRoleDef& def : kMemoryRoles) {
    const bool is_known = has_names || !needs_names(def.role);
    values.push_back({"memory.peak_" + std::string(def.name),
                      is_known ? FigureValue(largest.roles[def.role]) : FigureValue()});
  }
  return make_figures(kMemoryFigures, values);
}

}  // namespace skyline::analyze
