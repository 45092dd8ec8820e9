#include "ingest/kineto_json/assembler.h"

#include <algorithm>

#include "base/utf8.h"
#include "ingest/kineto_json/kernel_shape.h"

namespace skyline::ingest::kineto_json {
namespace {

uint64_t pair_key(StringId a, StringId b) { return static_cast<uint64_t>(a.value) << 32 | b.value; }

template <typename T, typename Translate>
void append_column(Column<T>& to, const Column<T>& from, Translate translate) {
  T* target = to.extend_uninitialized(from.size());
  for (const T& value : from) *target++ = translate(value);
}

struct Rows {
  size_t before, added;
};

// A column that is empty as long as no row has it.
template <typename T, typename Translate>
void append_if_any(Column<T>& to, const Column<T>& from, const ColumnDecl<T>& spec, Translate translate,
                   Rows rows) {
  if (to.empty() && from.empty()) return;
  if (to.empty()) to.assign(rows.before, spec.missing);
  if (!from.empty()) return append_column(to, from, translate);
  T* target = to.extend_uninitialized(rows.added);
  std::fill(target, target + rows.added, spec.missing);
}

}  // namespace

void Assembler::append(const Batch& batch) {
  translate_strings(batch);
  translate_tracks(batch);
  translate_signatures(batch);
  translate_kernel_shapes(batch);
  append_tables(batch);
  append_flows(batch);
  append_metadata(batch);
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

// From ids of the batch to ids of the trace; whatever is no id stays what it is.
class Assembler::Translation {
 public:
  explicit Translation(const Assembler& assembler)
      : assembler_(assembler),
        slices_(static_cast<uint32_t>(draft().slices.size())),
        collectives_(static_cast<uint32_t>(draft().collectives.size())),
        details_{0, static_cast<uint32_t>(draft().ops.size()), static_cast<uint32_t>(draft().pythons.size()),
                 static_cast<uint32_t>(draft().launches.size()),
                 static_cast<uint32_t>(draft().activities.size())} {}

  template <typename T>
  T operator()(T value) const {
    return value;
  }
  StringId operator()(StringId id) const { return assembler_.global(id); }
  TrackId operator()(TrackId id) const { return assembler_.tracks_[id.value]; }
  SliceId operator()(SliceId id) const { return SliceId(id.value + slices_); }
  SignatureId operator()(SignatureId id) const {
    return id.exists() ? assembler_.signatures_[id.value] : SignatureId();
  }
  KernelShapeId operator()(KernelShapeId id) const {
    return id.exists() ? assembler_.kernel_shapes_[id.value] : KernelShapeId();
  }
  CollectiveId operator()(CollectiveId id) const {
    return id.exists() ? CollectiveId(id.value + collectives_) : CollectiveId();
  }

  // A slice's detail is a row of the table for its category, which moves by that table's length.
  uint32_t detail(Category category, uint32_t row) const {
    return row == kNoRow ? kNoRow : row + details_[static_cast<size_t>(detail_of(category))];
  }

 private:
  const Trace& draft() const { return assembler_.builder_.draft; }

  const Assembler& assembler_;
  const uint32_t slices_, collectives_;
  const uint32_t details_[5];  // by DetailTable
};

void Assembler::translate_signatures(const Batch& batch) {
  const Translation translate(*this);
  SignatureTable& signatures = builder_.draft.signatures;
  const size_t known = signatures.size();
  signatures_.clear();
  for (uint32_t i = 0; i < batch.signatures.size(); ++i) {
    SignatureRow row = batch.signatures.row(i);
    SignatureTable::for_each_value(row, [&](StringId& text) { text = translate(text); });
    signatures_.push_back(SignatureId(distinct_signatures_.add(signatures, row)));
  }
  for (size_t row = known; row < signatures.size(); ++row) {
    for (const StringId text : {signatures.dims[row], signatures.types[row], signatures.strides[row]})
      builder_.signature_text_bytes += builder_.draft.strings[text].size();
  }
}

// Most batches launch kernels as those before: what was written so is not read again.
void Assembler::translate_kernel_shapes(const Batch& batch) {
  kernel_shapes_.clear();
  for (const LocalPool::Entry& entry : batch.kernel_shapes.entries()) {
    const uint32_t text = known_shape_texts_.intern(entry.written, LocalPool::Form::kCopied).value;
    if (text == shapes_by_text_.size()) {
      const KernelShapeRow row = read_kernel_shape(entry.written);
      shapes_by_text_.push_back(
          KernelShapeId(distinct_kernel_shapes_.add(builder_.draft.kernel_shapes, row)));
    }
    kernel_shapes_.push_back(shapes_by_text_[text]);
  }
}

void Assembler::append_tables(const Batch& batch) {
  Trace& draft = builder_.draft;
  const Translation translate(*this);
  const size_t first = draft.slices.size();
  const auto append = [&]<typename Table>(Table& to, const Table& from) {
    const Rows rows = {to.size(), from.size()};
    Table::for_each_column(
        [&](const auto& spec, auto& target, const auto& source) {
          if (spec.filled == Filled::kRead) append_column(target, source, translate);
          if (spec.filled == Filled::kIfAny) append_if_any(target, source, spec, translate, rows);
        },
        to, from);
  };
  append(draft.slices, batch.slices);
  append(draft.ops, batch.ops);
  append(draft.pythons, batch.pythons);
  append(draft.launches, batch.launches);
  append(draft.activities, batch.activities);
  append(draft.syncs, batch.syncs);
  append(draft.collectives, batch.collectives);
  append(draft.compiled_calls, batch.compiled_calls);
  append(draft.memory, batch.memory);
  append(draft.counters, batch.counters);
  for (size_t i = first; i < draft.slices.size(); ++i) {
    draft.slices.detail[i] = translate.detail(draft.slices.category[i], draft.slices.detail[i]);
  }
}

void Assembler::append_flows(const Batch& batch) {
  append_column(builder_.forward_backward, batch.flows, [&](FlowEnd end) {
    return FlowEnd{end.id, end.time_ns, tracks_[end.track.value], end.is_start};
  });
}

void Assembler::append_metadata(const Batch& batch) {
  Trace& draft = builder_.draft;
  for (const MetadataRow& row : batch.metadata) {
    const TrackId id = tracks_[row.track.value];
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

}  // namespace skyline::ingest::kineto_json
