#include "ingest/text/block_store.h"

#include <zstd.h>
#include <zstd_errors.h>
#include <algorithm>
#include <vector>

#include "base/out_of_memory.h"

namespace skyline::ingest {
namespace {

constexpr size_t kBlockBytes = 512 * 1024;
// Traces repeat themselves so much that the fastest level still packs them some ten times smaller.
constexpr int kLevel = -3;

class BlockStore : public TextStore {
 public:
  BlockStore(std::vector<std::string> blocks, uint64_t size, std::shared_ptr<const RandomBytes> packed)
      : blocks_(std::move(blocks)), size_(size), packed_(std::move(packed)) {}

  Result<std::string> read_at(uint64_t offset, size_t size) const override {
    std::string text;
    const uint64_t end = std::min(size_, offset + size);
    std::string block;
    while (offset < end) {
      const uint64_t index = offset / kBlockBytes, begin = index * kBlockBytes;
      block.resize(std::min<uint64_t>(kBlockBytes, size_ - begin));
      const size_t n =
          ZSTD_decompress(block.data(), block.size(), blocks_[index].data(), blocks_[index].size());
      if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      CHECK(n == block.size());  // we packed it ourselves
      const size_t from = offset - begin, count = std::min<uint64_t>(end - offset, block.size() - from);
      text.append(block, from, count);
      offset += count;
    }
    return text;
  }

  std::shared_ptr<const RandomBytes> packed() const override { return packed_; }
  size_t held_bytes() const override {
    size_t sum = 0;
    for (const std::string& block : blocks_) sum += block.capacity();
    return sum;
  }

 private:
  const std::vector<std::string> blocks_;
  const uint64_t size_;
  const std::shared_ptr<const RandomBytes> packed_;
};

}  // namespace

struct BlockRecorder::Packer {
  ZSTD_CCtx* context = allocated(ZSTD_createCCtx());
  std::string pending;
  std::string packed;
  std::vector<std::string> blocks;
  uint64_t size = 0;
  size_t packed_bytes = 0;

  ~Packer() { ZSTD_freeCCtx(context); }

  void flush() {
    packed.resize(ZSTD_compressBound(pending.size()));
    const size_t n =
        ZSTD_compressCCtx(context, packed.data(), packed.size(), pending.data(), pending.size(), kLevel);
    if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    CHECK(!ZSTD_isError(n));
    blocks.emplace_back(packed.data(), n);
    packed_bytes += n;
    size += pending.size();
    pending.clear();
  }
};

BlockRecorder::BlockRecorder() : packer_(std::make_unique<Packer>()) {}
BlockRecorder::~BlockRecorder() = default;

void BlockRecorder::append(std::string_view text) {
  while (!text.empty()) {
    const size_t room = kBlockBytes - packer_->pending.size();
    packer_->pending.append(text.substr(0, room));
    text.remove_prefix(std::min(room, text.size()));
    if (packer_->pending.size() == kBlockBytes) packer_->flush();
  }
}

size_t BlockRecorder::held_bytes() const { return packer_->packed_bytes; }

std::unique_ptr<TextStore> BlockRecorder::into_store(std::shared_ptr<const RandomBytes> packed) {
  if (!packer_->pending.empty()) packer_->flush();
  return std::make_unique<BlockStore>(std::move(packer_->blocks), packer_->size, std::move(packed));
}

}  // namespace skyline::ingest
