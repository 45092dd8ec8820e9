// A part of a recording: what one process writes of itself beside the recorded operators. Samples, pauses of
// the garbage collector, ranges of a DataLoader worker, what the system counts, settings.
//
// Everything is handed in, kept until flush(), and in the file after it, whatever ends the process then.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "collect/sampling/sample_tree.h"
#include "collect/tables/clock.h"
#include "tracefile/tracefile.h"

namespace skyline::collect {

struct SampleRow {
  int64_t os_thread;
  uint64_t ticks;
  uint32_t stack;  // of the tree; SampleTree::kNone: it ran no Python
};

struct PauseRow {
  int64_t os_thread;
  uint64_t start, end;
  int32_t generation;
  int64_t collected;
};

struct RangeRow {
  int64_t os_thread;
  uint64_t start, end;
  std::string name;
};

struct CounterRow {
  uint64_t ticks;
  std::string_view name;  // lives for ever
  double value;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct PartRows {
  std::vector<SampleRow> samples;
  std::vector<PauseRow> pauses;
  std::vector<RangeRow> ranges;
  std::vector<CounterRow> counters;
  Pairs settings;
  Pairs meta;

  bool empty() const {
    return samples.empty() && pauses.empty() && ranges.empty() && counters.empty() && settings.empty() &&
           meta.empty();
  }
};

class PartFile {
 public:
  static Result<PartFile> create(const std::string& path, const Pairs& meta);

  // What the rows name is written before them; a clock reading follows.
  Status flush(const PartRows& rows, SampleTree& tree);
  Status add_loss(std::string_view name, uint64_t count, std::string_view sentence);
  Status finish() { return file_.finish(); }

  // In the child of a fork().
  void abandon() { file_.abandon(); }
  uint64_t bytes() const { return file_.bytes_written(); }

 private:
  explicit PartFile(tracefile::Writer file) : file_(std::move(file)) {}

  Status write_clock();
  Status write_meta(const Pairs& pairs);
  Status write_settings(const Pairs& pairs);
  Status write_definitions(SampleTree& tree);
  Status write_threads();
  Status write_samples(const std::vector<SampleRow>& rows);
  Status write_pauses(const std::vector<PauseRow>& rows);
  Status write_ranges(const std::vector<RangeRow>& rows, SampleTree& tree);
  Status write_counters(const std::vector<CounterRow>& rows, SampleTree& tree);
  uint32_t thread_id(int64_t os_thread);

  tracefile::Writer file_;
  tracefile::ChunkBuilder chunk_{tracefile::TableId::kMeta};
  EvenUnixClock clock_;
  size_t texts_ = 0, frames_ = 0, stacks_ = 0;  // of the tree that are written
  std::map<int64_t, uint32_t> threads_;
  std::vector<int64_t> new_threads_;
};

}  // namespace skyline::collect
