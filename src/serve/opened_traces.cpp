#include "serve/opened_traces.h"

#include <algorithm>

namespace skyline {
namespace {

int64_t unix_start_ns(const Trace& trace) { return plus(trace.info.base_ns, trace.first_ns); }

}  // namespace

void OpenedTraces::put(const std::string& id, const std::string& name, std::shared_ptr<const Trace> trace) {
  put(id, name, std::make_shared<const AnalyzedTrace>(std::move(trace)));
}

void OpenedTraces::put(const std::string& id, const std::string& name,
                       std::shared_ptr<const AnalyzedTrace> analyzed) {
  auto opened = std::make_shared<OpenedTrace>(id, name, std::move(analyzed));
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto old =
      std::find_if(traces_.begin(), traces_.end(), [&](const auto& each) { return each->id == id; });
  if (old != traces_.end()) {
    *old = std::move(opened);
  } else {
    traces_.push_back(std::move(opened));
  }
  int64_t first_ns = INT64_MAX;
  for (const auto& each : traces_) first_ns = std::min(first_ns, unix_start_ns(each->trace()));
  for (const auto& each : traces_) each->offset_ns = minus(unix_start_ns(each->trace()), first_ns);
}

OpenedTracePtr OpenedTraces::find(const std::string& id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& each : traces_) {
    if (each->id == id) return each;
  }
  return nullptr;
}

std::vector<OpenedTracePtr> OpenedTraces::all() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {traces_.begin(), traces_.end()};
}

protocol::TraceSummary summarize(const OpenedTrace& opened) {
  const Trace& trace = opened.trace();
  protocol::TraceSummary summary;
  summary.id = opened.id;
  summary.name = opened.name;
  summary.rank = trace.info.rank;
  summary.world_size = trace.info.world_size;
  summary.offset_ns = opened.offset_ns;
  summary.duration_ns = minus(trace.last_ns, trace.first_ns);
  summary.events = static_cast<int64_t>(trace.event_count);
  summary.steps = static_cast<int64_t>(trace.steps.size());
  summary.host_name = trace.info.host_name;
  summary.producer = trace.info.producer;
  summary.format = trace.info.format;
  for (const Device& device : trace.info.devices) summary.devices.push_back(device.name);
  summary.has_device = trace.activities.size() > 0;
  summary.has_memory = trace.memory.size() > 0;
  summary.has_stacks = trace.stacks.size() > 0 || trace.pythons.size() > 0;
  // torch.profiler knows modules only by the Python frames of their calls.
  summary.has_modules =
      trace.modules.size() > 0 || std::any_of(trace.pythons.module_id.begin(), trace.pythons.module_id.end(),
                                              [](int64_t module) { return module >= 0; });
  summary.has_sources = std::any_of(trace.sources.begin(), trace.sources.end(),
                                    [](const SourceFile& file) { return !file.text.empty(); });
  return summary;
}

}  // namespace skyline
