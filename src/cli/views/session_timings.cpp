#include "cli/views/session_timings.h"

#include <fmt/format.h>

#include "base/json_writer.h"

namespace skyline::cli {
namespace {

std::string_view phase_of(const session::SessionView& view) {
  switch (view.state) {
    case session::SessionState::kStarting:
      return "starting";
    case session::SessionState::kProfiling:
      return view.progress.phase;
    case session::SessionState::kIdle:
      break;
  }
  return "idle";
}

void write_known(JsonWriter& json, const session::ProfileResult& result) {
  json.key("known");
  json.begin_array();
  if (result.measured) json.value("throughput");
  if (result.is_timed) json.value("timed");
  if (result.memory != nullptr) json.value("memory");
  if (result.time != nullptr) json.value("time");
  if (result.models) json.value("models");
  if (result.is_complete) json.value("complete");
  json.end_array();
  json.field("samples", result.samples.size());
  json.field("fresh_process", result.in_fresh_process);
  json.field("spent_ns", result.spent_ns);
  if (result.measured) json.field("median_ns", result.measured->time.median_ns);
  json.key("warm_up_ns");
  json.begin_array();
  for (const int64_t duration : result.warm_up_ns) json.value(duration);
  json.end_array();
}

}  // namespace

std::string SessionTimings::line(const session::SessionView& view, int64_t now_ns) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("save", view.save);
  json.field("phase", phase_of(view));
  if (view.trouble) json.field("trouble", view.trouble->sentence);
  // What is still shown of an older save is no news.
  if (view.result != nullptr && view.result_save == view.save) write_known(json, *view.result);
  json.end_object();
  std::string now = std::move(json).finish();
  if (now == last_) return {};
  last_ = std::move(now);
  return fmt::format("{{\"now_ns\": {}, {}", now_ns, last_.substr(1));
}

}  // namespace skyline::cli
