#include "ingest/kineto_json/chunk_parser.h"

#include "ingest/kineto_json/event_repair.h"
#include "ingest/kineto_json/event_scanner.h"
#include "ingest/kineto_json/scan.h"

namespace skyline::kineto_json {
namespace {

using Stop = ChunkResult::Stop;

class ChunkParser {
 public:
  ChunkParser(const char* begin, const char* end, uint64_t offset, bool at_end_of_file, Batch& batch)
      : begin_(begin), end_(end), offset_(offset), at_end_of_file_(at_end_of_file), batch_(batch) {}

  ChunkResult run(const char* p, Separator separator) {
    for (;;) {
      p = skip_space(p);
      if (p >= end_) return {Stop::kEndOfText, end_, separator};
      if (*p == ',') {
        if (separator != Separator::kAfterEvent) batch_.losses.add(Loss::kExtraComma, offset_of(p));
        separator = Separator::kAfterComma;
        ++p;
        continue;
      }
      if (*p == ']') {
        if (separator == Separator::kAfterComma) batch_.losses.add(Loss::kExtraComma, offset_of(p));
        return {Stop::kEndOfArray, p + 1, separator};
      }
      const char* const behind = *p == '{' ? event(p) : other_value(p);
      if (behind == nullptr) return {Stop::kNeedsMore, p, separator};
      if (separator == Separator::kAfterEvent) batch_.losses.add(Loss::kMissingComma, offset_of(p));
      separator = Separator::kAfterEvent;
      p = behind;
    }
  }

 private:
  uint64_t offset_of(const char* p) const { return offset_ + static_cast<uint64_t>(p - begin_); }

  // Both give the byte behind what they read, nullptr when it is not complete.
  const char* event(const char* p) {
    const ScanResult result = scan_event(p, end_, event_);
    if (result.status == ScanStatus::kOk) [[likely]] {
      batch_.add(event_, offset_of(p));
      return result.position;
    }
    const bool may_grow = !at_end_of_file_ && static_cast<size_t>(end_ - p) < kMaxEventBytes;
    if (result.status == ScanStatus::kIncomplete && may_grow) return nullptr;
    return broken_event(p, may_grow);
  }

  const char* broken_event(const char* p, bool may_grow) {
    Repair repair = repair_event(p, end_, !may_grow);
    if (repair.status == Repair::Status::kIncomplete) return nullptr;
    if (repair.status == Repair::Status::kHopeless) {
      // At the end of the file this is the event that was being written when it was cut.
      batch_.losses.add(at_end_of_file_ ? Loss::kTruncated : Loss::kMalformedEvent, offset_of(p));
      return repair.end;
    }
    std::string& text = batch_.repaired_texts.emplace_back(std::move(repair.text));
    const size_t size = text.size();
    text.append(kPadding, '\0');
    const ScanResult result = scan_event(text.data(), text.data() + size, event_);
    if (result.status == ScanStatus::kOk && result.position == text.data() + size) {
      batch_.add(event_, offset_of(p));
      batch_.losses.add(Loss::kRepairedEvent, offset_of(p));
    } else {
      batch_.losses.add(Loss::kMalformedEvent, offset_of(p));
    }
    return repair.end;
  }

  const char* other_value(const char* p) {
    const char* behind = skip_value(p, end_);
    if (behind == nullptr && !at_end_of_file_ && static_cast<size_t>(end_ - p) < kMaxEventBytes) return nullptr;
    batch_.losses.add(Loss::kNotAnObject, offset_of(p));
    return behind == nullptr ? end_ : behind == p ? p + 1 : behind;
  }

  const char* const begin_;
  const char* const end_;
  const uint64_t offset_;
  const bool at_end_of_file_;
  Batch& batch_;
  RawEvent event_;
};

const char* skip_space_back(const char* p, const char* begin) {
  while (p > begin && is_space(p[-1])) --p;
  return p;
}

}  // namespace

ChunkResult parse_events(const char* p, const char* end, uint64_t offset, Separator separator, bool at_end_of_file,
                         Batch& batch) {
  return ChunkParser(p, end, offset, at_end_of_file, batch).run(p, separator);
}

const char* find_last_event_start(const char* begin, const char* from, const char* end) {
  for (const char* p = end; p > from;) {
    p = static_cast<const char*>(memrchr(from, '{', static_cast<size_t>(p - from)));
    if (p == nullptr) return nullptr;
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

}  // namespace skyline::kineto_json
