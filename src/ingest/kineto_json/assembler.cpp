#include "ingest/kineto_json/assembler.h"

#include <algorithm>

#include "base/utf8.h"

namespace skyline::kineto_json {
namespace {

uint64_t pair_key(StringId a, StringId b) { return static_cast<uint64_t>(a.value) << 32 | b.value; }

template <typename T>
void append_column(Column<T>& to, const Column<T>& from) {
  std::copy(from.begin(), from.end(), to.extend_uninitialized(from.size()));
}

template <typename T, typename Translate>
void append_column(Column<T>& to, const Column<T>& from, Translate translate) {
  T* target = to.extend_uninitialized(from.size());
  for (const T& value : from) *target++ = translate(value);
}

}  // namespace

void Assembler::append(const Batch& batch) {
  translate_strings(batch);
  translate_tracks(batch);
  append_details(batch);
  append_slices(batch);
  append_instants(batch);
  append_counts(batch);
  builder_.draft.event_count += batch.event_count;
  builder_.draft.losses.merge(batch.losses);
}

// Local ids count in order of first appearance, so the global ones do too, for any chunk size.
void Assembler::translate_strings(const Batch& batch) {
  const std::vector<LocalPool::Entry>& entries = batch.strings.entries();
  strings_.resize_uninitialized(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) strings_[i] = builder_.draft.strings.intern(entries[i].text);
}

void Assembler::translate_tracks(const Batch& batch) {
  tracks_.clear();
  for (const Batch::LocalTrack& local : batch.tracks) {
    const StringId process = global(local.process), thread = global(local.thread);
    const auto next = TrackId(static_cast<uint32_t>(builder_.draft.tracks.size()));
    const auto [entry, is_new] = track_ids_.try_emplace(pair_key(process, thread), next);
    if (is_new) {
      Track track;
      track.process = process;
      track.thread = thread;
      builder_.draft.tracks.push_back(track);
    }
    tracks_.push_back(entry->second);
  }
}

void Assembler::append_slices(const Batch& batch) {
  SliceTable& to = builder_.draft.slices;
  const SliceTable& from = batch.slices;
  append_column(to.start_ns, from.start_ns);
  append_column(to.dur_ns, from.dur_ns);
  append_column(to.name, from.name, [&](StringId id) { return strings_[id.value]; });
  append_column(to.track, from.track, [&](TrackId id) { return tracks_[id.value]; });
  append_column(to.category, from.category);
  append_column(to.offset, from.offset);
}

void Assembler::append_details(const Batch& batch) {
  Trace& draft = builder_.draft;
  const auto text = [&](StringId id) { return global(id); };
  const auto first_slice = static_cast<uint32_t>(draft.slices.size());
  const auto slice = [&](SliceId id) { return SliceId(id.value + first_slice); };

  // A slice's detail is a row of the table for its category, which moves by that table's length.
  const auto ops = static_cast<uint32_t>(draft.ops.size()),
             pythons = static_cast<uint32_t>(draft.pythons.size());
  const auto launches = static_cast<uint32_t>(draft.launches.size());
  const auto activities = static_cast<uint32_t>(draft.activities.size());
  uint32_t* detail = draft.slices.detail.extend_uninitialized(batch.slices.size());
  for (size_t i = 0; i < batch.slices.size(); ++i) {
    const Category category = batch.slices.category[i];
    const uint32_t row = batch.slices.detail[i];
    if (row == kNoRow) {
      detail[i] = kNoRow;
    } else if (is_activity(category)) {
      detail[i] = row + activities;
    } else if (is_launch(category)) {
      detail[i] = row + launches;
    } else {
      detail[i] = row + (category == Category::kPython ? pythons : ops);
    }
  }

  append_column(draft.ops.slice, batch.ops.slice, slice);
  append_column(draft.ops.external_id, batch.ops.external_id);
  append_column(draft.ops.sequence, batch.ops.sequence);
  append_column(draft.ops.fwd_thread, batch.ops.fwd_thread);
  append_column(draft.ops.input_dims, batch.ops.input_dims, text);
  append_column(draft.ops.input_types, batch.ops.input_types, text);

  append_column(draft.pythons.slice, batch.pythons.slice, slice);
  append_column(draft.pythons.python_id, batch.pythons.python_id);
  append_column(draft.pythons.parent_id, batch.pythons.parent_id);
  append_column(draft.pythons.module_id, batch.pythons.module_id);

  append_column(draft.launches.slice, batch.launches.slice, slice);
  append_column(draft.launches.correlation, batch.launches.correlation);
  append_column(draft.launches.external_id, batch.launches.external_id);

  const auto collectives = static_cast<uint32_t>(draft.collectives.size());
  append_column(draft.activities.slice, batch.activities.slice, slice);
  append_column(draft.activities.correlation, batch.activities.correlation);
  append_column(draft.activities.device, batch.activities.device);
  append_column(draft.activities.stream, batch.activities.stream);
  append_column(draft.activities.bytes, batch.activities.bytes);
  append_column(draft.activities.collective, batch.activities.collective,
                [&](uint32_t row) { return row == kNoRow ? kNoRow : row + collectives; });

  append_column(draft.collectives.slice, batch.collectives.slice, slice);
  append_column(draft.collectives.name, batch.collectives.name, text);
  append_column(draft.collectives.dtype, batch.collectives.dtype, text);
  append_column(draft.collectives.group_name, batch.collectives.group_name, text);
  append_column(draft.collectives.group_ranks, batch.collectives.group_ranks, text);
  append_column(draft.collectives.in_elements, batch.collectives.in_elements);
  append_column(draft.collectives.out_elements, batch.collectives.out_elements);
  append_column(draft.collectives.group_size, batch.collectives.group_size);
}

void Assembler::append_instants(const Batch& batch) {
  Trace& draft = builder_.draft;
  const auto text = [&](StringId id) { return global(id); };
  const auto track = [&](TrackId id) { return tracks_[id.value]; };
  append_column(draft.memory.time_ns, batch.memory.time_ns);
  append_column(draft.memory.track, batch.memory.track, track);
  append_column(draft.memory.address, batch.memory.address);
  append_column(draft.memory.bytes, batch.memory.bytes);
  append_column(draft.memory.total_allocated, batch.memory.total_allocated);
  append_column(draft.memory.total_reserved, batch.memory.total_reserved);
  append_column(draft.memory.device_type, batch.memory.device_type);
  append_column(draft.memory.device_id, batch.memory.device_id);

  append_column(draft.counters.time_ns, batch.counters.time_ns);
  append_column(draft.counters.track, batch.counters.track, track);
  append_column(draft.counters.name, batch.counters.name, text);
  append_column(draft.counters.key, batch.counters.key, text);
  append_column(draft.counters.value, batch.counters.value);

  append_column(builder_.forward_backward, batch.flows, [&](FlowEnd end) {
    return FlowEnd{end.id, end.time_ns, track(end.track), end.is_start};
  });

  for (const MetadataRow& row : batch.metadata) {
    const TrackId id = track(row.track);
    const StringId process = draft.tracks[id.value].process;
    switch (row.kind) {
      case MetadataKind::kProcessName:
        process_names_[process] = global(row.text);
        break;
      case MetadataKind::kProcessLabels:
        process_labels_[process] = global(row.text);
        break;
      case MetadataKind::kThreadName:
        draft.tracks[id.value].thread_name = global(row.text);
        break;
    }
  }
}

void Assembler::append_counts(const Batch& batch) {
  for (size_t row = 0; row < batch.categories.size(); ++row) {
    const StringId word = global(batch.categories[row].word);
    for (uint32_t phase = 0; phase < Batch::kPhases; ++phase) {
      const uint32_t count = batch.phase_counts[row * Batch::kPhases + phase];
      if (count == 0) continue;
      const uint64_t key = static_cast<uint64_t>(word.value) << 32 | phase;
      const auto [entry, is_new] = counts_.try_emplace(key, 0);
      if (is_new) count_order_.push_back(key);
      entry->second += count;
      if (Batch::is_unknown(batch.categories[row], static_cast<char>(phase))) unknown_[word] += count;
    }
  }
}

// "gpu_kernel 768, other 12 and 2 more": the most frequent first, words of equal count in the order of the
// file.
void Assembler::name_unknown_categories() {
  if (unknown_.empty()) return;
  constexpr size_t kMostNames = 4, kLongestName = 48;
  std::vector<std::pair<StringId, uint64_t>> words(unknown_.begin(), unknown_.end());
  std::stable_sort(words.begin(), words.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string names;
  for (size_t i = 0; i < words.size() && i < kMostNames; ++i) {
    const std::string_view word = builder_.draft.strings[words[i].first];
    const std::string_view shown = prefix_utf8(word, kLongestName);
    names += i == 0 ? "" : ", ";
    names += word.empty() ? "none" : std::string(shown) + (shown.size() < word.size() ? "…" : "");
    names += " " + std::to_string(words[i].second);
  }
  if (words.size() > kMostNames) names += " and " + std::to_string(words.size() - kMostNames) + " more";
  builder_.draft.losses.describe(Loss::kUnknownCategory, std::move(names));
}

void Assembler::finish() {
  Trace& draft = builder_.draft;
  name_unknown_categories();
  for (Track& track : draft.tracks) {
    const auto name = process_names_.find(track.process), label = process_labels_.find(track.process);
    if (name != process_names_.end()) track.process_name = name->second;
    if (label != process_labels_.end()) track.process_label = label->second;
  }
  // Words in the order of their ids, which is that of the file; events without a word last.
  std::sort(count_order_.begin(), count_order_.end());
  for (const uint64_t key : count_order_) {
    draft.event_counts.push_back(
        {StringId(static_cast<uint32_t>(key >> 32)), static_cast<char>(key & 0xffffffff), counts_[key]});
  }
}

}  // namespace skyline::kineto_json
