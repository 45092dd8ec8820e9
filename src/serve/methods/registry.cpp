#include "serve/methods/registry.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstring>

#include "base/json_error.h"
#include "base/out_of_memory.h"
#include "serve/methods/breakdown.h"
#include "serve/methods/flame.h"
#include "serve/methods/memory.h"
#include "serve/methods/session.h"
#include "serve/methods/source.h"
#include "serve/methods/timeline.h"
#include "serve/methods/trace.h"

namespace skyline::serve {
namespace {

constexpr Method kMethods[] = {
    {"hello", method<protocol::Nothing, answer_hello>},
    {"open_trace", method<protocol::TraceParams, answer_open_trace>},
    {"run", method<protocol::Nothing, answer_run>},
    {"overview", method<protocol::TraceParams, answer_overview>},
    {"table", method<protocol::TableParams, answer_table>},
    {"flame", method<protocol::FlameParams, answer_flame>},
    {"memory_curve", method<protocol::MemoryCurveParams, answer_memory_curve>},
    {"memory_peak", method<protocol::MemoryPeakParams, answer_memory_peak>},
    {"breakdown", method<protocol::BreakdownParams, answer_breakdown>},
    {"timeline", method<protocol::TraceParams, answer_timeline>},
    {"tiles", method<protocol::TilesParams, answer_tiles>},
    {"counter_tiles", method<protocol::CounterTilesParams, answer_counter_tiles>},
    {"slice", method<protocol::SliceParams, answer_slice>},
    {"search", method<protocol::SearchParams, answer_search>},
    {"range", method<protocol::RangeParams, answer_range>},
    {"sources", method<protocol::SourcesParams, answer_sources>},
    {"source", method<protocol::SourceParams, answer_source>},
    {"edit", method<protocol::EditParams, answer_edit>},
    {"apply", method<protocol::ApplyParams, answer_apply>},
    {"unsaved", method<protocol::UnsavedParams, answer_unsaved>},
    {"output", method<protocol::Nothing, answer_output>},
    {"profile_again", method<protocol::Nothing, answer_profile_again>},
    {"cancel_profile", method<protocol::Nothing, answer_cancel_profile>},
};

std::string frame(int64_t id, std::string_view key, std::string_view body) {
  while (body.ends_with('\n')) body.remove_suffix(1);
  return fmt::format("{{\"id\":{},\"{}\":{}}}", id, key, body);
}

Reply refuse(int64_t id, const Error& error) {
  JsonWriter json;
  protocol::write(json, protocol::Problem{error.sentence});
  return {frame(id, "error", std::move(json).finish())};
}

Result<Reply> answer(const Context& context, simdjson::dom::element request, int64_t& id) {
  bool is_wrong = false;
  const JsonFields fields(request, is_wrong);
  id = fields.integer("id");
  const std::string name = fields.text("method");
  const JsonFields params = fields.object("params");
  if (is_wrong || id < 0 || id > INT32_MAX) {
    id = -1;
    return Error{"a request is an object with id, method and params"};
  }
  for (const Method& each : methods()) {
    if (each.name != name) continue;
    SKYLINE_TRY(Reply reply, each.answer(context, params, is_wrong));
    reply.is_hello = name == "hello";
    return reply;
  }
  return Error{fmt::format("there is no method {}", name)};
}

Result<Reply> framed_answer(const Context& context, std::string_view request, int64_t& id) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  if (is_json_error(parser.parse(request.data(), request.size()).get(element))) {
    return Error{"a request is JSON"};
  }
  SKYLINE_TRY(const Reply reply, answer(context, element, id));
  if (!reply.is_binary) return Reply{frame(id, "result", reply.body), false, reply.is_hello};
  // Bytes begin with the request's number, little-endian, and stay aligned to 8.
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &id, sizeof(id));
  return Reply{bytes + reply.body, true};
}

}  // namespace

std::span<const Method> methods() { return kMethods; }

Reply answer_request(const Context& context, std::string_view request) {
  int64_t id = -1;
  Result<Reply> reply = or_out_of_memory("answer", "the page", [&]() -> Result<Reply> {
    Result<Reply> framed = framed_answer(context, request, id);
    return framed.ok() ? std::move(framed) : refuse(id, framed.error());
  });
  return reply.ok() ? std::move(reply).value() : refuse(id, reply.error());
}

}  // namespace skyline::serve
