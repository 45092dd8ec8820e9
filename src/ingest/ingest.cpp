#include "ingest/ingest.h"

#include "base/out_of_memory.h"
#include "base/parallel.h"
#include "ingest/cache.h"
#include "ingest/join/join.h"
#include "ingest/kineto_json/reader.h"
#include "ingest/native/native_reader.h"
#include "ingest/text/open_text.h"
#include "ingest/text/text_source.h"
#include "ingest/trace_input.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest {
namespace {

std::string_view shown_name(std::string_view path) { return path == "-" ? "standard input" : path; }

Result<std::unique_ptr<const Trace>> read_kineto_json(TraceInput input, const IngestOptions& options) {
  if (std::unique_ptr<const Trace> kept = find_in_cache(input, options)) return kept;
  SKYLINE_TRY(std::unique_ptr<TextSource> source,
              unpack_text(std::move(input.bytes), std::move(input.head), input.name));
  return kineto_json::read(std::move(source), input.name, options);
}

using ReadOne = Result<std::unique_ptr<const Trace>> (*)(TraceInput input, const IngestOptions& options);

// For formats whose files hold one process.
template <ReadOne read>
Result<Traces> only(TraceInput input, const IngestOptions& options) {
  SKYLINE_TRY(std::unique_ptr<const Trace> trace, read(std::move(input), options));
  Traces traces;
  traces.push_back(std::move(trace));
  return traces;
}

Result<std::unique_ptr<const Trace>> the_one(Result<Traces> traces, std::string_view name) {
  if (!traces.ok()) return traces.error();
  if (const size_t count = traces.value().size(); count != 1) {
    return Error{std::string(name) + " holds " + std::to_string(count) +
                 " traces, but here one is needed; split it, or use a command that takes several"};
  }
  return std::move(traces.value().front());
}

// What a file is, is told by its first bytes: names lie.
struct Format {
  std::string_view name;
  bool (*begins_with)(std::string_view head);
  Result<Traces> (*read)(TraceInput input, const IngestOptions& options);
};

// The first that fits is taken. JSON, packed or not, can begin in many ways: its reader says what is wrong.
constexpr Format kFormats[] = {
    {"skyline", tracefile::is_tracefile, only<native::read>},
    {"kineto-json", [](std::string_view) { return true; }, only<read_kineto_json>},
};

Result<Traces> read_input(TraceInput input, IngestOptions options) {
  options.memory = budget_for_file(options.memory, input.bytes->size());
  SKYLINE_TRY(input.head, take_head(*input.bytes));
  for (const Format& format : kFormats) {
    if (format.begins_with(input.head)) return format.read(std::move(input), options);
  }
  return Error{input.name + " is in no known format"};
}

Result<TraceInput> open_input(const std::string& path) {
  SKYLINE_TRY(std::unique_ptr<ByteInput> bytes, open_bytes(path));
  const bool can_be_opened_again = path != "-" && bytes->random_access() != nullptr;
  return TraceInput{.name = std::string(shown_name(path)),
                    .path = can_be_opened_again ? path : "",
                    .head = "",
                    .bytes = std::move(bytes)};
}

Result<Traces> read_file(const std::string& path, const IngestOptions& options) {
  SKYLINE_TRY(TraceInput input, open_input(path));
  return read_input(std::move(input), options);
}

// What is in a file before it is nested and linked.
Status read_draft(const std::string& path, IngestOptions options, TraceBuilder& builder) {
  SKYLINE_TRY(TraceInput input, open_input(path));
  options.memory = budget_for_file(options.memory, input.bytes->size());
  SKYLINE_TRY(input.head, take_head(*input.bytes));
  if (tracefile::is_tracefile(input.head)) return native::read_draft(std::move(input), options, builder);
  SKYLINE_TRY(std::unique_ptr<TextSource> source,
              unpack_text(std::move(input.bytes), std::move(input.head), input.name));
  return kineto_json::read_draft(std::move(source), input.name, options, builder);
}

Result<std::unique_ptr<const Trace>> read_both(const std::string& path, const std::string& device_path,
                                               const IngestOptions& options) {
  TraceBuilder host, device;
  SKYLINE_RETURN_IF_ERROR(read_draft(path, options, host));
  SKYLINE_RETURN_IF_ERROR(read_draft(device_path, options, device));
  join_device(host, std::move(device));
  host.draft.info.text_bytes = 0;  // neither text alone is that of the trace
  return std::move(host).freeze(thread_count(options.threads));
}

}  // namespace

Result<Traces> read_traces(const std::string& path, const IngestOptions& options) {
  return or_out_of_memory("read", shown_name(path), [&] { return read_file(path, options); });
}

Result<std::unique_ptr<const Trace>> read_trace(const std::string& path, const IngestOptions& options) {
  return or_out_of_memory("read", shown_name(path),
                          [&] { return the_one(read_file(path, options), shown_name(path)); });
}

Result<std::unique_ptr<const Trace>> read_joined(const std::string& path, const std::string& device_path,
                                                 const IngestOptions& options) {
  return or_out_of_memory("read", shown_name(path), [&] { return read_both(path, device_path, options); });
}

Result<std::unique_ptr<const Trace>> read_trace_bytes(std::string bytes, const std::string& path,
                                                      const IngestOptions& options) {
  return or_out_of_memory("read", path, [&] {
    return the_one(
        read_input({.name = path, .path = "", .head = "", .bytes = bytes_in_memory(std::move(bytes))},
                   options),
        path);
  });
}

}  // namespace skyline::ingest
