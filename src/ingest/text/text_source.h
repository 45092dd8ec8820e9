// The text of a trace, whatever it is packed in: read once from front to back, and later, a little
// at a time, anywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace skyline {

// Text that can be had again after it was read. Thread-safe.
class TextStore {
 public:
  virtual ~TextStore() = default;

  // Up to `size` bytes from `offset` on; fewer at the end of the text.
  virtual Result<std::string> read_at(uint64_t offset, size_t size) const = 0;
  virtual size_t held_bytes() const = 0;
};

enum class Damage : uint8_t { kNone, kTruncated, kCorrupt };

class TextSource {
 public:
  virtual ~TextSource() = default;

  // Fills `to` with the next bytes of text; 0 means that there are no more. Damaged data ends the
  // text early, and damage() says so. An error is trouble outside the data (the disk failed).
  virtual Result<size_t> read(char* to, size_t size) = 0;

  virtual Damage damage() const { return Damage::kNone; }
  virtual std::string_view compression() const = 0;  // "none", "gzip", "zstd"
  virtual uint64_t packed_position() const = 0;      // bytes consumed of the packed source
  virtual uint64_t packed_size() const = 0;          // 0: not known

  // Once everything was read: access to the text from now on.
  virtual std::unique_ptr<TextStore> into_store() = 0;
};

class ByteInput;

// What a file is packed in is told by its first bytes, the `head` that was taken from `input` already.
Result<std::unique_ptr<TextSource>> unpack_text(std::unique_ptr<ByteInput> input, std::string head,
                                                const std::string& path);

// Opens a file, or standard input for "-".
Result<std::unique_ptr<TextSource>> open_text(const std::string& path);
Result<std::unique_ptr<TextSource>> open_text_in_memory(std::string bytes, const std::string& path);

}  // namespace skyline
