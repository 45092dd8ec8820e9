#include "serve/event_args.h"

#include <simdjson.h>

namespace skyline {
namespace {

constexpr size_t kMostArgs = 100;
constexpr size_t kLongestArg = 4000;

std::string cut(std::string text) {
  if (text.size() <= kLongestArg) return text;
  size_t size = kLongestArg;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
    --size;  // not within a character
  return text.substr(0, size) + "…";
}

}  // namespace

std::vector<protocol::Fact> event_args(const Trace& trace, SliceId slice) {
  std::vector<protocol::Fact> facts;
  if (trace.args == nullptr) return facts;
  const Result<std::string> text = trace.args->event_text(trace.slices.offset[slice.value]);
  if (!text.ok()) return facts;
  simdjson::dom::parser parser;
  simdjson::dom::object args;
  if (parser.parse(text.value())["args"].get(args) != simdjson::SUCCESS) return facts;
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

}  // namespace skyline
