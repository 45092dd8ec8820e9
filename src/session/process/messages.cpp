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

// The event of which there is a key; the last of them if there is none, in which `fields` then finds it
// missing.
template <typename Variant, typename Event, typename... Others>
Variant read_event(const JsonFields& fields) {
  Event event;
  if constexpr (sizeof...(Others) > 0) {
    if (!fields.has(key_of(event))) return read_event<Variant, Others...>(fields);
  }
  read(fields.object(key_of(event)), event);
  return event;
}

template <typename... Events>
std::variant<Events...> read_any(const JsonFields& fields, const std::variant<Events...>*) {
  return read_event<std::variant<Events...>, Events...>(fields);
}

template <typename Message>
Result<Message> parse_event(std::string_view text) {
  const Attempt<Message> message = parse<Message>(
      text, [](const JsonFields& fields) { return read_any(fields, static_cast<const Message*>(nullptr)); });
  if (!message.ok()) return Error{message.error().sentence};
  return message.value();
}

}  // namespace

Result<ZygoteMessage> parse_zygote_message(std::string_view text) { return parse_event<ZygoteMessage>(text); }

Result<Doing> parse_doing(std::string_view text) { return parse_event<Doing>(text); }

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
