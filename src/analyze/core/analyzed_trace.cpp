#include "analyze/core/analyzed_trace.h"

namespace skyline::analyze {
namespace {

// A page that shows a trace of a gigabyte in every view needs about a third of it.
constexpr size_t kResultBytes = size_t{256} << 20;

}  // namespace

AnalyzedTrace::AnalyzedTrace(std::shared_ptr<const Trace> trace)
    : trace_(std::move(trace)), results_(kResultBytes) {}

AnalyzedTrace::AnalyzedTrace(const Trace& trace)
    : AnalyzedTrace(std::shared_ptr<const Trace>(std::shared_ptr<void>(), &trace)) {}

AnalyzedTrace::Slot& AnalyzedTrace::slot_of(std::type_index kind) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return slots_[kind];
}

}  // namespace skyline::analyze
