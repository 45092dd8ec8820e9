// The way back: a trace into a file.
#include "ingest/write_trace.h"

#include "base/out_of_memory.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "ingest/ingest.h"
#include "ingest/join/join.h"
#include "ingest/kineto_json/trace_text.h"
#include "ingest/native/recorded_args.h"
#include "ingest/native/trace_writer.h"

namespace skyline::ingest {
namespace {

OutputFile::IfExists if_exists(const ExportOptions& options) {
  return options.replace ? OutputFile::IfExists::kReplace : OutputFile::IfExists::kRefuse;
}

// The source of the args goes along: the text that was read, or everything that was recorded.
Status append_source(const Trace& trace, unsigned threads, tracefile::Writer& writer) {
  if (trace.args == nullptr) return Done{};
  const tracefile::Reader* recording = native::recording_behind(host_part(*trace.args));
  return recording == nullptr ? native::append_text(trace, threads, writer)
                              : native::append_recording(*recording, writer);
}

Status write_tables(const Trace& trace, const std::string& path, const ExportOptions& options) {
  const unsigned threads = thread_count(options.threads);
  SKYLINE_TRY(OutputFile file, OutputFile::plan(path, if_exists(options)));
  SKYLINE_TRY(tracefile::Writer writer,
              tracefile::Writer::create(file.temporary(), {.creator = options.creator, .must_be_new = true}));
  // Source first: if ever the file is cut, what is there can be read again from the front.
  SKYLINE_RETURN_IF_ERROR(append_source(trace, threads, writer));
  SKYLINE_RETURN_IF_ERROR(native::append_tables(trace, threads, writer));
  SKYLINE_RETURN_IF_ERROR(writer.finish());
  return file.commit();
}

Status write_json(const Trace& trace, const std::string& path, const ExportOptions& options) {
  SKYLINE_TRY(OutputFile file, OutputFile::plan(path, if_exists(options)));
  const bool is_gzip = path.ends_with(".gz");
  SKYLINE_TRY(std::unique_ptr<TextSink> sink,
              is_gzip ? gzip_sink(file.temporary()) : plain_sink(file.temporary()));
  SKYLINE_RETURN_IF_ERROR(kineto_json::write_trace(trace, *sink));
  SKYLINE_RETURN_IF_ERROR(sink->finish());
  return file.commit();
}

}  // namespace

Status write_skyline(const Trace& trace, const std::string& path, const ExportOptions& options) {
  return or_out_of_memory("write", path, [&] { return write_tables(trace, path, options); });
}

Status write_kineto_json(const Trace& trace, const std::string& path, const ExportOptions& options) {
  return or_out_of_memory("write", path, [&] { return write_json(trace, path, options); });
}

}  // namespace skyline::ingest
