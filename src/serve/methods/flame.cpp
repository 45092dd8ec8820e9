#include "serve/methods/flame.h"

#include "analyze/analyze.h"

#include "serve/messages/enums.h"

namespace skyline::serve {
namespace {

constexpr int64_t kPartsOfWhole = 5000;  // smaller nodes are not a pixel wide
constexpr size_t kMostNodes = 20'000;

int64_t number_of(uint32_t row) { return row == kNoRow ? -1 : int64_t{row}; }

protocol::Flame to_message(const analyze::Flame& flame) {
  protocol::Flame message;
  message.names = flame.names;
  for (const analyze::FlamePlace& place : flame.places)
    message.places.push_back({place.file, place.line, place.function});
  for (const analyze::FlameNode& node : flame.nodes) {
    message.name.push_back(node.name);
    message.place.push_back(number_of(node.place));
    message.parent.push_back(number_of(node.parent));
    message.total_ns.push_back(node.total_ns);
    message.self_ns.push_back(node.self_ns);
    message.calls.push_back(node.calls);
  }
  message.left_out = static_cast<int64_t>(flame.left_out);
  return message;
}

// A flame graph as it is shown, among the results of a trace.
struct FlameKey {
  using Value = analyze::Flame;
  analyze::FlameOptions options;
  auto operator<=>(const FlameKey&) const = default;

  static size_t bytes_of(const FlameKey&, const analyze::Flame& flame) {
    size_t bytes = flame.nodes.size() * sizeof(analyze::FlameNode) +
                   flame.places.size() * sizeof(analyze::FlamePlace) +
                   flame.names.size() * sizeof(std::string);
    for (const std::string& name : flame.names) bytes += name.size();
    for (const analyze::FlamePlace& place : flame.places) bytes += place.file.size() + place.function.size();
    return bytes;
  }
};

}  // namespace

Result<protocol::Flame> answer_flame(const Context& context, const protocol::FlameParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(context, params.trace));
  SKYLINE_RETURN_IF_ERROR(analyze::chosen_step(opened->trace(), params.step));
  const analyze::FlameOptions options = {.by = from_message(params.by),
                                         .time = from_message(params.time),
                                         .step = params.step,
                                         .only_program = !params.all_frames.value_or(false)};
  return to_message(*opened->analyzed->results().get(FlameKey{options}, [&] {
    return analyze::trim(analyze::make_flame(*opened->analyzed, options), kPartsOfWhole, kMostNodes);
  }));
}

}  // namespace skyline::serve
