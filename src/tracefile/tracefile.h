// The door of tracefile: the .skyline file, for recorders (Writer) and readers (Reader).
//
//   SKYLINE_TRY(Writer writer, Writer::create("run.skyline"));
//   ChunkBuilder chunk(TableId::kMemory);
//   chunk.add(memory::kTicks, ticks.span());
//   chunk.add(memory::kBytes, sizes.span());
//   SKYLINE_TRY(…, writer.append(chunk));        // on the disk's way, whatever happens to us now
//   SKYLINE_TRY(…, writer.finish());
//
//   SKYLINE_TRY(Reader reader, Reader::open("run.skyline"));
//   for (const Chunk& chunk : reader.chunks()) {
//     if (chunk.table() != TableId::kMemory) continue;
//     SKYLINE_TRY(Column<int64_t> sizes, chunk.column(memory::kBytes));
//   }
#pragma once

#include "tracefile/chunk_builder.h"  // IWYU pragma: export
#include "tracefile/reader.h"         // IWYU pragma: export
#include "tracefile/schema.h"         // IWYU pragma: export
#include "tracefile/writer.h"         // IWYU pragma: export
