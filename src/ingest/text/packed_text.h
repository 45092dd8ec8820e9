// The kinds of TextSource, one function each. `input` stands at its beginning; `head` are the bytes
// already taken from it to see what it is, `path` names it in errors.
#pragma once

#include "ingest/text/byte_input.h"
#include "ingest/text/text_source.h"

namespace skyline {

inline constexpr size_t kPackedInputBytes = 256 * 1024;  // read at once
// Text is decoded in windows of this size, whatever is asked for: how much can be saved of damaged
// data must not depend on who reads it.
inline constexpr size_t kTextWindowBytes = 1 << 20;

std::unique_ptr<TextSource> plain_text(std::unique_ptr<ByteInput> input, std::string head);
std::unique_ptr<TextSource> gzip_text(std::unique_ptr<ByteInput> input, std::string head);
std::unique_ptr<TextSource> zstd_text(std::unique_ptr<ByteInput> input, std::string head, std::string path);

// The same for text that was read before.
std::unique_ptr<TextStore> plain_store(std::shared_ptr<const RandomBytes> packed);
std::unique_ptr<TextStore> gzip_store(std::shared_ptr<const RandomBytes> packed,
                                      std::unique_ptr<SavedSeekPoints> points);
std::unique_ptr<TextStore> zstd_store(std::shared_ptr<const RandomBytes> packed);

}  // namespace skyline
