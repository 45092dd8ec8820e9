#include "serve/flame_methods.h"

#include <fmt/format.h>

#include "analyze/analyze.h"

namespace skyline {
namespace {

constexpr int64_t kPartsOfWhole = 5000;  // smaller nodes are not a pixel wide
constexpr size_t kMostNodes = 20'000;

int64_t number_of(uint32_t row) { return row == kNoRow ? -1 : int64_t{row}; }

protocol::Flame to_message(const Flame& flame) {
  protocol::Flame message;
  message.names = flame.names;
  for (const FlamePlace& place : flame.places)
    message.places.push_back({place.file, place.line, place.function});
  for (const FlameNode& node : flame.nodes) {
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

}  // namespace

Result<protocol::Flame> answer_flame(const Desk& desk, const protocol::FlameParams& params) {
  SKYLINE_TRY(const OpenedTracePtr opened, find_trace(desk, params.trace));
  const Trace& trace = *opened->trace;
  SKYLINE_RETURN_IF_ERROR(chosen_step(trace, params.step));
  const FlameOptions options = {.by = static_cast<FlameBy>(params.by),
                                .time = static_cast<FlameTime>(params.time),
                                .step = params.step};
  const std::string key =
      fmt::format("flame\n{}\n{}\n{}", static_cast<int>(options.by), static_cast<int>(options.time),
                  params.step ? std::to_string(*params.step) : "");
  return *opened->kept.get<protocol::Flame>(
      key, [&] { return to_message(trim(make_flame(trace, options), kPartsOfWhole, kMostNodes)); });
}

}  // namespace skyline
