// Any bytes as a .skyline file: chunks are found, every column is unpacked, and reading one again gives the
// size as promised. Chance never hits a checksum, so the bytes are also read with their checksums set right.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sign_tracefile.h"
#include "tracefile/tracefile.h"

namespace {

using namespace skyline::tracefile;

void read_everything(const Reader& reader) {
  for (const Chunk& chunk : reader.chunks()) {
    for (const ColumnEntry& entry : chunk.entries()) {
      const skyline::Result<skyline::Column<char>> raw = chunk.raw(entry);
      if (!raw.ok()) continue;
      CHECK(raw.value().size() == entry.raw_bytes);
    }
    const skyline::Result<Texts> texts = chunk.texts(strings::kText);
    for (size_t row = 0; texts.ok() && row < texts.value().size(); ++row) {
      CHECK(texts.value()[row].size() <= kMaxColumnBytes);
    }
    const skyline::Result<skyline::Column<uint64_t>> starts = chunk.column(events::kStartTicks);
    CHECK(!starts.ok() || starts.value().size() == chunk.rows());
  }
}

void read_bytes(std::string bytes) {
  const skyline::Result<Reader> reader = Reader::over(std::move(bytes), "fuzz");
  if (reader.ok()) read_everything(reader.value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read_bytes(bytes);
  read_bytes(signed_again(bytes));
  return 0;
}
