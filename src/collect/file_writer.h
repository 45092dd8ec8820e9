// Drains the threads' blocks into the file, on a thread of its own.
//
// Records become columns; names and input signatures are written before the first chunk that uses
// them, so that a file cut at any chunk can be read. Python stacks have no names until somebody with
// the GIL asks for them; they are written at the end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/column.h"
#include "collect/recorder.h"
#include "tracefile/tracefile.h"

namespace skyline::collect {

class FileWriter {
 public:
  static Result<std::unique_ptr<FileWriter>> open(Recorder& recorder, const Options& options);

  // Everything was submitted: writes the rest and the definitions, and ends the file.
  Outcome finish();

  // In the child of a fork().
  void abandon() { file_.abandon(); }

 private:
  // Columns of one chunk under way.
  struct Events {
    Column<uint32_t> thread, name, fwd_thread, shapes, stack, collective;
    Column<uint64_t> start, duration;
    Column<int64_t> sequence;
    Column<uint8_t> kind;
  };
  struct Memory {
    Column<uint32_t> thread;
    Column<uint64_t> ticks, address;
    Column<int64_t> bytes, total;
  };

  FileWriter(Recorder& recorder, tracefile::Writer file)
      : recorder_(recorder), file_(std::move(file)), chunk_(tracefile::TableId::kEvents) {}

  void run();
  void drain();
  void take(Block& block);
  void take_event(const Record& record, uint32_t thread);
  void take_memory(const Record& record, uint32_t thread);
  void flush();
  void flush_on_time();
  void flush_events();
  void flush_memory();
  void write_meta(const Options& options);
  void write_clock();
  void write_strings();
  void write_shapes();
  void write_collectives();
  void write_threads();
  void sum_up_threads();
  void write_stacks();
  void write_sources();
  void write_losses();
  void write_cost();
  void append();

  uint32_t string_id(const std::string& text);
  void want_string(uint32_t id);
  void want_shapes(uint32_t id);

  Recorder& recorder_;
  tracefile::Writer file_;
  tracefile::ChunkBuilder chunk_;
  Events events_;
  Memory memory_;
  std::vector<bool> written_strings_, written_shapes_, written_collectives_, written_threads_;
  std::vector<uint32_t> new_strings_, new_shapes_, new_collectives_;
  ClockPoint first_clock_ = {0, 0};
  uint64_t last_clock_ticks_ = 0;
  std::chrono::steady_clock::time_point last_flush_ = std::chrono::steady_clock::now();
  bool failed_ = false;
  Outcome outcome_;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace skyline::collect
