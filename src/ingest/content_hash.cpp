#include "ingest/content_hash.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "base/parallel.h"

// All of it in this file; nothing to be linked.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace skyline::ingest {
namespace {

constexpr uint64_t kPieceBytes = 4 << 20;
constexpr uint64_t kReadBytes = 256 << 10;  // stays in the processor's cache between reading and hashing

using Digest = XXH128_canonical_t;

Result<Digest> hash_piece(const RandomBytes& bytes, uint64_t begin, uint64_t end) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  std::string buffer(kReadBytes, '\0');
  while (begin < end) {
    const size_t wanted = std::min(kReadBytes, end - begin);
    SKYLINE_TRY(const size_t n, bytes.read_at(begin, buffer.data(), wanted));
    if (n != wanted) return Error{"the file became shorter while it was read"};
    XXH3_128bits_update(&state, buffer.data(), n);
    begin += n;
  }
  Digest digest;
  XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(&state));
  return digest;
}

}  // namespace

Result<std::string> content_hash(const RandomBytes& bytes, uint64_t size, unsigned threads) {
  std::vector<Digest> digests((size + kPieceBytes - 1) / kPieceBytes);
  std::mutex mutex;
  std::optional<Error> error;
  parallel_for(digests.size(), threads, [&](size_t i) {
    const Result<Digest> digest = hash_piece(bytes, i * kPieceBytes, std::min(size, (i + 1) * kPieceBytes));
    if (digest.ok()) {
      digests[i] = digest.value();
      return;
    }
    const std::lock_guard lock(mutex);
    error = digest.error();
  });
  if (error) return *error;
  Digest whole;
  XXH128_canonicalFromHash(&whole, XXH3_128bits(digests.data(), digests.size() * sizeof(Digest)));
  std::string hex;
  for (const unsigned char byte : whole.digest) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

}  // namespace skyline::ingest
