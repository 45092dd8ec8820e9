#include "session/process/messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_error.h"
#include "base/json_fields.h"
#include "base/json_writer.h"

namespace skyline {
namespace {

constexpr size_t kShown = 200;  // bytes of a message that can not be understood

Trouble not_understood(std::string_view text) {
  return {Trouble::Kind::kOurs, fmt::format("the Python process said something that is not understood: {}",
                                            text.substr(0, kShown))};
}

// How torch and Python say that memory has run out: the CPU's allocator in two ways, devices, Python itself.
bool tells_of_exhausted_memory(std::string_view sentence) {
  constexpr std::string_view kWords[] = {"can't allocate memory", "not enough memory", "out of memory",
                                         "OutOfMemoryError", "MemoryError"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view words) { return sentence.find(words) != sentence.npos; });
}

// Hands the object in `text` to `read`, which fills a T.
template <typename T, typename Read>
Attempt<T> parse(std::string_view text, Read read) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (is_json_error(parser.parse(text.data(), text.size()).get(root)) || !root.is_object())
    return not_understood(text);
  bool wrong = false;
  const JsonFields fields(root, wrong);
  if (fields.has("error")) {
    const JsonFields error = fields.object("error");
    Trouble trouble{Trouble::Kind::kUserCode, error.text("sentence"), error.text("path"),
                    error.integer("line")};
    trouble.is_out_of_memory = tells_of_exhausted_memory(trouble.sentence);
    return wrong ? not_understood(text) : trouble;
  }
  T value = read(fields);
  if (wrong) return not_understood(text);
  return value;
}

BatchLiteral read_literal(const JsonFields& fields) {
  BatchLiteral literal;
  literal.path = fields.text("path");
  literal.value = fields.integer("value");
  literal.begin_byte = fields.integer("begin_byte");
  literal.end_byte = fields.integer("end_byte");
  literal.line = fields.integer("line");
  literal.begin_column = fields.integer("begin_column");
  literal.end_column = fields.integer("end_column");
  literal.file_hash = fields.text("file_hash");
  return literal;
}

Loaded read_loaded(const JsonFields& fields) {
  Loaded loaded;
  loaded.batch_size = fields.integer("batch_size");
  if (fields.has("literal")) loaded.literal = read_literal(fields.object("literal"));
  loaded.no_literal = fields.text("no_literal");
  loaded.device = fields.text("device");
  loaded.device_memory_bytes = fields.integer("device_memory_bytes");
  for (const JsonFields& file : fields.objects("files")) {
    loaded.files.push_back({file.text("path"), file.text("sha256")});
  }
  loaded.modules = fields.texts("modules");
  return loaded;
}

Iterated read_iterated(const JsonFields& fields) {
  Iterated iterated;
  iterated.durations_ns = fields.integers("durations_ns");
  iterated.compile_ns = fields.integers("compile_ns");
  for (const JsonFields& input : fields.objects("inputs")) {
    if (input.has("dtype")) {
      iterated.inputs.push_back({input.text("dtype"), input.integers("shape")});
    } else {
      iterated.inputs.emplace_back();
    }
  }
  iterated.resident_peak_bytes = fields.integer("resident_peak_bytes");
  iterated.page_faults = fields.integer("page_faults");
  return iterated;
}

ProcessEnd read_end(const JsonFields& fields) {
  ProcessEnd end;
  if (fields.has("signal")) {
    end.signal = fields.text("signal");
  } else {
    end.code = static_cast<int>(fields.integer("code"));
  }
  return end;
}

ZygoteMessage read_zygote_message(const JsonFields& fields) {
  if (fields.has("ready")) {
    const JsonFields ready = fields.object("ready");
    return ZygoteReady{ready.text("python"), ready.text("torch")};
  }
  if (fields.has("tainted")) {
    const JsonFields tainted = fields.object("tainted");
    return ZygoteTainted{tainted.text("module"), tainted.text("why")};
  }
  if (fields.has("started")) return TaskStarted{fields.integer("started"), fields.integer("pid")};
  if (fields.has("importing")) return ZygoteImporting{fields.text("importing")};
  if (fields.has("gone")) return ZygoteGone{read_end(fields.object("gone"))};
  return TaskEnded{fields.integer("ended"), read_end(fields)};
}

Doing read_doing(const JsonFields& fields) {
  if (fields.has("kills")) {
    const JsonFields kill = fields.object("kills");
    return KillsParent{kill.text("signal"), kill.text("path"), kill.integer("line")};
  }
  if (fields.has("starts")) return StartsPrograms{};
  return WritesFile{fields.text("writes")};
}

// One line of JSON.
template <typename Write>
std::string compose(std::string_view command, Write write) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("do", command);
  write(json);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

Result<ZygoteMessage> parse_zygote_message(std::string_view text) {
  const Attempt<ZygoteMessage> message = parse<ZygoteMessage>(text, read_zygote_message);
  if (!message.ok()) return Error{message.error().sentence};
  return message.value();
}

Result<Doing> parse_doing(std::string_view text) {
  const Attempt<Doing> doing = parse<Doing>(text, read_doing);
  if (!doing.ok()) return Error{doing.error().sentence};
  return doing.value();
}

std::string load_command(const std::string& entry_point, const std::string& project_root,
                         const std::string& recording, std::span<const std::string_view> endings) {
  return compose("load", [&](JsonWriter& json) {
    json.field("entry_point", entry_point);
    json.field("project_root", project_root);
    json.field("recording", recording);
    json.key("endings");
    json.begin_array(JsonWriter::Layout::kInline);
    for (const std::string_view ending : endings) json.value(ending);
    json.end_array();
  });
}

std::string iterate_command(int64_t batch_size, int64_t count, int64_t limit_ns) {
  return compose("iterate", [&](JsonWriter& json) {
    json.field("batch_size", batch_size);
    json.field("count", count);
    json.field("limit_ns", limit_ns);
  });
}

std::string keep_memory_command() {
  return compose("keep_memory", [](JsonWriter&) {});
}

std::string record_command(const std::string& recording, std::string_view what) {
  return compose("record", [&](JsonWriter& json) {
    json.field("recording", recording);
    json.field("what", what);
  });
}

std::string stop_recording_command() {
  return compose("stop_recording", [](JsonWriter&) {});
}

Attempt<Loaded> parse_loaded(std::string_view answer) {
  return parse<Loaded>(answer, [](const JsonFields& fields) { return read_loaded(fields.object("loaded")); });
}

Attempt<Iterated> parse_iterated(std::string_view answer) {
  SKYLINE_TRY(Iterated iterated, parse<Iterated>(answer, [](const JsonFields& fields) {
                return read_iterated(fields.object("iterated"));
              }));
  if (iterated.durations_ns.empty() || iterated.compile_ns.size() != iterated.durations_ns.size()) {
    return not_understood(answer);
  }
  return iterated;
}

Attempt<MemoryKept> parse_kept(std::string_view answer) {
  return parse<MemoryKept>(
      answer, [](const JsonFields& fields) { return MemoryKept{fields.object("kept").boolean("is_kept")}; });
}

Attempt<Recorded> parse_recording(std::string_view answer) {
  return parse<Recorded>(
      answer, [](const JsonFields& fields) { return Recorded{fields.object("recording").text("path")}; });
}

Attempt<Recorded> parse_recorded(std::string_view answer) {
  return parse<Recorded>(
      answer, [](const JsonFields& fields) { return Recorded{fields.object("recorded").text("path")}; });
}

}  // namespace skyline
