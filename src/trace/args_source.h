// Where the text of one event can be had again. Tables keep what analyses need; everything else in
// an event's args stays in the source and is fetched when somebody asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace skyline {

class ArgsSource {
 public:
  virtual ~ArgsSource() = default;

  // The JSON text of the event that starts at `offset` of the uncompressed source. Takes
  // milliseconds; may be called from any thread.
  virtual Result<std::string> event_text(uint64_t offset) const = 0;

  // Up to `size` bytes of the text that the events stand in, for those who copy it; empty behind its
  // end, and always if there is no such text.
  virtual Result<std::string> text_at(uint64_t offset, size_t size) const = 0;

  // Memory held for this, in bytes.
  virtual size_t held_bytes() const = 0;
};

}  // namespace skyline
