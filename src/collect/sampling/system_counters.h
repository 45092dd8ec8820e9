// What the system counts for this process and for what it shares with others: processor time, page faults,
// memory, pressure, throttling.
#pragma once

#include <string>
#include <vector>

#include "collect/sampling/part_file.h"

namespace skyline::collect {

class SystemCounters {
 public:
  SystemCounters();
  ~SystemCounters();
  SystemCounters(const SystemCounters&) = delete;
  SystemCounters& operator=(const SystemCounters&) = delete;

  // Those that this machine has. With the machine's and the control group's own, which the processes of one
  // training share, if `with_shared`.
  void read(uint64_t ticks, bool with_shared, std::vector<CounterRow>& to) const;

 private:
  int memory_ = -1;  // /proc/self/statm
  int pressure_cpu_ = -1, pressure_memory_ = -1, pressure_io_ = -1;
  int throttling_ = -1;  // cpu.stat of the control group
};

// The number behind a word in a text of the kernel: of `total=` in "some avg10=0.00 total=15\n", of
// "throttled_usec " in "nr_periods 3\nthrottled_usec 12\n"; -1: none.
double number_behind(std::string_view text, std::string_view word);

}  // namespace skyline::collect
