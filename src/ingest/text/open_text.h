// Text of files and of bytes, however it is packed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ingest/text/byte_input.h"
#include "ingest/text/text_source.h"

namespace skyline::ingest {

// What a file is packed in is told by its first bytes, the `head` that was taken from `input` already.
Result<std::unique_ptr<TextSource>> unpack_text(std::unique_ptr<ByteInput> input, std::string head,
                                                const std::string& path);

// Opens a file, or standard input for "-".
Result<std::unique_ptr<TextSource>> open_text(const std::string& path);
Result<std::unique_ptr<TextSource>> open_text_in_memory(std::string bytes, const std::string& path);

// The text of bytes that were read before, in the words of TextSource::compression(). Nothing is unpacked
// before it is asked for. `points` are needed for gzip.
std::unique_ptr<TextStore> reopen_text(std::string_view compression,
                                       std::shared_ptr<const RandomBytes> packed,
                                       std::unique_ptr<SavedSeekPoints> points);

}  // namespace skyline::ingest
