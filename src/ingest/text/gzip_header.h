// The header before each member of a gzip file: ten bytes, then what its flags announce.
//
// We read it ourselves because ISA-L forgets the flags when a header comes in two pieces, and takes the
// rest of a file's name for data.
#pragma once

#include <cstdint>

namespace skyline::ingest {

class GzipHeader {
 public:
  enum class Status : uint8_t { kNeedsMore, kDone, kBad };

  // Takes the header's bytes from p on, in as many calls as it needs.
  Status take(const uint8_t*& p, const uint8_t* end) {
    while (p < end) {
      if (!accept(*p++)) return Status::kBad;
      if (part_ == Part::kNone) return Status::kDone;
    }
    return Status::kNeedsMore;
  }

 private:
  enum class Part : uint8_t { kFixed, kExtraSize, kExtra, kName, kComment, kChecksum, kNone };
  static constexpr uint8_t kHasChecksum = 2, kHasExtra = 4, kHasName = 8, kHasComment = 16, kReserved = 0xe0;

  bool accept(uint8_t byte) {
    const uint32_t at = seen_++;
    switch (part_) {
      case Part::kFixed:
        if (at < 3 && byte != kMagic[at]) return false;
        if (at == 3) flags_ = byte;
        if (at == 9) next(Part::kExtraSize);
        return (flags_ & kReserved) == 0;
      case Part::kExtraSize:
        extra_size_ |= static_cast<uint32_t>(byte) << 8 * at;
        if (at == 1) next(extra_size_ > 0 ? Part::kExtra : Part::kName);
        return true;
      case Part::kExtra:
        if (at + 1 == extra_size_) next(Part::kName);
        return true;
      case Part::kName:
        if (byte == 0) next(Part::kComment);
        return true;
      case Part::kComment:
        if (byte == 0) next(Part::kChecksum);
        return true;
      default:
        if (at == 1) part_ = Part::kNone;
        return true;
    }
  }

  // Goes on with the first of the remaining parts that the flags announce.
  void next(Part part) {
    seen_ = 0;
    part_ = part;
    if (part_ == Part::kExtraSize && (flags_ & kHasExtra) == 0) part_ = Part::kName;
    if (part_ == Part::kName && (flags_ & kHasName) == 0) part_ = Part::kComment;
    if (part_ == Part::kComment && (flags_ & kHasComment) == 0) part_ = Part::kChecksum;
    if (part_ == Part::kChecksum && (flags_ & kHasChecksum) == 0) part_ = Part::kNone;
  }

  static constexpr uint8_t kMagic[] = {0x1f, 0x8b, 8};  // 8: deflate

  Part part_ = Part::kFixed;
  uint8_t flags_ = 0;
  uint32_t seen_ = 0;  // bytes of this part
  uint32_t extra_size_ = 0;
};

}  // namespace skyline::ingest
