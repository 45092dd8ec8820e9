// The traces that pages can ask about: files that were named, and what a session has recorded.
//
//   OpenedTraces traces(budget);
//   traces.put_unread("3", "rank_3.json", [](const MemoryBudget& memory) { return read_trace(…); });
//   SKYLINE_TRY(const OpenedTracePtr opened, traces.find("3"));   // reads it
//
// A file is read when somebody asks about it, once however many ask, and nobody waits who asks about another.
// Half of the budget is for traces that are held; above that, those that nobody uses go, the longest unused
// first, and are read again when they are asked for. The other half is for reading. What needs more is read
// once more, alone and after all that nobody uses has gone.
//
// May be asked and changed from any thread.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "analyze/analyze.h"
#include "base/memory_budget.h"
#include "base/result.h"
#include "serve/messages/protocol.h"
#include "trace/trace.h"

namespace skyline::serve {

// One that is in memory, for as long as somebody holds it.
struct OpenedTrace {
  const Trace& trace() const { return analyzed->trace(); }

  const std::string id;
  const std::string name;
  const std::shared_ptr<const analyze::AnalyzedTrace> analyzed;
};

using OpenedTracePtr = std::shared_ptr<const OpenedTrace>;

class OpenedTraces {
 public:
  // Reads a file; it and the trace may take that much memory.
  using Read = std::function<Result<std::shared_ptr<const Trace>>(const MemoryBudget& memory)>;

  explicit OpenedTraces(MemoryBudget memory = {}) : memory_(std::move(memory)) {}
  OpenedTraces(const OpenedTraces&) = delete;
  OpenedTraces& operator=(const OpenedTraces&) = delete;

  // In the place of one with the same id, if there is one. Stays in memory.
  void put(const std::string& id, const std::string& name,
           std::shared_ptr<const analyze::AnalyzedTrace> analyzed);
  void put(const std::string& id, const std::string& name, std::shared_ptr<const Trace> trace);
  // Who holds it keeps it; there may be none.
  void drop(const std::string& id);
  void put_unread(const std::string& id, const std::string& name, Read read);

  // Reads it if it is not in memory.
  Result<OpenedTracePtr> find(const std::string& id);
  // The same for who reads many, one after another: it does not count as used, so that trim(), which is to be
  // called when it is not needed any more, lets go of it before all others.
  Result<OpenedTracePtr> glance(const std::string& id);
  void trim();

  protocol::TraceSummary summary(const std::string& id) const;
  std::vector<protocol::TraceSummary> summaries() const;
  bool is_reading() const;

  // `tell` is called whenever a summary has changed, on the thread that changed it, one call at a time. Once
  // this returns, the one before is not called any more.
  void on_change(std::function<void()> tell);

 private:
  struct Entry {
    std::string id, name;
    Read read;                                           // absent: it is never let go of
    std::shared_ptr<OpenedTrace> held;                   // null: not in memory
    std::shared_future<Result<OpenedTracePtr>> reading;  // valid while somebody reads it
    protocol::TraceSummary summary;
    int64_t start_ns = 0;  // Unix time; of one that was read
    uint64_t used = 0;     // the number of the question that was the last about it; 0: none was
  };
  using EntryPtr = std::shared_ptr<Entry>;
  class EndOfReading;

  Result<OpenedTracePtr> find(const std::string& id, bool is_used);
  Result<OpenedTracePtr> read(Entry& entry);
  Result<OpenedTracePtr> read_within(Entry& entry, const MemoryBudget& memory);
  MemoryBudget left() const;
  void tell();

  // With the lock.
  EntryPtr entry_of(const std::string& id) const;
  void add(EntryPtr entry);
  void hold(Entry& entry, std::shared_ptr<OpenedTrace> opened, protocol::TraceSummary summary);
  void set_offsets();
  uint64_t held_bytes() const;
  std::vector<std::shared_ptr<OpenedTrace>> take_unused(uint64_t most_bytes);

  const MemoryBudget memory_;
  std::shared_mutex alone_;   // held by all who read: shared at first, alone by who needs all the memory
  mutable std::mutex mutex_;  // of what follows
  std::vector<EntryPtr> entries_;
  uint64_t questions_ = 0;
  std::mutex telling_;  // so that what is told last is what is true last
  std::function<void()> tell_;
};

}  // namespace skyline::serve
