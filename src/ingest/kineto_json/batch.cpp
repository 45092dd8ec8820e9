#include "ingest/kineto_json/batch.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ingest/kineto_json/categories.h"
#include "ingest/kineto_json/decimal.h"
#include "ingest/kineto_json/members.h"
#include "ingest/kineto_json/text_decode.h"

namespace skyline::ingest::kineto_json {
namespace {

constexpr uint64_t kFree = UINT64_MAX;
constexpr uint32_t kNoWord = UINT32_MAX;
constexpr int64_t kEarliest = -(int64_t{1} << 61), kLongest = int64_t{1} << 53;

bool is_forward_backward(std::string_view category) {
  return stands_for(category, "fwdbwd") ||
         stands_for(category, "forward_backward");  // the latter up to torch 1.11
}

}  // namespace

void Batch::clear() {
  strings.clear();
  clear_tables(slices, ops, signatures, pythons, launches, activities, syncs, collectives, compiled_calls,
               memory, counters);
  input_texts_.clear();
  inputs_by_text_.clear();
  distinct_signatures_.clear();
  kernel_shapes.clear();
  flows.clear();
  metadata.clear();
  phase_counts.clear();
  losses = LossCounts();
  event_count = 0;
  repaired_texts.clear();
  tracks.clear();
  categories.clear();
  category_rows_.clear();
  last_track_ = TrackId();
  for (CachedCategory& cached : category_cache_) cached = {{}, kNoWord};
  track_table_.assign(256, {kFree, 0});
}

void Batch::add(const RawEvent& event, uint64_t offset) {
  ++event_count;
  const uint32_t category = category_row(event.category);
  const auto phase = static_cast<unsigned char>(event.phase);
  ++phase_counts[category * kPhases + (phase < kPhases ? phase : 0)];
  losses.add(Loss::kRepeatedKey, offset, event.repeated_keys);
  losses.add(Loss::kBadNumber, offset, event.bad_numbers);
  losses.add(Loss::kQuotedNumber, offset, event.quoted_numbers);
  losses.add(Loss::kBareToken, offset, event.bare_tokens);
  if (event.inexact_time) losses.add(Loss::kSubNanosecond, offset);
  if (is_unknown(categories[category], event.phase)) losses.add(Loss::kUnknownCategory, offset);
  switch (event.phase) {
    case 'X':
      return add_slice(event, categories[category].category, offset);
    case 'i':
    case 'I':
      return add_instant(event, offset);
    case 'M':
      return add_metadata(event, offset);
    case 's':
    case 'f':
      return add_flow(event, offset);
    case 't':
      return;  // a flow's intermediate stop: nothing starts or ends there
    case 'C':
      return add_counter(event, offset);
    case '\0':
      return losses.add(Loss::kNoPhase, offset);
    default:
      return losses.add(Loss::kUnsupportedPhase, offset);
  }
}

StringId Batch::text(std::string_view written, uint64_t offset) {
  const StringId id = strings.intern(written);
  if (strings.repaired(id)) losses.add(Loss::kRepairedText, offset);
  return id;
}

TrackId Batch::track_of(const RawEvent& event, uint64_t offset) {
  if (last_track_.exists() && event.process == last_process_ && event.thread == last_thread_)
    return last_track_;
  last_process_ = event.process;
  last_thread_ = event.thread;
  const StringId process = text(event.process, offset), thread = text(event.thread, offset);
  const uint64_t ids = static_cast<uint64_t>(process.value) << 32 | thread.value;
  if (tracks.size() * 2 >= track_table_.size()) grow_track_table();
  size_t slot = mix_u64(ids, 0x9e3779b97f4a7c15) & (track_table_.size() - 1);
  while (track_table_[slot].first != kFree && track_table_[slot].first != ids) {
    slot = (slot + 1) & (track_table_.size() - 1);
  }
  if (track_table_[slot].first == kFree) {
    track_table_[slot] = {ids, static_cast<uint32_t>(tracks.size())};
    tracks.push_back({process, thread});
  }
  // Repairs are counted for each event, so such a track is looked up each time.
  const TrackId track(track_table_[slot].second);
  last_track_ = strings.repaired(process) || strings.repaired(thread) ? TrackId() : track;
  return track;
}

void Batch::grow_track_table() {
  std::vector<std::pair<uint64_t, uint32_t>> old(track_table_.size() * 2, {kFree, 0});
  old.swap(track_table_);
  for (const auto& entry : old) {
    if (entry.first == kFree) continue;
    size_t slot = mix_u64(entry.first, 0x9e3779b97f4a7c15) & (track_table_.size() - 1);
    while (track_table_[slot].first != kFree) slot = (slot + 1) & (track_table_.size() - 1);
    track_table_[slot] = entry;
  }
}

uint32_t Batch::category_row(std::string_view word) {
  const size_t last = word.empty() ? 0 : static_cast<unsigned char>(word.back());
  const size_t middle = word.empty() ? 0 : static_cast<unsigned char>(word[word.size() / 2]);
  CachedCategory& cached = category_cache_[(word.size() + last * 7 + middle * 3) % kCategoryCache];
  if (cached.row != kNoWord && cached.word == word) return cached.row;
  const StringId id = word.empty() ? StringId() : strings.intern(word);
  const auto [entry, is_new] = category_rows_.try_emplace(id, static_cast<uint32_t>(categories.size()));
  const uint32_t row = entry->second;
  if (is_new) {
    const std::string_view decoded = id.exists() ? strings.entries()[id.value].text : std::string_view();
    const std::optional<Category> meant = category_of(decoded);
    categories.push_back({id, meant.value_or(Category::kOther), meant.has_value()});
    uint32_t* counts = phase_counts.extend_uninitialized(kPhases);
    std::fill(counts, counts + kPhases, 0);
  }
  cached = {word, row};
  return row;
}

// A time lies within -2^61 and 2^62 ns, a duration below 2^53 ns (104 days): no end, no span of the whole
// trace and no sum of a thousand durations overflows.
bool Batch::usable_time(const RawEvent& event, uint64_t offset) {
  const bool in_range = event.time_ns > kEarliest && event.duration_ns < kLongest;
  if (event.time == Seen::kGood && event.duration != Seen::kBad && in_range) return true;
  losses.add(Loss::kBadTime, offset);
  return false;
}

void Batch::add_slice(const RawEvent& event, Category category, uint64_t offset) {
  if (!usable_time(event, offset)) return;
  if (event.duration == Seen::kNo) return losses.add(Loss::kNoDuration, offset);
  if (event.duration_ns < 0) return losses.add(Loss::kNegativeDuration, offset);
  const SliceId slice(static_cast<uint32_t>(slices.size()));
  slices.add({.start_ns = event.time_ns,
              .dur_ns = event.duration_ns,
              .name = text(event.name, offset),
              .track = track_of(event, offset),
              .category = category,
              .source_place = offset});
  const CollectiveId collective =
      event.args.has_collective ? add_collective(event.args, slice, offset) : CollectiveId();
  if (category == Category::kSync || category == Category::kCudaEvent) add_sync(event.args, slice);
  if (event.args.has_compiled_call && is_op_or_range(category)) add_compiled_call(event.args, slice);
  slices.detail.back() = add_detail(event, category, slice, collective);
}

uint32_t Batch::add_detail(const RawEvent& event, Category category, SliceId slice, CollectiveId collective) {
  const RawArgs& args = event.args;
  switch (detail_of(category)) {
    case DetailTable::kOps: {
      const Inputs in = inputs(event);
      return ops.add({.slice = slice,
                      .external_id = args.external_id,
                      .sequence = args.sequence,
                      .fwd_thread = static_cast<uint32_t>(std::min<uint64_t>(args.fwd_thread, UINT32_MAX)),
                      .signature = in.signature,
                      .concrete_inputs = in.concrete});
    }
    case DetailTable::kPythons:
      return pythons.add({.slice = slice,
                          .python_id = args.python_id,
                          .parent_id = args.python_parent_id,
                          .module_id = args.python_module_id});
    case DetailTable::kLaunches:
      return launches.add({.slice = slice, .correlation = args.correlation, .external_id = args.external_id});
    case DetailTable::kActivities: {
      // Kernels are launched the same way over and over; what it means is read when the batch is appended.
      const std::string_view shape = args.kernel_shape;
      return activities.add(
          {.slice = slice,
           .correlation = args.correlation,
           .device = args.device,
           .stream = args.stream,
           .bytes = args.copy_bytes,
           .collective = collective,
           .shape = shape.empty() ? KernelShapeId()
                                  : KernelShapeId(kernel_shapes.intern(shape, LocalPool::Form::kRaw).value),
           .graph_id = args.graph_id,
           .graph_node = args.graph_node});
    }
    case DetailTable::kNone:
      break;
  }
  return kNoRow;
}

StringId Batch::json(std::string_view value) {
  return value.empty() ? StringId() : strings.intern(value, LocalPool::Form::kJson);
}

Batch::Inputs Batch::inputs(const RawEvent& event) {
  if (event.args.inputs.empty()) return {};
  const uint32_t text = input_texts_.intern(event.args.inputs, LocalPool::Form::kRaw).value;
  if (text == inputs_by_text_.size()) inputs_by_text_.push_back(read_inputs(event.inputs));
  return inputs_by_text_[text];
}

// Of the instants only [memory] carries figures; the others mark the recording itself.
void Batch::add_instant(const RawEvent& event, uint64_t offset) {
  if (!stands_for(event.name, "[memory]")) return;
  if (!usable_time(event, offset)) return;
  const RawArgs& args = event.args;
  if (args.bytes == kUnknownBytes) return losses.add(Loss::kBadMemory, offset);
  memory.add({.time_ns = event.time_ns,
              .track = track_of(event, offset),
              .address = args.address,
              .bytes = args.bytes,
              .total_allocated = args.total_allocated,
              .total_reserved = args.total_reserved,
              .device_type = static_cast<int32_t>(args.device_type),
              .device_id = static_cast<int32_t>(args.device_id)});
}

void Batch::add_metadata(const RawEvent& event, uint64_t offset) {
  const auto add = [&](MetadataKind kind, std::string_view written) {
    if (!written.empty()) metadata.push_back({track_of(event, offset), text(written, offset), kind});
  };
  if (stands_for(event.name, "process_name")) add(MetadataKind::kProcessName, event.args.name);
  if (stands_for(event.name, "process_labels")) add(MetadataKind::kProcessLabels, event.args.labels);
  if (stands_for(event.name, "thread_name")) add(MetadataKind::kThreadName, event.args.name);
}

// Launch arrows are not kept: correlation ids say the same and say it right.
void Batch::add_flow(const RawEvent& event, uint64_t offset) {
  if (!is_forward_backward(event.category) || !event.has_id) return;
  if (!usable_time(event, offset)) return;
  flows.push_back({event.id, event.time_ns, track_of(event, offset), event.phase == 's'});
}

void Batch::add_counter(const RawEvent& event, uint64_t offset) {
  if (!usable_time(event, offset)) return;
  size_t found = 0;
  for_each_member(event.args.text, [&](std::string_view key, std::string_view value) {
    double number = 0;
    const char* end = value.data() + value.size();
    const std::from_chars_result read = std::from_chars(value.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(number)) return;
    counters.add({.time_ns = event.time_ns,
                  .track = track_of(event, offset),
                  .name = text(event.name, offset),
                  .key = text(key, offset),
                  .value = number});
    ++found;
  });
  if (found == 0) losses.add(Loss::kBadCounter, offset);
}

}  // namespace skyline::ingest::kineto_json
