// ChunkSink: a recording's file, one chunk after the other. A chunk that cannot be written ends the
// recording; what was written before stays readable, and nothing is written after it.
#pragma once

#include <functional>
#include <string_view>

#include "tracefile/tracefile.h"

namespace skyline::collect {

class ChunkSink {
 public:
  // Hears why nothing more is written; may be called more than once.
  using GiveUp = std::function<void(std::string_view sentence)>;

  ChunkSink(tracefile::Writer file, GiveUp give_up);

  // An empty chunk, to be filled before append().
  tracefile::ChunkBuilder& begin(tracefile::TableId table);
  void append();

  // Marks the file as complete, unless something went wrong.
  void finish();
  // In the child of a fork(): the file is the parent's.
  void abandon() { file_.abandon(); }

  void fail(std::string_view sentence) noexcept;
  bool has_failed() const { return has_failed_; }
  uint64_t bytes_written() const { return file_.bytes_written(); }

 private:
  tracefile::Writer file_;
  tracefile::ChunkBuilder chunk_;
  const GiveUp give_up_;
  bool has_failed_ = false;
};

}  // namespace skyline::collect
