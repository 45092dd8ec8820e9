#include "collect/log/thread_rows.h"
#include "collect/tables/thread_name.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

std::vector<EndedThread> take_ended_threads() {
  const std::lock_guard lock(thread_registry().mutex);
  return std::exchange(thread_registry().ended, {});
}

void add(ThreadRows::Totals& totals, uint64_t dropped, uint64_t calls, uint64_t sampled_ticks,
         uint64_t sampled_calls) {
  totals.dropped += dropped;
  totals.calls += calls;
  totals.sampled_ticks += sampled_ticks;
  totals.sampled_calls += sampled_calls;
}

}  // namespace

void ThreadRows::join(uint32_t id, int64_t os_id, const std::string& name) {
  if (!written_.insert(id)) return;
  ids_.push_back(id);
  os_ids_.push_back(os_id);
  names_.push_back(name.empty() ? name_of_thread(os_id) : name);
}

void ThreadRows::take_ended(uint64_t session) {
  for (const EndedThread& thread : take_ended_threads()) {
    if (thread.session != session) continue;
    join(thread.id, thread.os_id, thread.name);
    add(totals_, thread.dropped, thread.calls, thread.sampled_ticks, thread.sampled_calls);
  }
}

void ThreadRows::write_to(ChunkSink& sink, uint64_t session) {
  take_ended(session);
  for_each_log([&](ThreadLog& log) {
    if (log.session == session) join(log.id, log.os_id, log.alive ? "" : log.name);
  });
  if (ids_.empty()) return;
  totals_.threads += ids_.size();
  const std::vector<std::string_view> views(names_.begin(), names_.end());
  table::ChunkBuilder& chunk = sink.begin(table::TableId::kThreads);
  chunk.add(table::threads::kId, ids_);
  chunk.add(table::threads::kOsTid, os_ids_);
  chunk.add(table::threads::kName, views);
  sink.append();
  ids_.clear();
  os_ids_.clear();
  names_.clear();
}

ThreadRows::Totals ThreadRows::sum_up(uint64_t session) {
  for_each_log([&](ThreadLog& log) {
    if (log.session == session)
      add(totals_, log.dropped.load(), log.calls.load(), log.sampled_ticks.load(), log.sampled_calls.load());
  });
  return totals_;
}

}  // namespace skyline::collect
