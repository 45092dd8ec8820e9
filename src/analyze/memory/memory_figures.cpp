#include "analyze/memory/memory_figures.h"

#include "analyze/core/figures.h"
#include "analyze/memory/at_peak.h"
#include "analyze/memory/roles.h"

namespace skyline {

std::vector<Figure> memory_figures(const AnalyzedTrace& analyzed) {
  const std::shared_ptr<const MemoryPeaks> peaks = shared_peaks(analyzed);
  if (peaks->empty())
    return make_figures(kMemoryFigures, std::vector<FigureValue>(std::size(kMemoryFigures)));
  const MemoryAtPeak& largest = peaks->front();
  std::vector<FigureValue> values = {largest.peak.bytes};
  const bool has_names = roles_are_known(analyzed.trace());
  for (const MemoryRoleDef& def : kMemoryRoles) {
    values.push_back(has_names || !needs_names(def.role) ? FigureValue(largest.roles[def.role])
                                                         : FigureValue());
  }
  values.emplace_back(largest.recording.bytes);
  values.emplace_back(largest.older_bytes);
  return make_figures(kMemoryFigures, std::move(values));
}

}  // namespace skyline
