#include "ingest/cache.h"

#include <new>

#include "base/output_file.h"
#include "base/parallel.h"
#include "ingest/cache_folder.h"
#include "ingest/content_hash.h"
#include "ingest/kineto_json/stored_events.h"
#include "ingest/native/memory_need.h"
#include "ingest/native/seek_point_chunks.h"
#include "ingest/native/trace_loader.h"
#include "ingest/native/trace_writer.h"
#include "ingest/text/open_text.h"

namespace skyline::ingest {
namespace {

// gzip shrinks a thousandfold at most, so a source that is smaller cannot give enough text.
constexpr uint64_t kMostShrinking = 1024;

// Null: the copy is good, but needs more memory than it may have. Reading the file will come to the same
// end, with a sentence.
Result<std::unique_ptr<Trace>> load(const std::string& entry, const TraceInput& input, unsigned threads,
                                    const MemoryBudget& memory) {
  SKYLINE_TRY(tracefile::Reader opened, tracefile::Reader::open(entry));
  const auto file = std::make_shared<const tracefile::Reader>(std::move(opened));
  if (file->ending().kind != tracefile::Ending::Kind::kComplete) return Error{"the entry is cut off"};
  if (native::bytes_to_load_tables(*file, threads) > memory.bytes) return std::unique_ptr<Trace>();
  SKYLINE_TRY(std::unique_ptr<Trace> trace, native::load_tables(*file, threads));
  if (trace->info.source_bytes != input.bytes->size()) return Error{"the entry is of another file"};
  trace->info.path = input.name;
  trace->info.from_cache = true;
  trace->args = stored_events(
      reopen_text(trace->info.compression, input.bytes->random_access(), native::saved_seek_points(file)));
  return trace;
}

Status store(const Trace& trace, const TextStore& text, const std::string& entry,
             const IngestOptions& options) {
  const unsigned threads = thread_count(options.threads);
  SKYLINE_TRY(OutputFile file, OutputFile::plan(entry, OutputFile::IfExists::kReplace));
  const tracefile::WriterOptions writer_options = {
      .creator = options.cache.engine, .must_be_new = true, .permissions = 0600};
  SKYLINE_TRY(tracefile::Writer writer, tracefile::Writer::create(file.temporary(), writer_options));
  SKYLINE_RETURN_IF_ERROR(native::append_tables(trace, threads, writer));
  SKYLINE_RETURN_IF_ERROR(native::append_seek_points(text, threads, writer));
  if (writer.bytes_written() > options.cache.max_bytes) return Error{"the entry alone is too large"};
  SKYLINE_RETURN_IF_ERROR(writer.finish());
  return file.commit();
}

Status keep(const Trace& trace, const IngestOptions& options) {
  const CacheOptions& cache = options.cache;
  const TextStore* text = store_behind(*trace.args);
  const std::shared_ptr<const RandomBytes> packed = text == nullptr ? nullptr : text->packed();
  const bool is_a_file = packed != nullptr && packed->held_bytes() == 0;
  if (!is_a_file) return Done{};

  // The bytes are read through the file that the trace came from, and it must not have changed.
  const uint64_t bytes = trace.info.source_bytes;
  SKYLINE_TRY(const std::string hash, content_hash(*packed, bytes, thread_count(options.threads)));
  const CacheFolder folder(cache.folder, cache.engine);
  if (!folder.prepare()) return Done{};
  const std::string entry = folder.entry(bytes, hash);
  if (folder.is_there(entry)) return Done{};  // another process was faster
  SKYLINE_RETURN_IF_ERROR(store(trace, *text, entry, options));
  folder.remember_hash(packed->identity(), hash);
  folder.tidy(entry, cache.max_bytes);
  return Done{};
}

}  // namespace

std::unique_ptr<const Trace> find_in_cache(const TraceInput& input, const IngestOptions& options) {
  const CacheOptions& cache = options.cache;
  if (cache.folder.empty() || input.path.empty()) return nullptr;
  const uint64_t bytes = input.bytes->size();
  const CacheFolder folder(cache.folder, cache.engine);
  if (bytes < cache.min_text_bytes / kMostShrinking || !folder.may_hold(bytes)) return nullptr;

  const unsigned threads = thread_count(options.threads);
  const RandomBytes& source = *input.bytes->random_access();
  const std::string identity = source.identity();
  std::string hash = folder.known_hash(identity);
  const bool is_known = !hash.empty();
  if (!is_known) {
    Result<std::string> computed = content_hash(source, bytes, threads);
    if (!computed.ok()) return nullptr;
    hash = std::move(computed).value();
  }
  const std::string entry = folder.entry(bytes, hash);
  if (!folder.is_there(entry)) return nullptr;
  Result<std::unique_ptr<Trace>> trace = load(entry, input, threads, options.memory);
  if (!trace.ok()) {
    folder.remove(entry);
    return nullptr;
  }
  if (trace.value() == nullptr) return nullptr;
  folder.mark_used(entry);
  if (!is_known) folder.remember_hash(identity, hash);
  return std::move(trace).value();
}

void keep_in_cache(const Trace& trace, const IngestOptions& options) {
  const CacheOptions& cache = options.cache;
  if (cache.folder.empty() || trace.info.from_cache || trace.args == nullptr) return;
  if (trace.info.text_bytes < cache.min_text_bytes) return;
  try {
    static_cast<void>(keep(trace, options));
  } catch (const std::bad_alloc&) {
    // As with a full disk: the trace is read again next time.
  }
}

}  // namespace skyline::ingest
