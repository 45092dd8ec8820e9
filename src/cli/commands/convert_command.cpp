#include "cli/commands/convert_command.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/json_writer.h"
#include "cli/setup/trace_reading.h"
#include "cli/terminal/printable.h"
#include "cli/terminal/units.h"
#include "cli/views/losses_view.h"
#include "ingest/ingest.h"

namespace skyline::cli {
namespace {

struct OutputKind {
  std::string_view ending;
  Status (*write)(const Trace& trace, const std::string& path, const ingest::ExportOptions& options);
};

constexpr OutputKind kOutputKinds[] = {
    {".skyline", ingest::write_skyline},
    {".json", ingest::write_kineto_json},
    {".json.gz", ingest::write_kineto_json},
};

Result<const OutputKind*> kind_of(const std::string& file) {
  for (const OutputKind& kind : kOutputKinds) {
    if (file.ends_with(kind.ending)) return &kind;
  }
  return Error{
      fmt::format("'{}' does not say what to write; end the name with .skyline, .json or .json.gz", file)};
}

uint64_t size_of(const std::string& file) {
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(file, ignored);
  return ignored ? 0 : size;
}

std::string render_text(const Trace& trace, const std::string& file, const Console& console) {
  const auto bytes = [](uint64_t size) { return format_bytes(static_cast<int64_t>(size)); };
  std::string out = fmt::format("{}: {}, {} (was {})\n", printable(file),
                                format_counted(trace.event_count, "event", "events"), bytes(size_of(file)),
                                bytes(trace.info.source_bytes));
  const bool has_losses = !losses_sentence(trace.losses).empty();
  if (has_losses) out += "\n" + render_losses(trace.losses, console);
  return out;
}

std::string render_json(const Trace& trace, const std::string& file) {
  JsonWriter json;
  json.begin_object();
  json.field("schema", 1);
  json.field("command", "convert");
  json.field("file", file);
  json.field("bytes", size_of(file));
  json.field("source_bytes", trace.info.source_bytes);
  json.field("events", trace.event_count);
  write_losses(json, trace.losses);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

Result<Answer> run_convert(const Arguments& arguments, const Context& context) {
  const std::string& output = arguments.text(kOutputArgument);
  SKYLINE_TRY(const OutputKind* kind, kind_of(output));
  const std::vector<std::string>& traces = arguments.texts(kTraceArgument);
  if (traces.size() != 1) {
    return Error{fmt::format("convert takes one trace, not {}; call it once for each", traces.size())};
  }

  // A file that stands in the way is better told before a long read than behind it.
  std::error_code ignored;
  if (!arguments.has(kForceArgument) && std::filesystem::exists(output, ignored)) {
    return Error{fmt::format("{} exists already; choose another name, or replace it with --force", output)};
  }
  const std::string& device = arguments.text(kDeviceArgument);
  SKYLINE_TRY(const std::unique_ptr<const Trace> trace,
              device.empty() ? read_one_trace(traces.front(), arguments, context)
                             : read_two_as_one(traces.front(), device, arguments, context));
  const ingest::ExportOptions options = {.threads = wanted_threads(arguments, context.environment),
                                         .replace = arguments.has(kForceArgument),
                                         .creator = fmt::format("skyline {}", context.version)};
  SKYLINE_RETURN_IF_ERROR(kind->write(*trace, output, options));

  const bool as_json = arguments.text(kFormatArgument) == "json";
  return Answer{.text = as_json ? render_json(*trace, output) : render_text(*trace, output, context.console)};
}

}  // namespace skyline::cli
