// Packs text for tests, and hands bytes out in small pieces.
#pragma once

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/check.h"
#include "ingest/text/byte_input.h"
#include "ingest/text/text_source.h"

namespace skyline::ingest {

inline std::string gzip(std::string_view text) {
  std::string packed(text.size() + text.size() / 8 + 1024, '\0');
  isal_zstream stream;
  isal_deflate_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uint32_t>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(packed.data());
  stream.avail_out = static_cast<uint32_t>(packed.size());
  CHECK(isal_deflate(&stream) == COMP_OK && stream.avail_in == 0);
  packed.resize(stream.total_out);
  return packed;
}

// A member with everything its header may hold, and its text in stored blocks.
inline std::string gzip_with_long_header(std::string_view text) {
  constexpr size_t kMost = 65535;
  std::string packed("\x1f\x8b\x08\x1c\1\2\3\4\2\3", 10);  // extra, name and comment follow
  packed += std::string("\5\0extra", 7) + std::string(60, 'n') + '\0' + std::string(60, 'c') + '\0';
  for (size_t at = 0; at == 0 || at < text.size(); at += kMost) {
    const std::string_view block = text.substr(at, kMost);
    const auto size = static_cast<uint16_t>(block.size()), not_size = static_cast<uint16_t>(~size);
    packed += at + kMost >= text.size() ? '\1' : '\0';
    for (const uint16_t word : {size, not_size})
      (packed += static_cast<char>(word & 0xff)) += static_cast<char>(word >> 8);
    packed += block;
  }
  const uint32_t sum = crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  for (const uint32_t word : {sum, static_cast<uint32_t>(text.size())}) {
    for (int shift = 0; shift < 32; shift += 8) packed += static_cast<char>(word >> shift & 0xff);
  }
  return packed;
}

inline std::string zstd(std::string_view text, int window_log = 0) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  // In two steps: text known to be short gets a short window.
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  if (window_log > 0) ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
  CHECK(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end) == 0);
  ZSTD_freeCCtx(context);
  packed.resize(out.pos);
  return packed;
}

// Bytes that come a few at a time, as from a slow pipe.
class SlowInput : public ByteInput {
 public:
  SlowInput(std::string bytes, size_t at_a_time) : bytes_(std::move(bytes)), at_a_time_(at_a_time) {}

  Result<size_t> read(char* to, size_t size) override {
    const size_t n = bytes_.copy(to, std::min(size, at_a_time_), used_);
    used_ += n;
    return n;
  }
  uint64_t size() const override { return 0; }
  std::shared_ptr<const RandomBytes> random_access() const override { return nullptr; }

 private:
  const std::string bytes_;
  const size_t at_a_time_;
  size_t used_ = 0;
};

// Everything that a source gives, asked for `size` bytes at a time, up to an error if one comes.
inline std::string read_all(TextSource& source, size_t size = 1 << 20, bool* failed = nullptr) {
  static std::string piece;  // kept, as a megabyte is slow to come by under sanitizers
  piece.resize(std::max(piece.size(), size));
  std::string text;
  for (;;) {
    const Result<size_t> n = source.read(piece.data(), size);
    CHECK(n.ok() || failed != nullptr);
    if (failed != nullptr) *failed = !n.ok();
    if (!n.ok() || n.value() == 0) return text;
    text.append(piece, 0, n.value());
  }
}

}  // namespace skyline::ingest
