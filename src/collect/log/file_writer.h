// Drains the threads' blocks into the file, on a thread of its own.
//
// Records become columns; names and input signatures are written before the first chunk that uses
// them, so that a file cut at any chunk can be read. Python stacks have no names until somebody with
// the GIL asks for them; they follow the events that use them by a second or two.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/column.h"
#include "collect/log/memory_rows.h"
#include "collect/python/stacks.h"
#include "collect/recorder.h"
#include "tracefile/tracefile.h"

namespace skyline::collect {

class FileWriter {
 public:
  static Result<std::unique_ptr<FileWriter>> open(Recorder& recorder, const Options& options);

  // Everything was submitted: writes the rest and the definitions, and ends the file.
  Outcome finish() noexcept;

  // A file for this recording; on any thread.
  void add_source(SourceFile source);

  // The same for tensors.
  void note_tensors(std::vector<TensorNote> tensors);

  // Releases are recorded from now on: what is alive belongs into the file.
  void write_live_blocks_soon() { wants_live_blocks_ = true; }

  // In the child of a fork().
  void abandon() { file_.abandon(); }

 private:
  // Columns of one chunk under way.
  struct Events {
    Column<uint32_t> thread, name, fwd_thread, shapes, stack, collective;
    Column<uint64_t> start, duration;
    Column<int64_t> sequence;
    Column<uint8_t> kind;

    void resize(size_t rows) {
      const auto resize_all = [rows](auto&... columns) { (columns.resize_uninitialized(rows), ...); };
      resize_all(thread, name, fwd_thread, shapes, stack, collective, start, duration, sequence, kind);
    }
  };

  // Of zstd: on a machine without a core to spare, packing is paid by training. Takes a quarter more space
  // than 1.
  static constexpr int kLevel = -5;

  FileWriter(Recorder& recorder, tracefile::Writer file)
      : recorder_(recorder),
        file_(std::move(file)),
        chunk_(tracefile::TableId::kEvents, kLevel),
        memory_(recorder.live_blocks(), recorder.options().memory) {}

  // Writing never ends training: what goes wrong ends the recording.
  template <typename Work>
  void guarded(Work work) noexcept;

  void run() noexcept;
  void write_rest();
  void drain();
  void take(Block& block);
  void take_events(std::span<const Record> records, uint32_t thread);
  void note_definitions(size_t first);
  void flush();
  void flush_on_time();
  void flush_events();
  void write_meta(const Options& options);
  void write_clock();
  void write_strings();
  void write_shapes();
  void write_collectives();
  void write_threads();
  void sum_up(uint64_t dropped, uint64_t calls, uint64_t sampled_ticks, uint64_t sampled_calls);
  void sum_up_threads();
  void write_stacks();
  void write_frames(const std::vector<StackNode>& nodes);
  void write_modules(const std::vector<StackNode>& nodes);
  void write_sources();
  void write_tensors();
  void write_losses();
  void write_cost();
  void append();

  uint32_t string_id(const std::string& text);
  void want_string(uint32_t id);
  void want_shapes(uint32_t id);
  void want_stack(uint32_t id);

  Recorder& recorder_;
  tracefile::Writer file_;
  tracefile::ChunkBuilder chunk_;
  Events events_;
  MemoryRows memory_;
  std::vector<uint8_t> written_strings_, written_shapes_, written_collectives_, written_threads_;
  std::vector<uint8_t> wanted_stacks_, written_stacks_, written_modules_;
  std::vector<uint32_t> new_strings_, new_shapes_, new_collectives_, new_stacks_;
  std::map<std::pair<uint32_t, int32_t>, uint32_t> frame_ids_;  // by code and line
  const EvenUnixClock unix_clock_;
  ClockPoint first_clock_ = {0, 0};
  uint64_t last_clock_ticks_ = 0;
  uint64_t last_flush_ticks_ = 0;
  uint64_t sampled_ticks_ = 0, sampled_calls_ = 0;
  const uint64_t refused_before_ = recorder_.refused();
  std::chrono::steady_clock::time_point last_flush_ = std::chrono::steady_clock::now();
  std::atomic<bool> wants_live_blocks_ = false;
  bool failed_ = false;
  Outcome outcome_;

  std::mutex notes_mutex_;  // of the next two
  std::vector<SourceFile> sources_;
  std::vector<TensorNote> tensors_;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace skyline::collect
