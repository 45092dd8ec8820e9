// Binary answers: the layout that protocol/README.md describes, column by column.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyze/analyze.h"

namespace skyline::serve {

// Everything behind the number of the request, which is 8 bytes: columns stay aligned.
class TileBytes {
 public:
  TileBytes(const Trace& trace, size_t tiles);

  // Slices of a track; those of at least `named_ns` come with their names.
  void add_track(uint32_t track, std::span<const analyze::TimelineEntry> entries,
                 const analyze::TimelineKinds& kinds, int64_t named_ns);

  void add_counter(uint32_t counter, std::span<const analyze::CounterPoint> points);

  std::string finish() && { return std::move(bytes_); }

 private:
  void put_u32(uint32_t value);
  template <typename T, typename Values, typename Get>
  void put_column(const Values& values, Get get);

  const Trace& trace_;
  std::string bytes_;
};

}  // namespace skyline::serve
