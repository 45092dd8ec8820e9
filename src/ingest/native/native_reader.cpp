#include "ingest/native/native_reader.h"

#include <algorithm>

#include "base/parallel.h"
#include "ingest/join/join.h"
#include "ingest/kineto_json/reader.h"
#include "ingest/kineto_json/stored_events.h"
#include "ingest/native/embedded_text.h"
#include "ingest/native/memory_need.h"
#include "ingest/native/recorded_args.h"
#include "ingest/native/recorded_reader.h"
#include "ingest/native/trace_loader.h"

namespace skyline::ingest::native {
namespace {

Result<std::string> read_all(TraceInput& input, const MemoryBudget& budget) {
  std::string bytes = std::move(input.head);
  constexpr size_t kPiece = 1 << 20;
  for (;;) {
    const size_t size = bytes.size();
    if (2 * (size + kPiece) > budget.bytes) return over_budget(input.name, 2 * (size + kPiece), budget);
    bytes.resize(size + kPiece);
    SKYLINE_TRY(const size_t n, input.bytes->read(bytes.data() + size, kPiece));
    bytes.resize(size + n);
    if (n == 0) return bytes;
  }
}

// A file stays where it is; what comes through a pipe is kept in memory.
Result<tracefile::Reader> open(TraceInput& input, const MemoryBudget& budget) {
  if (!input.path.empty()) return tracefile::Reader::open(input.path);
  SKYLINE_TRY(std::string bytes, read_all(input, budget));
  return tracefile::Reader::over(std::move(bytes), input.name);
}

bool holds(const tracefile::Reader& file, tracefile::TableId table) {
  return std::any_of(file.chunks().begin(), file.chunks().end(),
                     [&](const tracefile::Chunk& chunk) { return chunk.table() == table; });
}

// What the trace was made from, if the file has that too.
std::unique_ptr<ArgsSource> embedded_args(std::shared_ptr<const tracefile::Reader> file,
                                          const TraceInfo& info) {
  if (has_text(*file, Embedded::kSource))
    return stored_events(embedded_store(std::move(file), Embedded::kSource));
  if (!holds(*file, tracefile::TableId::kEvents)) return nullptr;
  LossCounts counted_already;
  const std::shared_ptr<const Definitions> definitions = read_definitions(*file, counted_already);
  std::unique_ptr<ArgsSource> host = recorded_args(file, definitions, info.base_ns);
  if (!has_text(*file, Embedded::kDevice)) return host;
  return joined_args(std::move(host), stored_events(embedded_store(std::move(file), Embedded::kDevice)));
}

// What Kineto has recorded of the devices. Text that cannot be read costs the device's part, not the host's.
void add_device_part(const std::shared_ptr<const tracefile::Reader>& file, const std::string& name,
                     const IngestOptions& options, TraceBuilder& host) {
  TraceBuilder device;
  const std::string part = name + " (device part)";
  const Status read =
      kineto_json::read_draft(embedded_source(file, Embedded::kDevice), part, options, device);
  if (read.ok()) {
    join_device(host, std::move(device));
  } else {
    host.draft.losses.add(Loss::kDevicePart, 0);
    host.draft.losses.describe(Loss::kDevicePart, read.error().sentence);
  }
}

bool was_beside_device_recorder(const TraceInfo& info) {
  return std::any_of(info.metadata.begin(), info.metadata.end(),
                     [](const auto& entry) { return entry.first == tracefile::meta::kDeviceRecorder; });
}

Result<std::unique_ptr<const Trace>> read_recording(const std::shared_ptr<const tracefile::Reader>& file,
                                                    const std::string& name, const IngestOptions& options) {
  const unsigned threads = thread_count(options.threads);
  const uint64_t needed = bytes_to_read_recording(*file, threads);
  if (needed > options.memory.bytes) return over_budget(name, needed, options.memory);
  TraceBuilder builder;
  read_recorded(file, name, threads, builder);
  if (has_text(*file, Embedded::kDevice)) {
    IngestOptions rest = options;
    rest.memory.bytes -= needed;
    add_device_part(file, name, rest, builder);
  } else if (was_beside_device_recorder(builder.draft.info)) {
    builder.draft.losses.add(Loss::kDevicePart, 0);
  }
  return std::move(builder).freeze(threads);
}

// The way to a trace whose tables cannot be used: from what it was made from.
Result<std::unique_ptr<const Trace>> read_again(std::shared_ptr<const tracefile::Reader> file,
                                                const std::string& name, const IngestOptions& options,
                                                const Error& why) {
  if (has_text(*file, Embedded::kSource))
    return kineto_json::read(embedded_source(std::move(file), Embedded::kSource), name, options);
  if (holds(*file, tracefile::TableId::kEvents)) return read_recording(file, name, options);
  return Error{name + " is damaged and does not hold what it was made from: " + why.sentence +
               "; convert it again"};
}

// A trace that was kept whole.
Result<std::unique_ptr<const Trace>> read_converted(std::shared_ptr<const tracefile::Reader> file,
                                                    const std::string& name, const IngestOptions& options) {
  if (file->ending().kind != tracefile::Ending::Kind::kComplete) {
    return read_again(std::move(file), name, options, {"it is cut off"});
  }
  const unsigned threads = thread_count(options.threads);
  const uint64_t needed = bytes_to_load_tables(*file, threads);
  if (needed > options.memory.bytes) return over_budget(name, needed, options.memory);
  Result<std::unique_ptr<Trace>> loaded = load_tables(*file, threads);
  if (!loaded.ok()) return read_again(std::move(file), name, options, loaded.error());
  Trace& trace = *loaded.value();
  trace.info.path = name;
  trace.info.compression = "skyline";
  trace.info.source_bytes = file->file_bytes();
  trace.losses.add(Loss::kTrailingBytes, file->ending().offset, file->ending().rest_bytes);
  trace.args = embedded_args(std::move(file), trace.info);
  return std::unique_ptr<const Trace>(std::move(loaded).value());
}

}  // namespace

Status read_draft(TraceInput input, const IngestOptions& options, TraceBuilder& builder) {
  SKYLINE_TRY(tracefile::Reader opened, open(input, options.memory));
  auto file = std::make_shared<const tracefile::Reader>(std::move(opened));
  if (has_tables(*file) || !holds(*file, tracefile::TableId::kEvents)) {
    return Error{input.name + " is no recording but a converted trace; join the files that were recorded"};
  }
  const unsigned threads = thread_count(options.threads);
  const uint64_t needed = bytes_to_read_recording(*file, threads);
  if (needed > options.memory.bytes) return over_budget(input.name, needed, options.memory);
  read_recorded(file, input.name, threads, builder);
  return file->check_unchanged(input.name);
}

Result<std::unique_ptr<const Trace>> read(TraceInput input, const IngestOptions& options) {
  SKYLINE_TRY(tracefile::Reader opened, open(input, options.memory));
  return read_opened(std::make_shared<const tracefile::Reader>(std::move(opened)), input.name, options);
}

Result<std::unique_ptr<const Trace>> read_opened(std::shared_ptr<const tracefile::Reader> file,
                                                 const std::string& name, const IngestOptions& options) {
  const bool is_converted = has_tables(*file) || has_text(*file, Embedded::kSource);
  Result<std::unique_ptr<const Trace>> trace =
      is_converted ? read_converted(file, name, options) : read_recording(file, name, options);
  // Parts of two files are no trace.
  SKYLINE_RETURN_IF_ERROR(file->check_unchanged(name));
  return trace;
}

}  // namespace skyline::ingest::native
