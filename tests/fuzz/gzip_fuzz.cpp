// Any bytes as a gzip file, and as the inside of one.
#include <cstddef>
#include <cstdint>

#include "ingest/text/gzip_text.h"
#include "packed_text_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace skyline;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto open = [](std::unique_ptr<ingest::ByteInput> input) {
    return ingest::gzip_text(std::move(input), "");
  };
  check_packed_text(bytes, open);
  check_packed_text(std::string("\x1f\x8b\x08\0\0\0\0\0\0\0", 10) + bytes, open);
  return 0;
}
