#include "ingest/text/open_text.h"

#include "ingest/text/gzip_text.h"
#include "ingest/text/plain_text.h"
#include "ingest/text/zstd_text.h"

namespace skyline::ingest {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::string_view kZipMagic = "PK\x03\x04";
constexpr std::string_view kXzMagic =
    "\xfd"
    "7zXZ";

// pzstd begins its files with a frame that holds only sizes.
bool is_skippable(std::string_view head) {
  return head.size() >= 4 && (head[0] & 0xf0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18";
}

}  // namespace

Result<std::unique_ptr<TextSource>> unpack_text(std::unique_ptr<ByteInput> input, std::string head,
                                                const std::string& path) {
  if (head.empty()) return Error{path + " is empty; was the recording stopped before it was written?"};
  if (head.starts_with(kGzipMagic)) return gzip_text(std::move(input), std::move(head));
  if (head.starts_with(kZstdMagic) || is_skippable(head))
    return zstd_text(std::move(input), std::move(head), path);
  if (head.starts_with(kZipMagic))
    return Error{path + " is a zip archive; unpack it and open the trace inside"};
  if (head.starts_with(kXzMagic)) return Error{path + " is packed with xz; unpack it with `xz -d` first"};
  return plain_text(std::move(input), std::move(head));
}

Result<std::unique_ptr<TextSource>> open_text(const std::string& path) {
  SKYLINE_TRY(std::unique_ptr<ByteInput> input, open_bytes(path));
  SKYLINE_TRY(std::string head, take_head(*input));
  return unpack_text(std::move(input), std::move(head), path == "-" ? "standard input" : path);
}

Result<std::unique_ptr<TextSource>> open_text_in_memory(std::string bytes, const std::string& path) {
  std::unique_ptr<ByteInput> input = bytes_in_memory(std::move(bytes));
  SKYLINE_TRY(std::string head, take_head(*input));
  return unpack_text(std::move(input), std::move(head), path);
}

std::unique_ptr<TextStore> reopen_text(std::string_view compression,
                                       std::shared_ptr<const RandomBytes> packed,
                                       std::unique_ptr<SavedSeekPoints> points) {
  if (compression == "gzip") return gzip_store(std::move(packed), std::move(points));
  if (compression == "zstd") return zstd_store(std::move(packed));
  return plain_store(std::move(packed));
}

}  // namespace skyline::ingest
