// Text in gzip, unpacked by ISA-L.
#pragma once

#include <memory>
#include <string>

#include "ingest/text/byte_input.h"
#include "ingest/text/text_source.h"

namespace skyline::ingest {

// `input` stands at its beginning; `head` are the bytes already taken from it to see what it is.
std::unique_ptr<TextSource> gzip_text(std::unique_ptr<ByteInput> input, std::string head);

// The same for text that was read before.
std::unique_ptr<TextStore> gzip_store(std::shared_ptr<const RandomBytes> packed,
                                      std::unique_ptr<SavedSeekPoints> points);

}  // namespace skyline::ingest
