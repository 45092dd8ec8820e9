// Appends batches to a TraceBuilder, in file order, translating their ids into the trace's.
#pragma once

#include <map>
#include <unordered_map>

#include "ingest/kineto_json/batch.h"

namespace skyline::ingest::kineto_json {

class Assembler {
 public:
  explicit Assembler(TraceBuilder& builder) : builder_(builder) { known_shape_texts_.clear(); }

  void append(const Batch& batch);

  // Names of processes and threads, and the counts of events; once, behind the last batch.
  void finish();

 private:
  class Translation;

  void translate_strings(const Batch& batch);
  void translate_tracks(const Batch& batch);
  void translate_signatures(const Batch& batch);
  void translate_kernel_shapes(const Batch& batch);
  void append_tables(const Batch& batch);
  void append_flows(const Batch& batch);
  void append_metadata(const Batch& batch);
  void append_counts(const Batch& batch);
  void name_unknown_categories();

  StringId global(StringId local) const { return local.exists() ? strings_[local.value] : StringId(); }

  TraceBuilder& builder_;
  Column<StringId> strings_;  // of the current batch: local id -> global id
  Column<TrackId> tracks_;
  Column<SignatureId> signatures_;
  DistinctRows<SignatureTable> distinct_signatures_;
  Column<KernelShapeId> kernel_shapes_;
  LocalPool known_shape_texts_;
  Column<KernelShapeId> shapes_by_text_;
  DistinctRows<KernelShapeTable> distinct_kernel_shapes_;
  std::unordered_map<uint64_t, TrackId> track_ids_;  // (process, thread) -> track
  std::unordered_map<StringId, StringId, IdHash> process_names_, process_labels_;  // by process
  std::unordered_map<uint64_t, uint64_t> counts_;  // (category, phase) -> events
  std::vector<uint64_t> count_order_;
  std::map<StringId, uint64_t> unknown_;  // category -> events
};

}  // namespace skyline::ingest::kineto_json
