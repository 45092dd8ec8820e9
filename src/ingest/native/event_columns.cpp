#include "ingest/native/event_columns.h"

#include "ingest/native/chunk_columns.h"

namespace skyline::ingest::native {

EventColumns read_events(const tracefile::Chunk& chunk) {
  namespace events = tracefile::events;
  ChunkColumns columns(chunk);
  EventColumns read;
  read.thread = columns(events::kThread);
  read.start_ticks = columns(events::kStartTicks);
  read.dur_ticks = columns(events::kDurTicks);
  read.name = columns(events::kName);
  read.kind = columns(events::kKind);
  read.sequence = columns(events::kSequence);
  read.fwd_thread = columns(events::kFwdThread);
  read.shapes = columns(events::kShapes);
  read.stack = columns(events::kStack);
  read.flags = columns(events::kFlags);
  read.collective = columns(events::kCollective);
  read.ok = columns.ok();
  return read;
}

}  // namespace skyline::ingest::native
