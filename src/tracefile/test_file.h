// Small .skyline files for the unit tests of this folder.
#pragma once

#include <string>

#include "base/test_folder.h"
#include "tracefile/tracefile.h"

namespace skyline::tracefile {

inline ChunkBuilder meta_chunk() {
  ChunkBuilder chunk(TableId::kMeta);
  const std::string_view keys[] = {"torch.version", "empty"}, values[] = {"2.13.0", ""};
  chunk.add(meta::kKey, keys);
  chunk.add(meta::kValue, values);
  return chunk;
}

// `rows` events at ticks 1000, 1007, 1014, …
inline ChunkBuilder events_chunk(size_t rows) {
  ChunkBuilder chunk(TableId::kEvents);
  Column<uint64_t> starts, durations;
  Column<uint8_t> kinds;
  for (size_t i = 0; i < rows; ++i) {
    starts.push_back(1000 + 7 * i);
    durations.push_back(i % 5);
    kinds.push_back(static_cast<uint8_t>(i % 2));
  }
  chunk.add(events::kStartTicks, starts);
  chunk.add(events::kDurTicks, durations);
  chunk.add(events::kKind, kinds);
  return chunk;
}

// Chunks of meta, 300 events, 5 events.
inline std::string sample_bytes() {
  TestFolder folder;
  const std::string path = folder / "sample.skyline";
  Result<Writer> writer = Writer::create(path, {.creator = "a test"});
  CHECK(writer.ok());
  CHECK(writer.value().append(meta_chunk()).ok());
  CHECK(writer.value().append(events_chunk(300)).ok());
  CHECK(writer.value().append(events_chunk(5)).ok());
  CHECK(writer.value().finish().ok());
  return read_file(path);
}

}  // namespace skyline::tracefile
