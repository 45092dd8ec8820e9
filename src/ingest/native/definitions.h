// What a recorded file defines once and its events refer to by id.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/native/id_map.h"
#include "ingest/native/tick_clock.h"
#include "trace/trace.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

struct Thread {
  int64_t os_tid;
  std::string_view name;
};

struct Shape {
  std::string_view dims, types, strides;  // JSON without white space
  std::string_view values;                // JSON; empty: not recorded
};

struct Frame {
  uint32_t file, function;  // ids of strings
  int32_t line;
};

struct Module {
  uint32_t name, class_name;  // ids of strings
};

struct Stack {
  uint32_t parent, frame, module;  // ids of stacks, frames, modules
};

struct Collective {
  uint32_t name, dtype, group_name, group_ranks;  // ids of strings
  int64_t in_elements, out_elements, group_size;
};

struct Definitions {
  IdMap<std::string_view> strings;
  IdMap<Thread> threads;
  IdMap<Shape> shapes;
  IdMap<Frame> frames;
  IdMap<Module> modules;
  IdMap<Stack> stacks;
  IdMap<Collective> collectives;
  // Ids in the order of the file.
  std::vector<uint32_t> thread_ids, frame_ids, module_ids, stack_ids;

  TickClock clock;
  std::map<std::string, std::string, std::less<>> meta;
  std::vector<SourceFile> sources;
  std::map<std::string, std::pair<uint64_t, std::string>, std::less<>> losses;  // name -> count, sentence

  std::string_view text(uint32_t string) const {
    const std::string_view* text = strings.find(string);
    return text == nullptr ? std::string_view() : *text;
  }
  std::string_view meta_text(std::string_view key) const {
    const auto found = meta.find(key);
    return found == meta.end() ? std::string_view() : std::string_view(found->second);
  }
  int64_t meta_number(std::string_view key, int64_t otherwise) const;

  std::vector<tracefile::Texts> kept;  // what the views look into
};

// Chunks that are damaged are counted and left out.
std::shared_ptr<const Definitions> read_definitions(const tracefile::Reader& reader, LossCounts& losses);

}  // namespace skyline::ingest::native
