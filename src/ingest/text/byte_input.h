// Packed bytes: a file, standard input or memory. Where it can, it lets bytes be read again.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace skyline::ingest {

// Bytes at any place, from any thread.
class RandomBytes {
 public:
  virtual ~RandomBytes() = default;
  virtual Result<size_t> read_at(uint64_t offset, char* to, size_t size) const = 0;
  virtual size_t held_bytes() const = 0;

  // Whether they are no longer those that were opened, as far as size and time tell.
  virtual bool has_changed() const { return false; }

  // A name for these bytes that no other bytes get, as far as the file system can tell; empty when it cannot.
  virtual std::string identity() const { return {}; }
};

class ByteInput {
 public:
  virtual ~ByteInput() = default;
  virtual Result<size_t> read(char* to, size_t size) = 0;  // 0: the end
  virtual uint64_t size() const = 0;                       // 0: not known
  // Access to all bytes read so far and to come; nullptr if the input forgets (a pipe).
  virtual std::shared_ptr<const RandomBytes> random_access() const = 0;
};

// The first bytes, by which formats are told apart; fewer when there are no more.
Result<std::string> take_head(ByteInput& input);

// Reads until `size` bytes are there or the input ends, for readers whose result must not depend on the
// pieces that a pipe happens to deliver.
Result<size_t> read_fully(ByteInput& input, char* to, size_t size);

Result<std::unique_ptr<ByteInput>> open_bytes(const std::string& path);
std::unique_ptr<ByteInput> bytes_in_memory(std::string bytes);

// Bytes kept in memory, for inputs that forget.
std::shared_ptr<const RandomBytes> remember(std::string bytes);

}  // namespace skyline::ingest
