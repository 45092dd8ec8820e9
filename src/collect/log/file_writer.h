// FileWriter: drains the threads' blocks into the file, on a thread of its own.
//
// It decides when; what each table of the file looks like is in files of their own: event_rows, memory_rows,
// definitions, stack_rows, thread_rows, note_rows, file_clock, file_facts.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "collect/log/chunk_sink.h"
#include "collect/log/definitions.h"
#include "collect/log/event_rows.h"
#include "collect/log/file_clock.h"
#include "collect/log/memory_rows.h"
#include "collect/log/stack_rows.h"
#include "collect/log/thread_rows.h"
#include "collect/recorder.h"
#include "collect/tables/notes.h"

namespace skyline::collect {

class FileWriter {
 public:
  static Result<std::unique_ptr<FileWriter>> open(Recorder& recorder, const Options& options);

  // Everything was submitted: writes the rest and the definitions, and ends the file.
  Outcome finish(WayTaken way) noexcept;

  // Of this recording; on any thread.
  void add_source(SourceFile source) { sources_.add(std::move(source)); }
  void note_tensors(std::vector<TensorNote> tensors) { tensors_.add(std::move(tensors)); }

  void add_part(RecordedPart part) { parts_.add(std::move(part)); }

  // The file goes along at the end; before the recording is stopped.
  void note_device_text(std::string path) { device_texts_.add(std::move(path)); }

  // Releases are recorded from now on: what is alive belongs into the file.
  void write_live_blocks_soon() { wants_live_blocks_ = true; }

  // In the child of a fork().
  void abandon() { sink_.abandon(); }

 private:
  FileWriter(Recorder& recorder, tracefile::Writer file);

  // Writing never ends training: what goes wrong ends the recording.
  template <typename Work>
  void guarded(Work work) noexcept;

  void run() noexcept;
  void drain();
  void take(Block& block);
  void note_definitions(size_t first_row);
  void flush();
  void flush_on_time();
  void write_notes();
  void write_rest();
  void sum_up();

  Recorder& recorder_;
  ChunkSink sink_;
  EventRows events_;
  MemoryRows memory_;
  Definitions definitions_;
  StackRows stacks_;
  ThreadRows threads_;
  FileClock clock_;
  Notes<SourceFile> sources_;
  Notes<TensorNote> tensors_;
  Notes<RecordedPart> parts_;
  Notes<std::string> device_texts_;  // paths
  const uint64_t refused_before_ = recorder_.refused();
  uint64_t last_flush_ticks_ = 0;
  std::chrono::steady_clock::time_point last_flush_ = std::chrono::steady_clock::now();
  std::atomic<bool> wants_live_blocks_ = false;
  Outcome outcome_;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace skyline::collect
