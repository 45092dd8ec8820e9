// The pipeline.
//
//   source ──cut──▶ chunk ──parse──▶ batch ──append──▶ builder ──freeze──▶ trace
//          one at a time   any thread       in file order
//
// Each thread takes the next chunk (unpacking it under a lock), parses it, and hands it in; whoever
// brings the chunk that is next in the file appends it and all that wait behind it. Chunks are cut
// where an event visibly begins; FileParser makes sure that a wrong cut does not matter.
#include "ingest/kineto_json/reader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "ingest/footprint.h"
#include "ingest/kineto_json/file_parser.h"
#include "ingest/kineto_json/scan.h"
#include "ingest/kineto_json/stored_events.h"
#include "ingest/text/byte_input.h"
#include "ingest/text/growth.h"

namespace skyline::ingest::kineto_json {
namespace {

// A window without a visible event start is handed on as it is once it has grown this large.
constexpr size_t kMaxWindowBytes = 8 << 20;

struct Chunk {
  uint64_t index = 0;
  uint64_t offset = 0;
  size_t size = 0;
  bool starts_at_event = false;
  Column<char> text;  // size bytes and the padding
  Batch batch;
  std::optional<ChunkResult> guess;
};

// Cuts the source into chunks.
class Cutter {
 public:
  Cutter(TextSource& source, size_t chunk_bytes)
      : source_(source), chunk_bytes_(std::max<size_t>(1, chunk_bytes)) {}

  // False at the end of the text.
  Result<bool> next(Chunk& chunk) {
    chunk.index = index_++;
    chunk.offset = offset_;
    chunk.starts_at_event = carry_starts_at_event_;
    chunk.guess.reset();
    Column<char>& text = chunk.text;
    text.clear();
    std::copy(carry_.begin(), carry_.end(), text.extend_uninitialized(carry_.size()));
    carry_.clear();
    const char* cut = nullptr;
    while (!ended_ && cut == nullptr && text.size() < kMaxWindowBytes) {
      const size_t searched = text.size() - std::min<size_t>(text.size(), 256);
      SKYLINE_TRY(const size_t n, source_.read(text.extend_uninitialized(chunk_bytes_), chunk_bytes_));
      text.resize_uninitialized(text.size() - chunk_bytes_ + n);
      if (n == 0) ended_ = true;
      cut = find_last_event_start(text.begin(), text.begin() + searched, text.end());
    }
    if (ended_) cut = nullptr;
    carry_starts_at_event_ = cut != nullptr;
    chunk.size = cut == nullptr ? text.size() : static_cast<size_t>(cut - text.begin());
    if (cut != nullptr) {
      const size_t rest = static_cast<size_t>(text.end() - cut);
      std::copy(cut, cut + rest, carry_.extend_uninitialized(rest));
    }
    offset_ += chunk.size;
    text.resize_uninitialized(chunk.size);
    std::fill_n(text.extend_uninitialized(kPadding), kPadding, '\0');
    return chunk.size > 0;
  }

 private:
  TextSource& source_;
  const size_t chunk_bytes_;
  Column<char> carry_;
  bool carry_starts_at_event_ = false;
  bool ended_ = false;
  uint64_t index_ = 0;
  uint64_t offset_ = 0;
};

class Pipeline {
 public:
  Pipeline(TextSource& source, TraceBuilder& builder, const std::string& path, const IngestOptions& options,
           unsigned threads)
      : source_(source),
        builder_(builder),
        parser_(builder, path),
        path_(path),
        options_(options),
        threads_(threads),
        cutter_(source, options.chunk_bytes) {}

  Status run() {
    run_on_threads(threads_, [this] {
      try {
        work();
      } catch (...) {
        give_up();
        throw;
      }
    });
    if (error_) return *error_;
    return Done{};
  }

  // Behind the last chunk.
  Status finish() { return parser_.finish(); }

  uint64_t text_bytes() const { return text_bytes_; }

 private:
  void work() {
    while (std::unique_ptr<Chunk> chunk = take()) {
      if (chunk->starts_at_event) {
        chunk->batch.clear();
        const char* text = chunk->text.data();
        chunk->guess = parse_events(text, text + chunk->size, chunk->offset, Separator::kAfterComma, false,
                                    chunk->batch);
      }
      hand_in(std::move(chunk));
    }
  }

  std::unique_ptr<Chunk> take() {
    std::unique_ptr<Chunk> chunk = recycle();
    const std::lock_guard lock(source_mutex_);
    if (stopped_) return nullptr;
    Result<bool> more = cutter_.next(*chunk);
    if (!more.ok()) {
      stop(more.error());
      return nullptr;
    }
    if (!more.value()) {
      stopped_ = true;
      return nullptr;
    }
    text_bytes_ += chunk->size;
    if (grows_too_much(text_bytes_, std::max(source_.packed_size(), source_.packed_position()))) {
      stop(grew_too_much(path_));
      return nullptr;
    }
    store_bytes_ = source_.held_bytes();
    packed_bytes_ = source_.packed_position();
    if (options_.progress) options_.progress(source_.packed_position(), source_.packed_size());
    return chunk;
  }

  // Waits while too many finished chunks stand in line, so that memory stays bounded.
  void hand_in(std::unique_ptr<Chunk> chunk) {
    std::unique_lock lock(parser_mutex_);
    const uint64_t index = chunk->index;
    waiting_.emplace(index, std::move(chunk));
    moved_.wait(lock, [&] { return is_over() || index < next_ + 2 * threads_; });
    while (!is_over() && !waiting_.empty() && waiting_.begin()->first == next_) {
      std::unique_ptr<Chunk> due = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      const Status status =
          parser_.add({due->text.data(), due->size}, &due->batch, due->guess ? &*due->guess : nullptr);
      if (!status.ok()) error_ = status.error();
      if (!error_) check_budget();
      if (error_) stopped_ = true;
      ++next_;
      spare_.push_back(std::move(due));
    }
    lock.unlock();
    moved_.notify_all();
  }

  std::unique_ptr<Chunk> recycle() {
    const std::lock_guard lock(parser_mutex_);
    if (spare_.empty()) return std::make_unique<Chunk>();
    std::unique_ptr<Chunk> chunk = std::move(spare_.back());
    spare_.pop_back();
    return chunk;
  }

  void stop(const Error& error) {
    stopped_ = true;
    const std::lock_guard lock(parser_mutex_);
    if (!error_) error_ = error;
    moved_.notify_all();
  }

  // The next chunk is unpacked only if there is room for what stands in the tables already. What all of the
  // file would need is told from the part that was read.
  void check_budget() {
    const uint64_t needed = bytes_until_frozen(builder_) + parser_.held_bytes() + store_bytes_;
    if (needed <= options_.memory.bytes) return;
    const auto part = static_cast<double>(packed_bytes_) / static_cast<double>(source_.packed_size());
    const bool is_known = source_.packed_size() > 0 && part > 0 && part < 1;
    const double all = is_known ? static_cast<double>(needed) / part : static_cast<double>(needed);
    error_ = over_budget(path_, static_cast<uint64_t>(all), options_.memory);
  }

  // After an exception: the chunk that is due will never come, so nobody may wait for it.
  void give_up() {
    stopped_ = true;
    const std::lock_guard lock(parser_mutex_);
    gave_up_ = true;
    moved_.notify_all();
  }

  bool is_over() const { return gave_up_ || error_; }

  TextSource& source_;
  TraceBuilder& builder_;
  FileParser parser_;
  const std::string& path_;
  const IngestOptions& options_;
  const unsigned threads_;

  std::mutex source_mutex_;
  Cutter cutter_;
  std::atomic<bool> stopped_ = false;
  uint64_t text_bytes_ = 0;
  std::atomic<uint64_t> store_bytes_ = 0, packed_bytes_ = 0;

  std::mutex parser_mutex_;
  std::condition_variable moved_;
  std::map<uint64_t, std::unique_ptr<Chunk>> waiting_;
  std::vector<std::unique_ptr<Chunk>> spare_;
  uint64_t next_ = 0;
  bool gave_up_ = false;
  std::optional<Error> error_;
};

}  // namespace

Status read_draft(std::unique_ptr<TextSource> source, const std::string& path, const IngestOptions& options,
                  TraceBuilder& builder) {
  Pipeline pipeline(*source, builder, path, options, thread_count(options.threads));
  SKYLINE_RETURN_IF_ERROR(pipeline.run());
  const Status finished = pipeline.finish();
  if (!finished.ok() && source->damage() != Damage::kNone) {
    return Error{path + " is cut off or damaged before its first event (" +
                 std::string(source->compression()) + " data); copy or record it again"};
  }
  if (!finished.ok()) return finished.error();

  TraceInfo& info = builder.draft.info;
  info.path = path;
  info.format = "kineto-json";
  info.compression = source->compression();
  info.source_bytes = source->packed_size() > 0 ? source->packed_size() : source->packed_position();
  info.text_bytes = pipeline.text_bytes();
  if (source->damage() == Damage::kTruncated && builder.draft.losses[Loss::kTruncated].count == 0) {
    builder.draft.losses.add(Loss::kTruncated, info.text_bytes);
  }
  if (source->damage() == Damage::kCorrupt) builder.draft.losses.add(Loss::kCorruptStream, info.text_bytes);
  std::unique_ptr<TextStore> store = source->into_store();
  const std::shared_ptr<const RandomBytes> packed = store->packed();
  if (packed != nullptr && packed->has_changed()) builder.draft.losses.add(Loss::kChanged, info.text_bytes);
  builder.draft.args = stored_events(std::move(store));
  return Done{};
}

Result<std::unique_ptr<const Trace>> read(std::unique_ptr<TextSource> source, const std::string& path,
                                          const IngestOptions& options) {
  TraceBuilder builder;
  SKYLINE_RETURN_IF_ERROR(read_draft(std::move(source), path, options, builder));
  return std::move(builder).freeze(thread_count(options.threads));
}

}  // namespace skyline::ingest::kineto_json
