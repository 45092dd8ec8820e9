// The whole file as one sequence: the envelope around traceEvents, and the events inside.
//
// Text arrives in chunks, in file order. A chunk may bring a batch that somebody parsed on another
// thread, on the guess that the chunk begins where an event begins. If that is where the file really
// stands, the batch is taken; otherwise the text is parsed here, from where it really stands. So the
// result is that of one reader going from front to back, whatever the chunks.
#pragma once

#include <string>

#include "ingest/kineto_json/assembler.h"
#include "ingest/kineto_json/chunk_parser.h"

namespace skyline::ingest::kineto_json {

class FileParser {
 public:
  FileParser(TraceBuilder& builder, std::string path)
      : builder_(builder), assembler_(builder), path_(std::move(path)) {}

  // `guess` is what parse_events(text, …, Separator::kAfterComma) gave, or nullptr.
  Status add(std::string_view text, const Batch* batch, const ChunkResult* guess);

  // Behind the last chunk.
  Status finish();

  // Text that waits for its end.
  size_t held_bytes() const { return tail_.capacity(); }

 private:
  enum class State : uint8_t { kStart, kEnvelope, kValue, kEvents, kDone };
  enum class Progress : uint8_t { kMoved, kNeedsMore };

  bool guess_fits(const ChunkResult& guess) const;
  Status parse_tail(bool at_end_of_file);
  Result<Progress> step(bool at_end_of_file);
  Result<Progress> start(const char* p, const char* end, bool at_end_of_file);
  Progress envelope_key(const char* p, const char* end, bool at_end_of_file);
  Result<Progress> envelope_value(const char* p, const char* end, bool at_end_of_file);
  void read_value(const char* p, const char* behind);
  Progress events(const char* p, const char* end, bool at_end_of_file);
  Progress end_of_envelope(const char* p, const char* end, bool at_end_of_file);
  Progress resync(const char* p, const char* end, bool at_end_of_file);
  Progress go_on_with_events(const char* p, Separator separator);
  void lose(const char* p);
  void consume(const char* up_to);
  uint64_t offset_of(const char* p) const { return tail_offset_ + static_cast<uint64_t>(p - tail_.data()); }

  TraceBuilder& builder_;
  Assembler assembler_;
  const std::string path_;
  State state_ = State::kStart;
  Separator separator_ = Separator::kFirst;
  LongEvent long_event_;
  LossCounts told_losses_;  // of the trace that this one is a copy of
  bool is_array_ = false;   // the file is a bare array of events
  bool found_events_ = false;
  bool lost_ = false;  // looking for a place to go on after damage in the envelope
  std::string key_;    // kValue: the key whose value comes next
  std::string tail_;   // text that is not used yet, padded
  size_t tail_size_ = 0;
  size_t tail_used_ = 0;
  uint64_t tail_offset_ = 0;  // of tail_[0] in the file
  size_t retry_size_ = 0;     // do not try again before the tail is this long
  Batch scratch_;
};

}  // namespace skyline::ingest::kineto_json
