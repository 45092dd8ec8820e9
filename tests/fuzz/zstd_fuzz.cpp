// Any bytes as a zstd file, and as the inside of one.
#include <cstddef>
#include <cstdint>

#include "ingest/text/zstd_text.h"
#include "packed_text_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace skyline;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto open = [](std::unique_ptr<ingest::ByteInput> input) {
    return ingest::zstd_text(std::move(input), "", "input");
  };
  check_packed_text(bytes, open);
  check_packed_text("\x28\xb5\x2f\xfd" + bytes, open);
  return 0;
}
