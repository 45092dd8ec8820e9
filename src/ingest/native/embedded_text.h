// JSON text in the blocks of a .skyline file: what a converted trace was read from, or what was recorded of
// the devices beside a recording of the host.
#pragma once

#include <memory>

#include "ingest/text/text_source.h"
#include "tracefile/tracefile.h"

namespace skyline::ingest::native {

// Tables that hold text.
enum class Embedded : uint8_t { kSource, kDevice };

bool has_text(const tracefile::Reader& file, Embedded which);

// Any place of it, a block at a time.
std::unique_ptr<TextStore> embedded_store(std::shared_ptr<const tracefile::Reader> file, Embedded which);

// From front to back; it ends early where a block is damaged or missing.
std::unique_ptr<TextSource> embedded_source(std::shared_ptr<const tracefile::Reader> file, Embedded which);

}  // namespace skyline::ingest::native
