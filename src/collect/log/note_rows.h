// Source files, tensors and recordings of devices that Python told of, into the file.
#pragma once

#include <span>
#include <string>

#include "collect/log/chunk_sink.h"
#include "collect/log/definitions.h"
#include "collect/tables/notes.h"

namespace skyline::collect {

void write_sources(std::span<const SourceFile> sources, ChunkSink& sink);
void write_tensors(std::span<const TensorNote> tensors, Definitions& definitions, ChunkSink& sink);

// One chunk per part, as of sources. They are packed already.
void write_parts(std::span<const RecordedPart> parts, ChunkSink& sink);

// The text of a file, in blocks. False: it could not be read to its end.
bool write_device_text(const std::string& path, ChunkSink& sink);

}  // namespace skyline::collect
