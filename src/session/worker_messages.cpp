// Made by tools/gen_worker_messages.py from protocol/worker.protocol; change that.
// clang-format off
#include "session/worker_messages.h"

#include "base/json_fields.h"
#include "base/json_writer.h"

namespace skyline::session {

std::string load_command(const Load& message) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("do", "load");
  json.field("entry_point", message.entry_point);
  json.field("project_root", message.project_root);
  if (message.recording) json.field("recording", *message.recording);
  json.key("endings");
  json.begin_array(JsonWriter::Layout::kInline);
  for (const std::string& each : message.endings) json.value(each);
  json.end_array();
  json.key("arguments");
  json.begin_array(JsonWriter::Layout::kInline);
  for (const std::string& each : message.arguments) json.value(each);
  json.end_array();
  json.field("module", message.module);
  json.field("edit_path", message.edit_path);
  json.field("edit_begin", message.edit_begin);
  json.field("edit_end", message.edit_end);
  json.field("edit_text", message.edit_text);
  json.field("loaders_from", message.loaders_from);
  json.field("loaders_to", message.loaders_to);
  json.end_object();
  return std::move(json).finish();
}

std::string iterate_command(const Iterate& message) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("do", "iterate");
  json.field("batch_size", message.batch_size);
  json.field("count", message.count);
  json.field("limit_ns", message.limit_ns);
  json.end_object();
  return std::move(json).finish();
}

std::string keep_memory_command() {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("do", "keep_memory");
  json.end_object();
  return std::move(json).finish();
}

std::string record_command(const Record& message) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("do", "record");
  json.field("recording", message.recording);
  constexpr std::string_view kRecordedKind[] = {"all", "memory"};
  json.field("what", kRecordedKind[static_cast<size_t>(message.what)]);
  json.end_object();
  return std::move(json).finish();
}

std::string stop_recording_command() {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("do", "stop_recording");
  json.end_object();
  return std::move(json).finish();
}

std::string start_task_command(const StartTask& message) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("do", "start_task");
  json.field("number", message.number);
  json.field("task", message.task);
  if (message.arguments) json.field("arguments", *message.arguments);
  if (message.threads) json.field("threads", *message.threads);
  json.end_object();
  return std::move(json).finish();
}

std::string stop_task_command(const StopTask& message) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("do", "stop_task");
  json.field("number", message.number);
  json.end_object();
  return std::move(json).finish();
}

void read(const JsonFields& fields, BatchLiteral& message) {
  message.path = fields.text("path");
  message.value = fields.integer("value");
  message.begin_byte = fields.integer("begin_byte");
  message.end_byte = fields.integer("end_byte");
  message.line = fields.integer("line");
  message.begin_column = fields.integer("begin_column");
  message.end_column = fields.integer("end_column");
  message.file_hash = fields.text("file_hash");
}

void read(const JsonFields& fields, SourceFileHash& message) {
  message.path = fields.text("path");
  message.sha256 = fields.text("sha256");
}

void read(const JsonFields& fields, Loaded& message) {
  message.batch_size = fields.integer("batch_size");
  if (fields.has("literal")) read(fields.object("literal"), message.literal.emplace());
  message.no_literal = fields.text("no_literal");
  message.device = fields.text("device");
  message.device_memory_bytes = fields.integer("device_memory_bytes");
  for (const JsonFields& each : fields.objects("files")) read(each, message.files.emplace_back());
  message.modules = fields.texts("modules");
  message.is_script = fields.boolean("is_script");
  message.script_workers = fields.integer("script_workers");
  message.samples = fields.integer("samples");
  message.other_sizes = fields.text("other_sizes");
  message.argument = fields.integer("argument");
  message.argument_prefix = fields.text("argument_prefix");
}

void read(const JsonFields& fields, InputTensor& message) {
  message.dtype = fields.text("dtype");
  message.shape = fields.integers("shape");
}

void read(const JsonFields& fields, Iterated& message) {
  message.durations_ns = fields.integers("durations_ns");
  message.compile_ns = fields.integers("compile_ns");
  message.data_ns = fields.integers("data_ns");
  message.samples = fields.integers("samples");
  message.is_over = fields.boolean("is_over");
  for (const JsonFields& each : fields.objects("inputs")) read(each, message.inputs.emplace_back());
  message.resident_peak_bytes = fields.integer("resident_peak_bytes");
  message.page_faults = fields.integer("page_faults");
}

void read(const JsonFields& fields, MemoryKept& message) {
  message.is_kept = fields.boolean("is_kept");
}

void read(const JsonFields& fields, Recording& message) {
  message.path = fields.text("path");
}

void read(const JsonFields& fields, Recorded& message) {
  message.path = fields.text("path");
}

void read(const JsonFields& fields, WorkerError& message) {
  message.path = fields.text("path");
  message.line = fields.integer("line");
  message.sentence = fields.text("sentence");
}

void read(const JsonFields& fields, ZygoteReady& message) {
  message.python = fields.text("python");
  message.torch = fields.text("torch");
}

void read(const JsonFields& fields, ZygoteImporting& message) {
  message.module = fields.text("module");
}

void read(const JsonFields& fields, ZygoteTainted& message) {
  message.module = fields.text("module");
  message.why = fields.text("why");
}

void read(const JsonFields& fields, TaskStarted& message) {
  message.number = fields.integer("number");
  message.pid = fields.integer("pid");
}

void read(const JsonFields& fields, TaskEnded& message) {
  message.number = fields.integer("number");
  if (fields.has("code")) message.code = fields.integer("code");
  if (fields.has("signal")) message.signal = fields.text("signal");
}

void read(const JsonFields& fields, ZygoteGone& message) {
  if (fields.has("code")) message.code = fields.integer("code");
  if (fields.has("signal")) message.signal = fields.text("signal");
}

void read(const JsonFields& fields, WritesFile& message) {
  message.path = fields.text("path");
}

void read(const JsonFields&, StartsPrograms&) {}

void read(const JsonFields& fields, KillsParent& message) {
  message.signal = fields.text("signal");
  message.path = fields.text("path");
  message.line = fields.integer("line");
}

}  // namespace skyline::session
