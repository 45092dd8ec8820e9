// ThreadRows: the threads of a recording in its file, and what they count in sum.
#pragma once

#include <cstdint>

#include "collect/log/chunk_sink.h"
#include "collect/log/thread_log.h"
#include "collect/tables/ids.h"

namespace skyline::collect {

class ThreadRows {
 public:
  struct Totals {
    uint64_t threads = 0;
    uint64_t dropped = 0;
    uint64_t calls = 0;
    uint64_t sampled_ticks = 0;  // in so many
    uint64_t sampled_calls = 0;
  };

  // Threads that have joined the recording `session` since the last time.
  void write_to(ChunkSink& sink, uint64_t session);

  // Once, when no thread records any more, after write_to().
  Totals sum_up(uint64_t session);

 private:
  void take_ended(uint64_t session);
  void join(uint32_t id, int64_t os_id, const std::string& name);

  IdSet written_;
  Totals totals_;
  std::vector<uint32_t> ids_;  // of those that have joined, for the next chunk
  std::vector<int64_t> os_ids_;
  std::vector<std::string> names_;
};

}  // namespace skyline::collect
