// How modules and lines of a breakdown belong together: what a page lights up in the code when a module is
// pointed at, and the other way round.
//
//   train.py:10   loss = net(x)            calls Net
//   model.py:7      x = self.conv1(x)      calls conv1, and has all of its time
//   model.py:8      x = self.conv2(x)
//
// A module's call line comes from its calls, not from its operators: a forward() of a single line would else
// be taken for the line that calls it.
#pragma once

#include <unordered_map>
#include <vector>

#include "analyze/places/op_places.h"

namespace skyline::analyze {

class ModuleCode {
 public:
  ModuleCode(const Trace& trace, const OpPlaces& places);

  void add(uint32_t module, uint32_t line, const BreakdownTimes& times);  // places of an OpPlace

  // The places that Breakdown::modules shows, in its order, and Breakdown::flat_lines.
  void show(uint32_t module);
  void set_lines(const std::vector<LineTimes>& flat_lines);

  std::vector<CodeLink> links() const;  // Breakdown::links

  // Breakdown::call_lines, from what is called between these times and outside of the backward pass.
  std::vector<uint32_t> call_lines(int64_t start_ns, int64_t end_ns) const;

  // The same by module place, as line places. Nothing has to be added for it.
  std::vector<uint32_t> call_places(int64_t start_ns, int64_t end_ns) const;

 private:
  struct Spent {
    SumNs host, device;
  };
  using Shared = std::vector<uint32_t>;  // as call_places() gives it; kNoRow: not known

  std::vector<uint32_t> lines_around(uint32_t line) const;
  void add_call(Shared& shared, uint32_t module, uint32_t line) const;
  void add_calls_on_stacks(Shared& shared, int64_t start_ns, int64_t end_ns) const;
  bool starts_between(SliceId slice, int64_t start_ns, int64_t end_ns) const;

  const Trace& trace_;
  const OpPlaces& places_;
  std::unordered_map<uint64_t, Spent> spent_;  // by module and line place
  std::vector<uint32_t> shown_;                // module places, in the order of the breakdown
  std::vector<uint32_t> module_number_;        // by module place; kNoRow: not shown
  std::vector<uint32_t> line_number_;          // by line place; kNoRow: not shown
};

}  // namespace skyline::analyze
