// What could not be used, counted by kind, so that nothing is dropped silently.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace skyline {

enum class Severity : uint8_t {
  kNotice,    // repaired or merely odd; figures are not affected
  kDataLoss,  // something is missing from the figures
};

enum class Loss : uint8_t {
  kTruncated,
  kCorruptStream,
  kChanged,
  kMalformedEvent,
  kTooLong,
  kRepairedEvent,
  kMissingComma,
  kExtraComma,
  kRepeatedKey,
  kNotAnObject,
  kNoPhase,
  kUnsupportedPhase,
  kUnknownCategory,
  kBadTime,
  kSubNanosecond,
  kNoDuration,
  kNegativeDuration,
  kBadNumber,
  kQuotedNumber,
  kBareToken,
  kRepairedText,
  kBadMetadata,
  kBadMemory,
  kBadCounter,
  kTrailingBytes,
  kDamagedChunk,
  kUnknownId,
  kSumTooLarge,
  kDroppedEvents,
  kRecorderTooMany,
  kRecorderStopped,
  kRecorderOther,
  kDevicePart,
};

struct LossKind {
  Loss loss;
  std::string_view name;
  Severity severity;
  std::string_view sentence;
};

// One line per kind, in the order of the enum.
inline constexpr std::array<LossKind, 33> kLosses = {{
    {Loss::kTruncated, "file.truncated", Severity::kDataLoss,
     "the file ends in the middle of the data; everything before that point is used"},
    {Loss::kCorruptStream, "file.corrupt_stream", Severity::kDataLoss,
     "the compressed data is damaged; everything before that point is used"},
    {Loss::kChanged, "file.changed", Severity::kDataLoss,
     "the file was changed while it was read; what was read may be of two versions"},
    {Loss::kMalformedEvent, "event.malformed", Severity::kDataLoss,
     "events that are not valid JSON and could not be repaired"},
    {Loss::kTooLong, "event.too_long", Severity::kDataLoss, "events longer than 16 MiB, which are not read"},
    {Loss::kRepairedEvent, "event.repaired", Severity::kNotice,
     "events with broken JSON (such as unescaped quotes) that were repaired and are used"},
    {Loss::kMissingComma, "json.missing_comma", Severity::kNotice, "commas missing between events"},
    {Loss::kExtraComma, "json.extra_comma", Severity::kNotice, "commas without an event between them"},
    {Loss::kRepeatedKey, "json.repeated_key", Severity::kNotice,
     "keys that come twice in an event, of which the last counts"},
    {Loss::kNotAnObject, "event.not_an_object", Severity::kDataLoss,
     "entries of traceEvents that are not JSON objects"},
    {Loss::kNoPhase, "event.no_phase", Severity::kDataLoss, "events without a phase (`ph`)"},
    {Loss::kUnsupportedPhase, "event.unsupported_phase", Severity::kDataLoss,
     "events of a phase that PyTorch does not write"},
    {Loss::kUnknownCategory, "event.unknown_category", Severity::kDataLoss,
     "events of a category that Skyline does not know, so that they are in no figure"},
    {Loss::kBadTime, "event.bad_time", Severity::kDataLoss,
     "events whose time is missing, not a number or out of range"},
    {Loss::kSubNanosecond, "time.sub_nanosecond", Severity::kNotice,
     "times with digits below one nanosecond, which were cut off"},
    {Loss::kNoDuration, "slice.no_duration", Severity::kDataLoss, "complete events without a duration"},
    {Loss::kNegativeDuration, "slice.negative_duration", Severity::kDataLoss,
     "complete events with a negative duration"},
    {Loss::kBadNumber, "args.bad_number", Severity::kDataLoss,
     "ids or sizes in args that are not numbers or do not fit into 64 bits"},
    {Loss::kQuotedNumber, "time.quoted", Severity::kNotice,
     "times written as text, which were read as numbers"},
    {Loss::kBareToken, "json.bare_token", Severity::kNotice,
     "values such as NaN or N/A that JSON does not know"},
    {Loss::kRepairedText, "text.repaired", Severity::kNotice,
     "texts with invalid UTF-8, lone surrogates, control characters or unknown escapes"},
    {Loss::kBadMetadata, "metadata.unreadable", Severity::kNotice,
     "keys beside traceEvents whose value could not be read"},
    {Loss::kBadMemory, "memory.unreadable", Severity::kDataLoss, "[memory] events without a size"},
    {Loss::kBadCounter, "counter.unreadable", Severity::kDataLoss, "counter events without a readable value"},
    {Loss::kTrailingBytes, "file.trailing_bytes", Severity::kNotice, "bytes after the end of the trace"},
    {Loss::kDamagedChunk, "file.damaged_chunk", Severity::kDataLoss,
     "parts of the file that are damaged (wrong checksum); what they held is missing"},
    {Loss::kUnknownId, "event.unknown_id", Severity::kDataLoss,
     "events that name a text, thread, stack or shape which the file does not define"},
    {Loss::kSumTooLarge, "sum.too_large", Severity::kDataLoss,
     "events with times or sizes whose sum does not fit into 64 bits: totals with them stay at the largest "
     "number"},
    {Loss::kDroppedEvents, "recorder.dropped", Severity::kDataLoss,
     "events that the recorder dropped because its memory was full"},
    {Loss::kRecorderTooMany, "recorder.too_many", Severity::kDataLoss,
     "names, input shapes or Python stacks beyond the recorder's memory: these have a common name, no shapes "
     "or a shorter stack"},
    {Loss::kRecorderStopped, "recorder.stopped", Severity::kDataLoss,
     "the recorder stopped before it was told to"},
    {Loss::kRecorderOther, "recorder.other", Severity::kDataLoss,
     "things that the recorder could not keep (`skyline info` lists them)"},
    {Loss::kDevicePart, "recorder.device_part", Severity::kDataLoss,
     "what was recorded of the devices is missing or cannot be read: there are operators, but no kernels"},
}};

// By its name in files; nullptr: a kind of another version.
constexpr const LossKind* find_loss(std::string_view name) {
  for (const LossKind& kind : kLosses) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

// Counts per kind with the place of the first one. Merging counts is order-independent.
class LossCounts {
 public:
  struct Entry {
    uint64_t count = 0;
    uint64_t first_offset = UINT64_MAX;  // in the uncompressed text
    std::string detail;  // what exactly, as far as the reader says more than the kind's sentence
  };

  void add(Loss loss, uint64_t offset, uint64_t count = 1) {
    if (count == 0) return;
    Entry& entry = entries_[static_cast<size_t>(loss)];
    entry.count += count;
    if (offset < entry.first_offset) entry.first_offset = offset;
  }
  void merge(const LossCounts& other) {
    for (const LossKind& kind : kLosses)
      add(kind.loss, other[kind.loss].first_offset, other[kind.loss].count);
  }
  // For who copies a trace: the copy shows a part of what was lost, and says how much it was.
  void raise_to(Loss loss, uint64_t offset, uint64_t count) {
    const uint64_t found = (*this)[loss].count;
    if (count > found) add(loss, offset, count - found);
  }
  void describe(Loss loss, std::string detail) {
    entries_[static_cast<size_t>(loss)].detail = std::move(detail);
  }
  const Entry& operator[](Loss loss) const { return entries_[static_cast<size_t>(loss)]; }

  uint64_t total(Severity severity) const {
    uint64_t sum = 0;
    for (const LossKind& kind : kLosses) {
      if (kind.severity == severity) sum += (*this)[kind.loss].count;
    }
    return sum;
  }

 private:
  std::array<Entry, kLosses.size()> entries_;
};

// The kind's sentence with the detail behind it, without a full stop.
inline std::string sentence_of(const LossKind& kind, const LossCounts& losses) {
  const std::string& detail = losses[kind.loss].detail;
  return std::string(kind.sentence) + (detail.empty() ? "" : ": " + detail);
}

}  // namespace skyline
