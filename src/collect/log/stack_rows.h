// StackRows: the Python stacks that a file's events name. They have no names until somebody with the GIL has
// asked for them, so they follow the events by a second or two.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "collect/log/chunk_sink.h"
#include "collect/log/definitions.h"
#include "collect/python/stacks.h"
#include "collect/tables/ids.h"

namespace skyline::collect {

class StackRows {
 public:
  // kNoStack: there is none.
  void want(uint32_t id) {
    if (id != kNoStack && wanted_.insert(id)) new_.push_back(id);
  }

  // Those that have their names by now; the others stay wanted.
  void write_to(ChunkSink& sink, Definitions& definitions);

 private:
  std::vector<uint32_t> take_resolved();
  void write_modules(const std::vector<StackNode>& nodes, ChunkSink& sink, Definitions& definitions);
  void write_frames(const std::vector<StackNode>& nodes, ChunkSink& sink, Definitions& definitions);

  IdSet wanted_, written_, written_modules_;
  std::vector<uint32_t> new_;
  std::map<std::pair<uint32_t, int32_t>, uint32_t> frame_ids_;  // by code and line
};

}  // namespace skyline::collect
