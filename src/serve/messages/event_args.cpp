#include "serve/messages/event_args.h"

#include <simdjson.h>

#include "base/json_error.h"
#include "base/utf8.h"

namespace skyline::serve {
namespace {

constexpr size_t kMostArgs = 100;
constexpr size_t kLongestArg = 4000;

std::string cut(std::string text) {
  if (text.size() <= kLongestArg) return text;
  return std::string(prefix_utf8(text, kLongestArg)) + "…";
}

}  // namespace

std::vector<protocol::Fact> event_args(const Trace& trace, SliceId slice) {
  std::vector<protocol::Fact> facts;
  if (trace.args == nullptr) return facts;
  const Result<std::string> text = trace.args->event_text(trace.slices.source_place[slice.value]);
  if (!text.ok()) return {{"not available", text.error().sentence}};
  simdjson::dom::parser parser;
  simdjson::dom::object args;
  if (is_json_error(parser.parse(text.value())["args"].get(args))) return facts;
  for (const auto [name, value] : args) {
    if (facts.size() == kMostArgs) break;
    std::string_view plain;
    if (value.get(plain) != simdjson::SUCCESS) {
      facts.push_back({std::string(name), cut(simdjson::minify(value))});
    } else {
      facts.push_back({std::string(name), cut(std::string(plain))});
    }
  }
  return facts;
}

}  // namespace skyline::serve
