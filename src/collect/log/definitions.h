// Definitions: the texts behind the numbers that a file's rows name, each written once, before the first
// chunk that names it, so that a file cut at any chunk can be read.
#pragma once

#include <string>
#include <vector>

#include "collect/log/chunk_sink.h"
#include "collect/tables/ids.h"
#include "collect/tables/intern_table.h"

namespace skyline::collect {

class Definitions {
 public:
  Definitions(InternTable& names, InternTable& shapes, InternTable& collectives)
      : names_(names), shapes_(shapes), collectives_(collectives) {}

  void want_name(uint32_t id) { want(id, written_names_, new_names_); }
  // kNoId: there is nothing to define.
  void want_shapes(uint32_t id) { want(id, written_shapes_, new_shapes_); }
  void want_collective(uint32_t id) { want(id, written_collectives_, new_collectives_); }

  // The number of a text of the writer's own, which is wanted from now on.
  uint32_t string_id(const std::string& text);

  // What is wanted and not written yet: all of it, or names alone, for tables that name nothing else.
  void write_to(ChunkSink& sink);
  void write_names(ChunkSink& sink);

 private:
  static void want(uint32_t id, IdSet& written, std::vector<uint32_t>& wanted) {
    if (id != kNoId && written.insert(id)) wanted.push_back(id);
  }
  void write_shapes(ChunkSink& sink);
  void write_collectives(ChunkSink& sink);

  InternTable &names_, &shapes_, &collectives_;
  IdSet written_names_, written_shapes_, written_collectives_;
  std::vector<uint32_t> new_names_, new_shapes_, new_collectives_;
};

}  // namespace skyline::collect
