// The traces that pages can ask about: files that were opened, and what a session has recorded.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "analyze/analyze.h"
#include "serve/messages.h"
#include "trace/trace.h"

namespace skyline {

// One of them.
struct OpenedTrace {
  OpenedTrace(std::string with_id, std::string with_name, std::shared_ptr<const AnalyzedTrace> of)
      : id(std::move(with_id)), name(std::move(with_name)), analyzed(std::move(of)) {}

  const Trace& trace() const { return analyzed->trace(); }

  const std::string id;
  const std::string name;
  const std::shared_ptr<const AnalyzedTrace> analyzed;
  std::atomic<int64_t> offset_ns = 0;  // its start after that of the earliest one; others may come and go
};

using OpenedTracePtr = std::shared_ptr<const OpenedTrace>;

// May be asked and changed from any thread.
class OpenedTraces {
 public:
  // In the place of one with the same id, if there is one.
  void put(const std::string& id, const std::string& name, std::shared_ptr<const AnalyzedTrace> analyzed);
  void put(const std::string& id, const std::string& name, std::shared_ptr<const Trace> trace);

  OpenedTracePtr find(const std::string& id) const;  // null: there is none
  std::vector<OpenedTracePtr> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<OpenedTrace>> traces_;
};

protocol::TraceSummary summarize(const OpenedTrace& opened);

}  // namespace skyline
