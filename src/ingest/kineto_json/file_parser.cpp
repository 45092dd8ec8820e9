#include "ingest/kineto_json/file_parser.h"

#include <algorithm>

#include "ingest/kineto_json/envelope.h"
#include "ingest/kineto_json/scan.h"
#include "ingest/kineto_json/text_decode.h"

namespace skyline::kineto_json {
namespace {

constexpr size_t kMaxMetadataBytes = 64 << 20;

std::string excerpt(const char* p, const char* end) {
  std::string shown;
  for (; p < end && shown.size() < 24; ++p) shown += *p >= ' ' && *p < 0x7f ? *p : '.';
  return shown;
}

// "key": at p, after a comma and white space. The colon, or nullptr.
const char* key_colon(const char* p, const char* end) {
  const char* close = find_string_end(p + 1, end);
  if (close >= end) return nullptr;
  const char* colon = skip_space(close + 1);
  return colon < end && *colon == ':' ? colon : nullptr;
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
    case State::kStart: return start(p, end);
    case State::kEnvelope: return envelope_key(p, end, at_end_of_file);
    case State::kValue: return envelope_value(p, end, at_end_of_file);
    case State::kEvents: return events(p, end, at_end_of_file);
    case State::kDone: break;
  }
  builder_.draft.losses.add(Loss::kTrailingBytes, tail_offset_ + static_cast<size_t>(p - tail_.data()),
                            static_cast<size_t>(end - p));
  consume(end);
  return Progress::kNeedsMore;
}

Result<FileParser::Progress> FileParser::start(const char* p, const char* end) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const std::string_view rest(p, static_cast<size_t>(end - p));
  if (kByteOrderMark.starts_with(rest.substr(0, 3)) && rest.size() < 3) return Progress::kNeedsMore;
  if (rest.starts_with(kByteOrderMark)) {
    p = skip_space(p + kByteOrderMark.size());
    if (p >= end) return Progress::kNeedsMore;
  }
  if (*p == '{') {
    state_ = State::kEnvelope;
  } else if (*p == '[') {
    state_ = State::kEvents;
    is_array_ = found_events_ = true;
  } else {
    return Error{path_ + " is not a trace: it begins with `" + excerpt(p, end) +
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
  if (*p == '}') {
    state_ = State::kDone;
    consume(p + 1);
    return Progress::kMoved;
  }
  if (*p != '"') {
    lost_ = true;
    builder_.draft.losses.add(Loss::kBadMetadata, tail_offset_ + static_cast<size_t>(p - tail_.data()));
    return Progress::kMoved;
  }
  const char* close = find_string_end(p + 1, end);
  const char* colon = close < end ? skip_space(close + 1) : end;
  if (colon >= end) {
    if (!at_end_of_file) return Progress::kNeedsMore;
    consume(end);
    return Progress::kNeedsMore;
  }
  if (*colon != ':') {
    lost_ = true;
    builder_.draft.losses.add(Loss::kBadMetadata, tail_offset_ + static_cast<size_t>(p - tail_.data()));
    consume(p + 1);
    return Progress::kMoved;
  }
  decode_string({p + 1, static_cast<size_t>(close - p - 1)}, key_);
  state_ = State::kValue;
  consume(colon + 1);
  return Progress::kMoved;
}

Result<FileParser::Progress> FileParser::envelope_value(const char* p, const char* end, bool at_end_of_file) {
  if (key_ == "traceEvents") {
    if (*p != '[') {
      return Error{path_ + " is not a trace: its traceEvents is `" + excerpt(p, end) + "`, not a list of events"};
    }
    found_events_ = true;
    state_ = State::kEvents;
    separator_ = Separator::kFirst;
    consume(p + 1);
    return Progress::kMoved;
  }
  const char* behind = skip_value(p, end);
  const uint64_t offset = tail_offset_ + static_cast<size_t>(p - tail_.data());
  if (behind == nullptr && !at_end_of_file && static_cast<size_t>(end - p) < kMaxMetadataBytes) return Progress::kNeedsMore;
  state_ = State::kEnvelope;
  if (behind == nullptr || behind == p) {
    builder_.draft.losses.add(Loss::kBadMetadata, offset);
    lost_ = true;
    return Progress::kMoved;
  }
  if (!read_metadata(key_, {p, static_cast<size_t>(behind - p)}, builder_.draft.info)) {
    builder_.draft.losses.add(Loss::kBadMetadata, offset);
  }
  consume(behind);
  return Progress::kMoved;
}

FileParser::Progress FileParser::events(const char* p, const char* end, bool at_end_of_file) {
  scratch_.clear();
  const uint64_t offset = tail_offset_ + static_cast<size_t>(p - tail_.data());
  const ChunkResult result = parse_events(p, end, offset, separator_, at_end_of_file, scratch_);
  assembler_.append(scratch_);
  separator_ = result.separator;
  consume(result.position);
  if (result.stop != ChunkResult::Stop::kEndOfArray) return Progress::kNeedsMore;
  state_ = is_array_ ? State::kDone : State::kEnvelope;
  return Progress::kMoved;
}

// Damage between the keys (log lines with bare quotes, most often): the next line that begins like
// a key is where we go on.
FileParser::Progress FileParser::resync(const char* p, const char* end, bool at_end_of_file) {
  for (const char* line = p; line < end;) {
    line = static_cast<const char*>(std::memchr(line, '\n', static_cast<size_t>(end - line)));
    if (line == nullptr) break;
    const char* key = skip_space(line);
    if (key < end && *key == '"' && key_colon(key, end) != nullptr) {
      lost_ = false;
      consume(key);
      return Progress::kMoved;
    }
    ++line;
  }
  // A key may begin in the last line; everything before it is spent.
  const auto* last = static_cast<const char*>(memrchr(p, '\n', static_cast<size_t>(end - p)));
  consume(at_end_of_file || last == nullptr ? end : last);
  return Progress::kNeedsMore;
}

void FileParser::consume(const char* up_to) { tail_used_ = static_cast<size_t>(up_to - tail_.data()); }

Status FileParser::finish() {
  SKYLINE_TRY(const Done done, parse_tail(true));
  static_cast<void>(done);
  Trace& draft = builder_.draft;
  if (state_ == State::kStart) return Error{path_ + " holds nothing but white space; was the recording stopped before it was written?"};
  if (!found_events_) {
    return Error{path_ + " is not a trace: it has no traceEvents; give a file written by torch.profiler's export_chrome_trace"};
  }
  if (is_array_ && draft.event_count == 0 && draft.losses[Loss::kNotAnObject].count > 0) {
    return Error{path_ + " is not a trace: it is a list, but not of events"};
  }
  if (state_ != State::kDone && draft.losses[Loss::kTruncated].count == 0) {
    draft.losses.add(Loss::kTruncated, offset());
  }
  assembler_.finish();
  name_producer(draft.info);
  return Done{};
}

}  // namespace skyline::kineto_json
