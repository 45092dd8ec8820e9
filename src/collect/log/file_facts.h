// What a file says of its recording as a whole: what was asked for, at its beginning; what was lost and what
// it cost, at its end.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "collect/log/chunk_sink.h"
#include "collect/tables/options.h"

namespace skyline::collect {

void write_settings(const Options& options, ChunkSink& sink);

struct Loss {
  std::string_view name;
  uint64_t count;  // 0: none, and nothing is written
  std::string_view sentence;
};
void write_losses(std::span<const Loss> losses, ChunkSink& sink);

struct Cost {
  uint64_t calls;
  uint64_t ns;  // 0: not known, as short recordings have no sample
  WayTaken way;
};
void write_cost(const Cost& cost, ChunkSink& sink);

}  // namespace skyline::collect
