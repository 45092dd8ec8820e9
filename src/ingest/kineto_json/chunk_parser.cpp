#include "ingest/kineto_json/chunk_parser.h"

#include "base/check.h"
#include "ingest/kineto_json/event_repair.h"
#include "ingest/kineto_json/event_scanner.h"
#include "ingest/kineto_json/scan.h"

namespace skyline::ingest::kineto_json {
namespace {

using Stop = ChunkResult::Stop;

class ChunkParser {
 public:
  ChunkParser(const char* begin, const char* end, uint64_t offset, bool at_end_of_file, Batch& batch,
              const LongEvent& long_event)
      : begin_(begin),
        end_(end),
        offset_(offset),
        at_end_of_file_(at_end_of_file),
        batch_(batch),
        long_event_(long_event) {}

  ChunkResult run(const char* p, Separator separator) {
    separator_ = separator;
    for (;;) {
      if (separator_ == Separator::kInLongEvent) {
        p = pass_long_event(p);
        if (separator_ == Separator::kInLongEvent) return {Stop::kNeedsMore, p, separator_, long_event_};
      }
      if (separator_ == Separator::kLost) {
        p = find_next_event(p, end_, at_end_of_file_);
        if (p >= end_ || !next_event_follows(p + 1, end_)) return {Stop::kNeedsMore, p, separator_, {}};
        separator_ = Separator::kAfterEvent;
        ++p;
      }
      p = skip_space(p);
      if (p >= end_) return {Stop::kEndOfText, end_, separator_, {}};
      if (*p == ',') {
        if (separator_ != Separator::kAfterEvent) batch_.losses.add(Loss::kExtraComma, offset_of(p));
        separator_ = Separator::kAfterComma;
        ++p;
        continue;
      }
      if (*p == ']') {
        if (separator_ == Separator::kAfterComma) batch_.losses.add(Loss::kExtraComma, offset_of(p));
        return {Stop::kEndOfArray, p + 1, separator_, {}};
      }
      const Separator before = separator_;
      separator_ = Separator::kAfterEvent;
      const char* const behind = *p == '{' ? event(p) : other_value(p);
      if (behind == nullptr) return {Stop::kNeedsMore, p, before, {}};
      if (before == Separator::kAfterEvent) batch_.losses.add(Loss::kMissingComma, offset_of(p));
      p = behind;
    }
  }

 private:
  uint64_t offset_of(const char* p) const { return offset_ + static_cast<uint64_t>(p - begin_); }

  // What is judged of an event depends on its first kMaxEventBytes only, never on where a chunk ends.
  const char* limit(const char* p) const {
    return static_cast<size_t>(end_ - p) < kMaxEventBytes ? end_ : p + kMaxEventBytes;
  }
  bool may_grow(const char* p) const {
    return !at_end_of_file_ && static_cast<size_t>(end_ - p) <= kMaxEventBytes;
  }

  // Both give the byte behind what they read, nullptr when it is not complete.
  const char* event(const char* p) {
    const ScanResult result = scan_event(p, limit(p), event_);
    if (result.status == ScanStatus::kOk) [[likely]] {
      batch_.add(event_, offset_of(p));
      return result.position;
    }
    if (result.status != ScanStatus::kIncomplete) return broken_event(p);
    if (may_grow(p)) return nullptr;
    if (limit(p) == end_) return broken_event(p);
    batch_.losses.add(Loss::kTooLong, offset_of(p));
    separator_ = Separator::kInLongEvent;
    long_event_ = LongEvent();
    return p;
  }

  // Up to the brace that closes it, or to an event that begins as torch's do: then a brace was lost.
  const char* pass_long_event(const char* p) {
    LongEvent& event = long_event_;
    for (; p < end_; ++p) {
      if (*p == '{' && event.depth > 0) {
        if (!at_end_of_file_ && end_ - p < kEventHeadBytes) return p;
        if (begins_like_torchs(p)) {
          separator_ = Separator::kAfterComma;
          return p;
        }
      }
      if (event.in_string) {
        if (*p == '"' && !event.is_escaped) event.in_string = false;
        event.is_escaped = *p == '\\' && !event.is_escaped;
      } else if (*p == '"') {
        event.in_string = true;
      } else if (*p == '{' || *p == '[') {
        ++event.depth;
      } else if ((*p == '}' || *p == ']') && --event.depth == 0) {
        separator_ = Separator::kAfterEvent;
        return p + 1;
      }
    }
    return p;
  }

  static constexpr ptrdiff_t kEventHeadBytes = 64;
  bool begins_like_torchs(const char* p) const {
    const char* const end = end_ - p < kEventHeadBytes ? end_ : p + kEventHeadBytes;
    for (++p; p < end && is_space(*p);) ++p;
    return std::string_view(p, end).starts_with("\"ph\"");
  }

  const char* broken_event(const char* p) {
    Repair repair = repair_event(p, limit(p), !may_grow(p));
    switch (repair.status) {
      case Repair::Status::kIncomplete:
        return nullptr;
      case Repair::Status::kRepaired:
        add_repaired(p, std::move(repair.text));
        break;
      case Repair::Status::kLost:
        batch_.losses.add(Loss::kMalformedEvent, offset_of(p));
        break;
      case Repair::Status::kHopeless:
        // At the end of the file this is the event that was being written when it was cut.
        batch_.losses.add(at_end_of_file_ && repair.end == end_ ? Loss::kTruncated : Loss::kMalformedEvent,
                          offset_of(p));
        separator_ = Separator::kLost;
        break;
    }
    return repair.end;
  }

  void add_repaired(const char* p, std::string repaired) {
    std::string& text = batch_.repaired_texts.emplace_back(std::move(repaired));
    const size_t size = text.size();
    text.append(kPadding, '\0');
    CHECK(scan_event(text.data(), text.data() + size, event_).status == ScanStatus::kOk);
    batch_.add(event_, offset_of(p));
    batch_.losses.add(Loss::kRepairedEvent, offset_of(p));
  }

  const char* other_value(const char* p) {
    const char* behind = skip_value(p, limit(p));
    if (behind == nullptr && may_grow(p)) return nullptr;
    batch_.losses.add(Loss::kNotAnObject, offset_of(p));
    if (behind == p) return p + 1;
    if (behind != nullptr) return behind;
    separator_ = Separator::kLost;
    return limit(p);
  }

  const char* const begin_;
  const char* const end_;
  const uint64_t offset_;
  const bool at_end_of_file_;
  Batch& batch_;
  LongEvent long_event_;
  Separator separator_ = Separator::kFirst;
  RawEvent event_;
};

const char* skip_space_back(const char* p, const char* begin) {
  while (p > begin && is_space(p[-1])) --p;
  return p;
}

}  // namespace

ChunkResult parse_events(const char* p, const char* end, uint64_t offset, Separator separator,
                         bool at_end_of_file, Batch& batch, const LongEvent& long_event) {
  return ChunkParser(p, end, offset, at_end_of_file, batch, long_event).run(p, separator);
}

const char* find_last_event_start(const char* begin, const char* from, const char* end) {
  for (const char* p = end; p > from;) {
    if (*--p != '{') continue;
    const char* next = p + 1;
    while (next < end && is_space(*next)) ++next;
    if (next == end || *next != '"') continue;
    const char* before = skip_space_back(p, begin);
    if (before == begin || before[-1] != ',') continue;
    before = skip_space_back(before - 1, begin);
    if (before > begin && before[-1] == '}') return p;
  }
  return nullptr;
}

}  // namespace skyline::ingest::kineto_json
