// The text of a trace, whatever it is packed in: read once from front to back, and later, a little
// at a time, anywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace skyline::ingest {

class ByteInput;
class RandomBytes;

// A place where packed text can be entered. The state is a decoder's, good for the same program only.
struct SeekPointView {
  uint64_t text_offset;
  uint64_t packed_offset;
  std::string_view state;
};

// Text that can be had again after it was read. Thread-safe.
class TextStore {
 public:
  virtual ~TextStore() = default;

  // Up to `size` bytes from `offset` on; fewer at the end of the text.
  virtual Result<std::string> read_at(uint64_t offset, size_t size) const = 0;
  virtual size_t held_bytes() const = 0;

  // What it takes to make this store again (reopen_text): the packed bytes, nullptr if they cannot be
  // read again, and the places where they can be entered, which live as long as the store.
  virtual std::shared_ptr<const RandomBytes> packed() const { return nullptr; }
  virtual std::vector<SeekPointView> seek_points() const { return {}; }
};

// Seek points that somebody has saved, in order.
class SavedSeekPoints {
 public:
  virtual ~SavedSeekPoints() = default;
  virtual std::span<const uint64_t> text_offsets() const = 0;
  virtual Result<std::string> state(size_t point, uint64_t& packed_offset) const = 0;
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

  // What is kept in memory for into_store(), so far.
  virtual size_t held_bytes() const { return 0; }

  // Once everything was read: access to the text from now on.
  virtual std::unique_ptr<TextStore> into_store() = 0;
};

}  // namespace skyline::ingest
