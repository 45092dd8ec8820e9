// What methods are written with: what they may ask, what they give back, and the step between a request's
// params and them.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json_fields.h"
#include "base/result.h"
#include "serve/messages/protocol.h"
#include "serve/served/opened_traces.h"

namespace skyline::serve {

class LiveSession;  // serve/served/live_session.h
class OpenedRun;    // serve/served/opened_run.h
class SourceFiles;  // serve/served/source_files.h

// What a method may ask.
struct Context {
  std::string program;             // name and version
  std::string command = {};        // what has started it, for a shell
  std::string resume_secret = {};  // by which pages know a successor (http/resumption.h); empty: they do not
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

// method<protocol::TableParams, answer_table>: reads the params, gives an error if they are wrong, answers as
// JSON or, if `run` gives a Reply, as that.
template <typename Params, auto run>
Result<Reply> method(const Context& context, const JsonFields& fields, const bool& is_wrong) {
  Params params;
  protocol::read(fields, params);
  if (is_wrong) return Error{"the request's params are not those of the protocol"};
  auto result = run(context, params);
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
inline Result<OpenedTracePtr> find_trace(const Context& context, const std::string& id) {
  return context.traces.find(id);
}

}  // namespace skyline::serve
