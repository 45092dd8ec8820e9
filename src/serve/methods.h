// What pages may ask: one line per method of protocol/skyline.protocol (kMethods in methods.cpp).
//
// Methods run on any thread, several at a time. They compute nothing themselves: they read the request, ask
// analyze or the session, and turn what comes back into messages.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fields.h"
#include "base/result.h"
#include "serve/messages.h"
#include "serve/opened_traces.h"

namespace skyline {

class LiveSession;  // serve/live_session.h
class OpenedRun;    // serve/opened_run.h
class SourceFiles;  // serve/source_files.h

// What a method may ask.
struct Desk {
  std::string program;  // name and version
  OpenedTraces& traces;
  OpenedRun* run = nullptr;        // null: traces are not compared
  LiveSession* session = nullptr;  // null: only traces are served
  const SourceFiles* sources = nullptr;
  // What a page that has said hello must hear at once: the newest of every event. Called on the server's
  // thread.
  std::function<std::vector<std::string>()> greeting = {};
};

// JSON, or bytes of a layout that protocol/README.md describes.
struct Reply {
  std::string body;
  bool is_binary = false;
  bool is_hello = false;  // the client knows us now: events may follow
};

struct Method {
  std::string_view name;
  Result<Reply> (*answer)(const Desk& desk, const JsonFields& params, const bool& is_wrong);
};

std::span<const Method> methods();

// A whole request as it came, {"id": 7, "method": "table", "params": {…}}; what goes back, frame and all.
Reply answer_request(const Desk& desk, std::string_view request);

// An event, with its frame.
template <typename Message>
std::string event_text(std::string_view name, const Message& message) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("event", name);
  json.key("data");
  protocol::write(json, message);
  json.end_object();
  return std::move(json).finish();
}

// ---- For those who write methods. --------------------------------------------------------------

// method<protocol::TableParams, answer_table>: reads the params, gives an error if they are wrong, answers as
// JSON or, if `run` gives a Reply, as that.
template <typename Params, auto run>
Result<Reply> method(const Desk& desk, const JsonFields& fields, const bool& is_wrong) {
  Params params;
  protocol::read(fields, params);
  if (is_wrong) return Error{"the request's params are not those of the protocol"};
  auto result = run(desk, params);
  if (!result.ok()) return result.error();
  if constexpr (std::is_same_v<decltype(result), Result<Reply>>) {
    return std::move(result).value();
  } else {
    JsonWriter json;
    protocol::write(json, result.value());
    return Reply{std::move(json).finish()};
  }
}

// The trace with this id, which is read now if it is not in memory, or a sentence.
Result<OpenedTracePtr> find_trace(const Desk& desk, const std::string& id);

}  // namespace skyline
