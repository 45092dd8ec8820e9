// This process's part of a recording, and the thread that writes it.
//
// The thread samples all Python threads and writes what others hand in here. It never takes the GIL, takes no
// signals, and holds the one mutex only while it takes rows over. In a training process it lives from begin()
// to end(); in a DataLoader worker from join() on, and writes a part for each recording that the trainer
// opens (control_page.h). What goes wrong ends the part, which says why; training goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/sampling/part_file.h"

namespace skyline::collect::process_part {

struct Order {
  std::string folder;     // for parts; it exists
  std::string recording;  // its id
  uint32_t hz = 100;      // 0: no samples
  Pairs meta;             // of this process
};

struct Outcome {
  uint64_t samples = 0;  // of a thread each
  uint64_t torn = 0;     // that could not be used
  uint64_t cost_ns = 0;  // processor time of our thread
  std::string trouble;   // why the part ended early; empty: it did not
};

// Before workers are started, which may join() then. Those that are not forked attach() before to the path
// that this gives; empty: they cannot.
std::string prepare();
Status attach(const std::string& path);

// With the GIL. A recording begins in this process, and in its workers.
Status begin(const Order& order);
// Without the GIL: waits until the parts are written, of workers for a moment only.
Outcome end();

// With the GIL, in a worker: follows the process that has started it. `meta` as above.
Status join(const Pairs& meta);
// Without the GIL: writes what there is, and follows no more.
void leave();

// Handed in by the threads of the program; nothing happens if no part is written.
bool is_writing();
void add_pause(const PauseRow& row);
void add_range(RangeRow row);
void add_settings(Pairs settings);
// At the end of a training step: what the system counts, here now and in workers soon.
void count_step();

}  // namespace skyline::collect::process_part
