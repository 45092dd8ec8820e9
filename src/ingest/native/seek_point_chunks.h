// The places where a gzip file can be entered, in a .skyline file.
#pragma once

#include <memory>

#include "ingest/text/text_source.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

// One chunk each, so that one can be fetched alone.
Status append_seek_points(const TextStore& text, unsigned threads, tracefile::Writer& writer);

std::unique_ptr<SavedSeekPoints> saved_seek_points(std::shared_ptr<const tracefile::Reader> file);

}  // namespace skyline::ingest::native
