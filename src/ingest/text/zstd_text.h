// Text in zstd.
#pragma once

#include <memory>
#include <string>

#include "ingest/text/byte_input.h"
#include "ingest/text/text_source.h"

namespace skyline::ingest {

// `input` stands at its beginning; `head` are the bytes already taken from it to see what it is. `path` names
// it in errors.
std::unique_ptr<TextSource> zstd_text(std::unique_ptr<ByteInput> input, std::string head, std::string path);

// The same for text that was read before.
std::unique_ptr<TextStore> zstd_store(std::shared_ptr<const RandomBytes> packed);

}  // namespace skyline::ingest
