#include "serve/served/opened_traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/out_of_memory.h"
#include "ingest/ingest.h"

namespace skyline::serve {
namespace {

int64_t unix_start_ns(const Trace& trace) { return analyze::plus(trace.info.base_ns, trace.first_ns); }

// What is known without reading it.
protocol::TraceSummary unread_summary(const std::string& id, const std::string& name) {
  protocol::TraceSummary summary;
  summary.id = id;
  summary.name = name;
  summary.rank = summary.world_size = -1;
  return summary;
}

protocol::TraceSummary summarize(const OpenedTrace& opened) {
  const Trace& trace = opened.trace();
  protocol::TraceSummary summary = unread_summary(opened.id, opened.name);
  summary.is_read = true;
  summary.rank = trace.info.rank;
  summary.world_size = trace.info.world_size;
  summary.duration_ns = analyze::minus(trace.last_ns, trace.first_ns);
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

std::shared_ptr<OpenedTrace> make_opened(const std::string& id, const std::string& name,
                                         std::shared_ptr<const analyze::AnalyzedTrace> analyzed) {
  return std::make_shared<OpenedTrace>(OpenedTrace{id, name, std::move(analyzed)});
}

// What others share of it is not counted, nor what an analysis keeps with the trace.
uint64_t bytes_of(const OpenedTrace& opened) {
  return ingest::held_bytes(opened.trace()) + opened.analyzed->results().held_bytes();
}

}  // namespace

// ---- What there is. ----------------------------------------------------------------------------

void OpenedTraces::put(const std::string& id, const std::string& name, std::shared_ptr<const Trace> trace) {
  put(id, name, std::make_shared<const analyze::AnalyzedTrace>(std::move(trace)));
}

void OpenedTraces::put(const std::string& id, const std::string& name,
                       std::shared_ptr<const analyze::AnalyzedTrace> analyzed) {
  const auto entry = std::make_shared<Entry>();
  entry->id = id;
  entry->name = name;
  std::shared_ptr<OpenedTrace> opened = make_opened(id, name, std::move(analyzed));
  protocol::TraceSummary summary = summarize(*opened);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    add(entry);
    hold(*entry, std::move(opened), std::move(summary));
  }
  tell();
}

void OpenedTraces::drop(const std::string& id) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const size_t count = std::erase_if(entries_, [&](const EntryPtr& each) { return each->id == id; });
    if (count == 0) return;
    set_offsets();
  }
  tell();
}

void OpenedTraces::put_unread(const std::string& id, const std::string& name, Read read) {
  const auto entry = std::make_shared<Entry>();
  entry->id = id;
  entry->name = name;
  entry->read = std::move(read);
  entry->summary = unread_summary(id, name);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    add(entry);
  }
  tell();
}

void OpenedTraces::add(EntryPtr entry) {
  const auto old = std::find_if(entries_.begin(), entries_.end(),
                                [&](const EntryPtr& each) { return each->id == entry->id; });
  if (old != entries_.end()) {
    *old = std::move(entry);
  } else {
    entries_.push_back(std::move(entry));
  }
}

void OpenedTraces::hold(Entry& entry, std::shared_ptr<OpenedTrace> opened, protocol::TraceSummary summary) {
  entry.start_ns = unix_start_ns(opened->trace());
  entry.held = std::move(opened);
  entry.summary = std::move(summary);
  set_offsets();
}

void OpenedTraces::set_offsets() {
  int64_t first_ns = INT64_MAX;
  for (const EntryPtr& each : entries_) {
    if (each->summary.is_read) first_ns = std::min(first_ns, each->start_ns);
  }
  for (const EntryPtr& each : entries_) {
    if (each->summary.is_read) each->summary.offset_ns = analyze::minus(each->start_ns, first_ns);
  }
}

OpenedTraces::EntryPtr OpenedTraces::entry_of(const std::string& id) const {
  for (const EntryPtr& each : entries_) {
    if (each->id == id) return each;
  }
  return nullptr;
}

protocol::TraceSummary OpenedTraces::summary(const std::string& id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const EntryPtr entry = entry_of(id);
  if (entry == nullptr) return unread_summary(id, "");
  protocol::TraceSummary summary = entry->summary;
  summary.is_held = entry->held != nullptr;
  return summary;
}

std::vector<protocol::TraceSummary> OpenedTraces::summaries() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<protocol::TraceSummary> all;
  for (const EntryPtr& each : entries_) {
    all.push_back(each->summary);
    all.back().is_held = each->held != nullptr;
  }
  return all;
}

bool OpenedTraces::is_reading() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const EntryPtr& each) { return each->reading.valid(); });
}

void OpenedTraces::on_change(std::function<void()> tell) {
  const std::lock_guard<std::mutex> lock(telling_);
  tell_ = std::move(tell);
}

void OpenedTraces::tell() {
  const std::lock_guard<std::mutex> lock(telling_);
  if (tell_) tell_();
}

// ---- Reading. ----------------------------------------------------------------------------------

Result<OpenedTracePtr> OpenedTraces::find(const std::string& id) { return find(id, true); }
Result<OpenedTracePtr> OpenedTraces::glance(const std::string& id) { return find(id, false); }

// Even if there is no memory for saying that there is none: the next one must be able to try again.
class OpenedTraces::EndOfReading {
 public:
  EndOfReading(OpenedTraces& traces, Entry& entry) : traces_(traces), entry_(entry) {}
  ~EndOfReading() {
    const std::lock_guard<std::mutex> lock(traces_.mutex_);
    entry_.reading = {};
  }
  EndOfReading(const EndOfReading&) = delete;
  EndOfReading& operator=(const EndOfReading&) = delete;

 private:
  OpenedTraces& traces_;
  Entry& entry_;
};

Result<OpenedTracePtr> OpenedTraces::find(const std::string& id, bool is_used) {
  EntryPtr entry;
  std::optional<std::promise<Result<OpenedTracePtr>>> answer;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    entry = entry_of(id);
    if (entry == nullptr) return Error{fmt::format("there is no trace {}", id)};
    if (is_used) entry->used = ++questions_;
    if (entry->held != nullptr) return OpenedTracePtr(entry->held);
    if (entry->reading.valid()) {
      const std::shared_future<Result<OpenedTracePtr>> reading = entry->reading;
      lock.unlock();
      return reading.get();
    }
    entry->reading = answer.emplace().get_future().share();
  }
  Result<OpenedTracePtr> opened = [&] {
    const EndOfReading end(*this, *entry);
    return or_out_of_memory("read", entry->name, [&] { return read(*entry); });
  }();
  answer->set_value(opened);
  if (is_used) trim();
  if (opened.ok()) tell();
  return opened;
}

Result<OpenedTracePtr> OpenedTraces::read(Entry& entry) {
  {
    const std::shared_lock<std::shared_mutex> beside_others(alone_);
    MemoryBudget memory = left();
    memory.bytes /= 2;  // another may be read at the same time
    Result<OpenedTracePtr> opened = read_within(entry, memory);
    if (opened.ok() || !opened.error().is_lack_of_memory) return opened;
  }
  const std::unique_lock<std::shared_mutex> alone(alone_);
  {
    std::unique_lock<std::mutex> lock(mutex_);
    const std::vector<std::shared_ptr<OpenedTrace>> gone = take_unused(0);
    lock.unlock();
  }
  return read_within(entry, left());
}

Result<OpenedTracePtr> OpenedTraces::read_within(Entry& entry, const MemoryBudget& memory) {
  return or_out_of_memory("read", entry.name, [&]() -> Result<OpenedTracePtr> {
    SKYLINE_TRY(std::shared_ptr<const Trace> trace, entry.read(memory));
    std::shared_ptr<OpenedTrace> opened =
        make_opened(entry.id, entry.name, std::make_shared<const analyze::AnalyzedTrace>(std::move(trace)));
    protocol::TraceSummary summary = summarize(*opened);
    const std::lock_guard<std::mutex> lock(mutex_);
    hold(entry, opened, std::move(summary));
    return OpenedTracePtr(std::move(opened));
  });
}

// ---- Memory. -----------------------------------------------------------------------------------

void OpenedTraces::trim() {
  std::vector<std::shared_ptr<OpenedTrace>> gone;  // without the lock, as it may take a while
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    gone = take_unused(memory_.bytes / 2);
  }
  if (gone.empty()) return;
  gone.clear();
  tell();
}

// The longest unused, until the others hold no more than that.
std::vector<std::shared_ptr<OpenedTrace>> OpenedTraces::take_unused(uint64_t most_bytes) {
  std::vector<Entry*> unused;
  for (const EntryPtr& each : entries_) {
    // Whoever uses it holds it as well, and nobody gets it without the lock.
    if (each->read && each->held != nullptr && each->held.use_count() == 1) unused.push_back(each.get());
  }
  std::stable_sort(unused.begin(), unused.end(),
                   [](const Entry* a, const Entry* b) { return a->used < b->used; });
  std::vector<std::shared_ptr<OpenedTrace>> gone;
  gone.reserve(unused.size());
  uint64_t held = held_bytes();
  for (Entry* each : unused) {
    if (held <= most_bytes) break;
    held -= std::min(held, bytes_of(*each->held));
    gone.push_back(std::move(each->held));
  }
  return gone;
}

uint64_t OpenedTraces::held_bytes() const {
  uint64_t bytes = 0;
  for (const EntryPtr& each : entries_) {
    if (each->held != nullptr) bytes += bytes_of(*each->held);
  }
  return bytes;
}

MemoryBudget OpenedTraces::left() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  MemoryBudget memory = memory_;
  const uint64_t held = held_bytes();
  if (held > 0) memory.source += ", less what other traces hold";
  memory.bytes -= std::min(memory.bytes, held);
  return memory;
}

}  // namespace skyline::serve
