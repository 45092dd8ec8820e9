// The recorder: starts and stops recording, and owns what threads share while it runs.
//
// One recording at a time in a process. The hooks (op_hooks, memory_hooks) ask active() and write to
// their thread's log; a writer thread drains full blocks to the file.
#pragma once

#include <Python.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/tables/block_pool.h"
#include "collect/tables/clock.h"
#include "collect/tables/intern_table.h"
#include "collect/tables/live_blocks.h"
#include "collect/tables/notes.h"
#include "collect/tables/options.h"

namespace skyline::collect {

class FileWriter;

// What a recording cost and kept, for the report and for Python.
struct Outcome {
  uint64_t records = 0;
  uint64_t dropped = 0;
  uint64_t file_bytes = 0;
  uint64_t threads = 0;
  uint64_t calls = 0;    // of our callbacks
  uint64_t cost_ns = 0;  // time spent in them, estimated from samples
  WayTaken way;
  std::string trouble;  // one sentence when recording ended early; empty otherwise
};

class Recorder {
 public:
  // The process's one recorder.
  static Recorder& instance() { return *kInstance; }

  // Without the GIL.
  Status start(const Options& options);
  // With the GIL, which others may have meanwhile. `name_modules` as in python_stacks::resolve; may be
  // nullptr.
  Outcome stop(PyObject* name_modules);

  bool active() const { return active_.load(std::memory_order_relaxed); }
  uint64_t session() const { return session_.load(std::memory_order_relaxed); }
  const Options& options() const { return options_; }

  InternTable& names() { return names_; }
  InternTable& shapes() { return shapes_; }
  InternTable& collectives() { return collectives_; }

  // Names, signatures, collectives and stacks that had to be taken for others, in this process.
  uint64_t refused() const;

  LiveBlocks& live_blocks() { return live_blocks_; }

  BlockPool& pool() { return pool_; }
  Block* take_block(uint32_t thread);
  void submit(Block* block) { pool_.submit(block); }

  // A file for the recording under way.
  void add_source(SourceFile source);

  // Tensors that live now, for the recording under way.
  void note_tensors(std::vector<TensorNote> tensors);
  void note_device_text(std::string path);

  // A part of the recording under way; until it stops.
  void add_part(RecordedPart part);

  // In the child of a fork(): nothing is recorded here, and the parent's file stays the parent's.
  void forget_in_child();

  // Around fork().
  void lock_for_fork();
  void unlock_after_fork();

  // Ends the recording from the writer's side: says why once, keeps what is written.
  void give_up(std::string_view sentence) noexcept;
  // What it said; empty: nothing went wrong.
  std::string trouble() const;

 private:
  static Recorder* const kInstance;  // made when the module is loaded

  Status start_locked(const Options& options);
  FileWriter* begin_stopping();
  void end_stopping(Outcome& outcome);
  WayTaken way_taken() const;
  void wait_until_quiet();
  void cut_open_ranges();
  void collect_open_blocks();

  // What there is to record with. Never held while waiting for the GIL: fork() wants both.
  std::mutex control_;
  std::atomic<bool> active_ = false;
  std::atomic<uint64_t> session_ = 0;
  Options options_;
  BlockPool pool_;
  InternTable names_{"(too many names)"}, shapes_, collectives_;
  LiveBlocks live_blocks_;
  std::unique_lock<std::mutex> live_blocks_lock_;  // while the process forks
  std::unique_ptr<FileWriter> writer_;
  bool is_stopping_ = false;  // somebody is ending writer_'s recording
  bool is_direct_ = false;    // it was, until then
  mutable std::mutex trouble_mutex_;
  std::string trouble_;
};

}  // namespace skyline::collect
