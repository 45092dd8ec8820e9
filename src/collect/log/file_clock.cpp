#include "collect/log/file_clock.h"

#include <algorithm>

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;

constexpr uint64_t kDueAfterTicks = 1'000'000'000;

}  // namespace

void FileClock::write_to(ChunkSink& sink) {
  const ClockPoint now = read_clock(unix_);
  if (first_.ticks == 0) first_ = now;
  last_ticks_ = now.ticks;
  table::ChunkBuilder& chunk = sink.begin(table::TableId::kClock);
  chunk.add(table::clock::kTicks, {&now.ticks, 1});
  chunk.add(table::clock::kUnixNs, {&now.unix_ns, 1});
  sink.append();
}

void FileClock::write_if_due(ChunkSink& sink) {
  if (read_ticks() - last_ticks_ > kDueAfterTicks) write_to(sink);
}

double FileClock::ns_per_tick() const {
  const ClockPoint now = read_clock(unix_);
  return static_cast<double>(std::max<int64_t>(0, now.unix_ns - first_.unix_ns)) /
         static_cast<double>(std::max<uint64_t>(1, now.ticks - first_.ticks));
}

}  // namespace skyline::collect
