#include "ingest/kineto_json/file_parser.h"

#include <algorithm>

#include "ingest/kineto_json/envelope.h"
#include "ingest/kineto_json/event_repair.h"
#include "ingest/kineto_json/scan.h"
#include "ingest/kineto_json/text_decode.h"

namespace skyline::ingest::kineto_json {
namespace {

// Whatever takes more text than this to judge is damage: memory stays bounded, and the judgement does
// not depend on where chunks end.
constexpr size_t kMaxEnvelopeBytes = 64 << 20;
constexpr size_t kMaxKeyBytes = 4096;  // with its colon
constexpr size_t kExcerptBytes = 24;

const char* limit(const char* p, const char* end, size_t bytes) {
  return static_cast<size_t>(end - p) < bytes ? end : p + bytes;
}

// More text will come and may change what we see at p.
bool may_grow(const char* p, const char* end, size_t bytes, bool at_end_of_file) {
  return !at_end_of_file && static_cast<size_t>(end - p) < bytes;
}

std::string excerpt(const char* p, const char* end) {
  std::string shown;
  for (; p < end && shown.size() < kExcerptBytes; ++p) shown += *p >= ' ' && *p < 0x7f ? *p : '.';
  return shown;
}

// Where reading can go on after damage: keys that Kineto writes beside traceEvents, and the first key
// of its events.
constexpr std::string_view kEventKey = "\"ph\"";
constexpr std::string_view kAnchors[] = {
    "\"traceEvents\"",
    "\"baseTimeNanoseconds\"",
    "\"deviceProperties\"",
    "\"distributedInfo\"",
    "\"displayTimeUnit\"",
    "\"schemaVersion\"",
    "\"traceName\"",
    "\"host_name\"",
    "\"INFO\"",
    "\"WARNING\"",
    "\"ERROR\"",
};
constexpr size_t kAnchorBytes = 128;  // with its colon
constexpr size_t kBeforeEventKey = 32;

// p stands on a quote.
bool is_anchor(const char* p, const char* end) {
  const std::string_view text(p, limit(p, end, kAnchorBytes));
  for (const std::string_view anchor : kAnchors) {
    if (!text.starts_with(anchor)) continue;
    const char* const text_end = text.data() + text.size();
    const char* colon = skip_space_until(p + anchor.size(), text_end);
    return colon < text_end && *colon == ':';
  }
  return false;
}

// p stands on a quote. The '{' of the event whose first key this is, or nullptr.
const char* event_around(const char* begin, const char* p, const char* end) {
  if (!std::string_view(p, limit(p, end, kEventKey.size())).starts_with(kEventKey)) return nullptr;
  for (size_t i = 1; i <= kBeforeEventKey && p - i >= begin; ++i) {
    if (p[-static_cast<ptrdiff_t>(i)] == '{') return p - i;
    if (!is_space(p[-static_cast<ptrdiff_t>(i)])) break;
  }
  return nullptr;
}

}  // namespace

Status FileParser::add(std::string_view text, const Batch* batch, const ChunkResult* guess) {
  if (guess != nullptr && guess_fits(*guess)) {
    assembler_.append(*batch);
    separator_ = guess->separator;
    const size_t used = static_cast<size_t>(guess->position - text.data());
    tail_offset_ += used;
    text.remove_prefix(used);
    if (guess->stop == ChunkResult::Stop::kEndOfArray) state_ = is_array_ ? State::kDone : State::kEnvelope;
  }
  if (text.empty()) return Done{};
  // Keep the padding behind the text while it grows.
  tail_.resize(tail_size_);
  tail_.append(text);
  tail_size_ = tail_.size();
  tail_.append(kPadding, '\0');
  if (tail_size_ < retry_size_) return Done{};
  return parse_tail(false);
}

// The guess began behind a comma; that must be where the file stands, with nothing left over.
bool FileParser::guess_fits(const ChunkResult& guess) const {
  if (state_ != State::kEvents || tail_size_ != 0 || separator_ != Separator::kAfterComma) return false;
  if (guess.stop == ChunkResult::Stop::kEndOfArray) return true;
  return guess.stop == ChunkResult::Stop::kEndOfText && guess.separator == Separator::kAfterComma;
}

Status FileParser::parse_tail(bool at_end_of_file) {
  tail_used_ = 0;
  retry_size_ = 0;
  for (;;) {
    SKYLINE_TRY(const Progress progress, step(at_end_of_file));
    if (progress == Progress::kNeedsMore) break;
  }
  tail_.erase(0, tail_used_);
  tail_size_ -= tail_used_;
  tail_offset_ += tail_used_;
  tail_used_ = 0;
  // Something long is incomplete: wait until twice as much is there, so that looking again and again
  // stays linear.
  retry_size_ = tail_size_ * 2;
  return Done{};
}

Result<FileParser::Progress> FileParser::step(bool at_end_of_file) {
  const char* const end = tail_.data() + tail_size_;
  const char* p = skip_space(tail_.data() + tail_used_);
  if (p >= end) {
    consume(end);
    return Progress::kNeedsMore;
  }
  if (lost_) return resync(p, end, at_end_of_file);
  switch (state_) {
    case State::kStart:
      return start(p, end, at_end_of_file);
    case State::kEnvelope:
      return envelope_key(p, end, at_end_of_file);
    case State::kValue:
      return envelope_value(p, end, at_end_of_file);
    case State::kEvents:
      return events(p, end, at_end_of_file);
    case State::kDone:
      break;
  }
  const auto visible = std::count_if(p, end, [](char c) { return !is_space(c); });
  builder_.draft.losses.add(Loss::kTrailingBytes, offset_of(p), static_cast<uint64_t>(visible));
  consume(end);
  return Progress::kNeedsMore;
}

Result<FileParser::Progress> FileParser::start(const char* p, const char* end, bool at_end_of_file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (std::string_view(p, end).starts_with(kByteOrderMark)) {
    consume(p + kByteOrderMark.size());
    return Progress::kMoved;
  }
  if (*p == '{') {
    state_ = State::kEnvelope;
  } else if (*p == '[') {
    state_ = State::kEvents;
    is_array_ = found_events_ = true;
  } else if (may_grow(p, end, kExcerptBytes, at_end_of_file)) {
    return Progress::kNeedsMore;
  } else {
    return Error{
        path_ + " is not a trace: it begins with `" + excerpt(p, end) +
        "` where `{` or `[` is expected; give a file written by torch.profiler's export_chrome_trace"};
  }
  consume(p + 1);
  return Progress::kMoved;
}

FileParser::Progress FileParser::envelope_key(const char* p, const char* end, bool at_end_of_file) {
  if (*p == ',') {
    consume(p + 1);
    return Progress::kMoved;
  }
  if (*p == '}') return end_of_envelope(p, end, at_end_of_file);
  if (*p != '"') {
    lose(p);
    return Progress::kMoved;
  }
  const char* const key_limit = limit(p, end, kMaxKeyBytes);
  const char* const close = find_string_end(p + 1, key_limit);
  const char* const colon = close < key_limit ? skip_space_until(close + 1, key_limit) : key_limit;
  if (colon >= key_limit && may_grow(p, end, kMaxKeyBytes, at_end_of_file)) return Progress::kNeedsMore;
  if (colon >= end) {  // the file was cut inside the key
    consume(end);
    return Progress::kNeedsMore;
  }
  if (colon >= key_limit || *colon != ':') {
    lose(p);
    return Progress::kMoved;
  }
  decode_string({p + 1, static_cast<size_t>(close - p - 1)}, key_);
  state_ = State::kValue;
  consume(colon + 1);
  return Progress::kMoved;
}

// A list inside a damaged event can look like the end of traceEvents; then braces and more events follow.
FileParser::Progress FileParser::end_of_envelope(const char* p, const char* end, bool at_end_of_file) {
  const char* const behind_limit = limit(p, end, kMaxKeyBytes);
  const char* const behind = skip_space_until(p + 1, behind_limit);
  if (found_events_ && behind < behind_limit && *behind == '}') {
    consume(behind);
    return Progress::kMoved;
  }
  if (found_events_ && find_next_event(p, end, at_end_of_file) == p) {
    if (!next_event_follows(p + 1, end)) return Progress::kNeedsMore;
    return go_on_with_events(p + 1, Separator::kAfterEvent);
  }
  state_ = State::kDone;
  consume(p + 1);
  return Progress::kMoved;
}

Result<FileParser::Progress> FileParser::envelope_value(const char* p, const char* end, bool at_end_of_file) {
  if (key_ == "traceEvents") {
    if (*p == '[') return go_on_with_events(p + 1, Separator::kFirst);
    if (may_grow(p, end, kExcerptBytes, at_end_of_file)) return Progress::kNeedsMore;
    return Error{path_ + " is not a trace: its traceEvents is `" + excerpt(p, end) +
                 "`, not a list of events"};
  }
  const char* behind = skip_value(p, limit(p, end, kMaxEnvelopeBytes));
  if (behind == nullptr && may_grow(p, end, kMaxEnvelopeBytes, at_end_of_file)) return Progress::kNeedsMore;
  state_ = State::kEnvelope;
  if (behind == nullptr || behind == p) {
    lose(p);
  } else {
    read_value(p, behind);
  }
  return Progress::kMoved;
}

void FileParser::read_value(const char* p, const char* behind) {
  consume(behind);
  if (key_ == kLossesKey && read_losses({p, static_cast<size_t>(behind - p)}, offset_of(p), told_losses_))
    return;
  if (read_metadata(key_, {p, static_cast<size_t>(behind - p)}, builder_.draft.info)) return;
  builder_.draft.losses.add(Loss::kBadMetadata, offset_of(p));
  // Log lines with an odd number of bare quotes make strings of what is none: did we skip too much?
  for (const char* quote = p + 1; quote < behind; ++quote) {
    quote = static_cast<const char*>(std::memchr(quote, '"', static_cast<size_t>(behind - quote)));
    if (quote == nullptr) return;
    if (is_anchor(quote, behind)) return consume(quote);
  }
}

FileParser::Progress FileParser::events(const char* p, const char* end, bool at_end_of_file) {
  scratch_.clear();
  const ChunkResult result =
      parse_events(p, end, offset_of(p), separator_, at_end_of_file, scratch_, long_event_);
  assembler_.append(scratch_);
  separator_ = result.separator;
  long_event_ = result.long_event;
  consume(result.position);
  if (result.stop != ChunkResult::Stop::kEndOfArray) return Progress::kNeedsMore;
  state_ = is_array_ ? State::kDone : State::kEnvelope;
  return Progress::kMoved;
}

FileParser::Progress FileParser::go_on_with_events(const char* p, Separator separator) {
  found_events_ = true;
  lost_ = false;
  state_ = State::kEvents;
  separator_ = separator;
  consume(p);
  return Progress::kMoved;
}

void FileParser::lose(const char* p) {
  lost_ = true;
  builder_.draft.losses.add(Loss::kBadMetadata, offset_of(p));
  consume(p);
}

// Damage between the keys (log lines with bare quotes, most often): goes on where something known
// begins.
FileParser::Progress FileParser::resync(const char* p, const char* end, bool at_end_of_file) {
  const char* spent = end;
  for (const char* quote = p; quote < end; ++quote) {
    quote = static_cast<const char*>(std::memchr(quote, '"', static_cast<size_t>(end - quote)));
    if (quote == nullptr) break;
    if (may_grow(quote, end, kAnchorBytes, at_end_of_file)) {
      spent = quote;
      break;
    }
    if (const char* event = found_events_ ? event_around(p, quote, end) : nullptr) {
      return go_on_with_events(event, Separator::kAfterComma);
    }
    if (is_anchor(quote, end)) {
      lost_ = false;
      consume(quote);
      return Progress::kMoved;
    }
  }
  if (at_end_of_file) {
    while (end > p && is_space(end[-1])) --end;
    if (found_events_ && end > p && end[-1] == '}') state_ = State::kDone;
    consume(spent);
  } else {
    // Enough stays to see the '{' before an event's first key, and the last brace of the file.
    consume(static_cast<size_t>(spent - p) > kBeforeEventKey ? spent - kBeforeEventKey : p);
  }
  return Progress::kNeedsMore;
}

void FileParser::consume(const char* up_to) { tail_used_ = static_cast<size_t>(up_to - tail_.data()); }

Status FileParser::finish() {
  SKYLINE_TRY(const Done done, parse_tail(true));
  static_cast<void>(done);
  Trace& draft = builder_.draft;
  if (state_ == State::kStart)
    return Error{path_ + " holds nothing but white space; was the recording stopped before it was written?"};
  if (!found_events_) {
    return Error{path_ +
                 " is not a trace: it has no traceEvents; give a file written by torch.profiler's "
                 "export_chrome_trace"};
  }
  if (is_array_ && draft.event_count == 0 && draft.losses[Loss::kNotAnObject].count > 0) {
    return Error{path_ + " is not a trace: it is a list, but not of events"};
  }
  if (state_ != State::kDone && draft.losses[Loss::kTruncated].count == 0) {
    draft.losses.add(Loss::kTruncated, tail_offset_ + tail_size_);
  }
  for (const LossKind& kind : kLosses) {
    draft.losses.raise_to(kind.loss, told_losses_[kind.loss].first_offset, told_losses_[kind.loss].count);
  }
  assembler_.finish();
  name_producer(draft.info);
  return Done{};
}

}  // namespace skyline::ingest::kineto_json
