// The text that a converted trace was read from, in the blocks of its .skyline file.
#pragma once

#include <memory>

#include "ingest/text/text_source.h"
#include "tracefile/tracefile.h"

namespace skyline::native {

bool has_text(const tracefile::Reader& file);

// Any place of it, a block at a time.
std::unique_ptr<TextStore> embedded_store(std::shared_ptr<const tracefile::Reader> file);

// From front to back; it ends early where a block is damaged or missing.
std::unique_ptr<TextSource> embedded_source(std::shared_ptr<const tracefile::Reader> file);

}  // namespace skyline::native
