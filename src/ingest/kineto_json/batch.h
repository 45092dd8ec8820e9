// Batch: the tables of one chunk, with ids of the chunk's own. Filled by a ChunkParser on any
// thread, appended to the trace in file order by an Assembler.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>

#include "ingest/kineto_json/local_pool.h"
#include "ingest/kineto_json/raw_event.h"
#include "trace/builder.h"
#include "trace/distinct_rows.h"

namespace skyline::ingest::kineto_json {

// What a metadata event says about a track or a process.
enum class MetadataKind : uint8_t { kProcessName, kProcessLabels, kThreadName };

struct MetadataRow {
  TrackId track;
  StringId text;
  MetadataKind kind;
};

class Batch {
 public:
  LocalPool strings;
  SliceTable slices;
  OpTable ops;
  SignatureTable signatures;
  PythonTable pythons;
  LaunchTable launches;
  ActivityTable activities;
  LocalPool kernel_shapes;  // as written; activities.shape names them
  SyncTable syncs;
  CollectiveTable collectives;
  CompiledCallTable compiled_calls;
  MemoryTable memory;
  CounterTable counters;
  Column<FlowEnd> flows;
  Column<MetadataRow> metadata;
  LossCounts losses;
  uint64_t event_count = 0;
  std::deque<std::string> repaired_texts;  // what `strings` points into beside the chunk

  struct LocalTrack {
    StringId process;
    StringId thread;
  };
  std::vector<LocalTrack> tracks;

  struct LocalCategory {
    StringId word;  // none: the event had no category
    Category category;
    bool is_known;
  };
  std::vector<LocalCategory> categories;
  // Whether it is not known what such events mean. Slices need a category, arrows may have one; the others
  // are known by phase and name.
  static bool is_unknown(const LocalCategory& category, char phase) {
    if (category.is_known) [[likely]]
      return false;
    const bool is_arrow = phase == 's' || phase == 't' || phase == 'f';
    return phase == 'X' || (is_arrow && category.word.exists());
  }
  static constexpr size_t kPhases = 128;
  Column<uint32_t> phase_counts;  // [category · kPhases + phase]

  void clear();

  // Files an event under its phase and category. `offset` is where its text starts in the source.
  void add(const RawEvent& event, uint64_t offset);

 private:
  StringId text(std::string_view written, uint64_t offset);
  TrackId track_of(const RawEvent& event, uint64_t offset);
  uint32_t category_row(std::string_view word);
  bool usable_time(const RawEvent& event, uint64_t offset);

  void add_slice(const RawEvent& event, Category category, uint64_t offset);
  void add_instant(const RawEvent& event, uint64_t offset);
  void add_metadata(const RawEvent& event, uint64_t offset);
  void add_flow(const RawEvent& event, uint64_t offset);
  void add_counter(const RawEvent& event, uint64_t offset);

  uint32_t add_detail(const RawEvent& event, Category category, SliceId slice, CollectiveId collective);
  StringId json(std::string_view value);
  struct Inputs {
    SignatureId signature;
    StringId concrete;
  };
  Inputs inputs(const RawEvent& event);

  // In batch_args.cpp: args that are looked at a second time.
  CollectiveId add_collective(const RawArgs& args, SliceId slice, uint64_t offset);
  void add_sync(const RawArgs& args, SliceId slice);
  void add_compiled_call(const RawArgs& args, SliceId slice);
  Inputs read_inputs(const RawInputs& written);
  StringId quoted_text(std::string_view value);

  // Neighbouring events mostly stand on the same track.
  std::string_view last_process_, last_thread_;
  TrackId last_track_;
  static constexpr size_t kCategoryCache = 64;
  struct CachedCategory {
    std::string_view word;
    uint32_t row;
  };
  CachedCategory category_cache_[kCategoryCache];
  std::unordered_map<StringId, uint32_t, IdHash> category_rows_;
  std::vector<std::pair<uint64_t, uint32_t>> track_table_;  // open addressing: (ids, row)

  // Operators are called the same way over and over: what was written so before is not read again.
  LocalPool input_texts_;
  Column<Inputs> inputs_by_text_;
  DistinctRows<SignatureTable> distinct_signatures_;
  void grow_track_table();
};

}  // namespace skyline::ingest::kineto_json
