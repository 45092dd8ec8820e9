// What a reader gets: a source of bytes and the first few of them, by which its format was told.
#pragma once

#include <memory>
#include <string>

#include "ingest/text/byte_input.h"

namespace skyline::ingest {

struct TraceInput {
  std::string name;  // for the user
  std::string path;  // empty if these bytes cannot be opened again (a pipe, memory)
  std::string head;  // taken from `bytes` already
  std::unique_ptr<ByteInput> bytes;
};

}  // namespace skyline::ingest
