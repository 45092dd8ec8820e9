#include "session/process/messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_error.h"
#include "base/json_fields.h"

namespace skyline::session {
namespace {

constexpr size_t kShown = 200;  // bytes of a message that cannot be understood

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

// Hands the object in `text` to `fill`, which makes a T of it.
template <typename T, typename Read>
Attempt<T> parse(std::string_view text, Read fill) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (is_json_error(parser.parse(text.data(), text.size()).get(root)) || !root.is_object())
    return not_understood(text);
  bool wrong = false;
  const JsonFields fields(root, wrong);
  WorkerError error;
  if (fields.has(key_of(error))) {
    read(fields.object(key_of(error)), error);
    Trouble trouble{Trouble::Kind::kUserCode, error.sentence, error.path, error.line};
    trouble.is_out_of_memory = tells_of_exhausted_memory(trouble.sentence);
    return wrong ? not_understood(text) : trouble;
  }
  T value = fill(fields);
  if (wrong) return not_understood(text);
  return value;
}

template <typename T>
Attempt<T> parse_answer(std::string_view answer) {
  return parse<T>(answer, [](const JsonFields& fields) {
    T message;
    read(fields.object(key_of(message)), message);
    return message;
  });
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

Attempt<Loaded> parse_loaded(std::string_view answer) { return parse_answer<Loaded>(answer); }

Attempt<Iterated> parse_iterated(std::string_view answer) {
  SKYLINE_TRY(Iterated iterated, parse_answer<Iterated>(answer));
  const size_t count = iterated.durations_ns.size();
  const auto fits = [&](const std::vector<int64_t>& of) { return of.empty() || of.size() == count; };
  if ((count == 0 && !iterated.is_over) || iterated.compile_ns.size() != count || !fits(iterated.data_ns) ||
      !fits(iterated.samples)) {
    return not_understood(answer);
  }
  return iterated;
}

Attempt<MemoryKept> parse_kept(std::string_view answer) { return parse_answer<MemoryKept>(answer); }

Attempt<Recording> parse_recording(std::string_view answer) { return parse_answer<Recording>(answer); }

Attempt<Recorded> parse_recorded(std::string_view answer) { return parse_answer<Recorded>(answer); }

}  // namespace skyline::session
