#include "ingest/text/zstd_text.h"

#include <zstd.h>
#include <zstd_errors.h>
#include <algorithm>
#include <memory>
#include <mutex>

#include "base/column.h"
#include "base/out_of_memory.h"
#include "ingest/text/block_store.h"
#include "ingest/text/growth.h"
#include "ingest/text/packed_text.h"

namespace skyline::ingest {
namespace {

constexpr int kMaxWindowLog = 27;  // 128 MB, what `zstd` itself unpacks without being asked twice

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// A zstd frame cannot be entered in the middle, so the text is kept in blocks of our own.
class ZstdText : public TextSource {
 public:
  ZstdText(std::unique_ptr<ByteInput> input, std::string head, std::string path)
      : input_(std::move(input)),
        path_(std::move(path)),
        head_(std::move(head)),
        context_(allocated(ZSTD_createDCtx())) {
    CHECK(!ZSTD_isError(ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxWindowLog)));
  }
  ZstdText(const ZstdText&) = delete;
  ZstdText& operator=(const ZstdText&) = delete;

  Result<size_t> read(char* to, size_t size) override {
    if (window_used_ == window_size_) {
      SKYLINE_TRY(window_size_, decode());
      window_used_ = 0;
    }
    const size_t n = std::min(size, window_size_ - window_used_);
    std::copy_n(window_.begin() + window_used_, n, to);
    window_used_ += n;
    return n;
  }

  Damage damage() const override { return damage_; }
  std::string_view compression() const override { return "zstd"; }
  uint64_t packed_position() const override { return packed_; }
  uint64_t packed_size() const override { return input_->size(); }
  size_t held_bytes() const override { return recorder_.held_bytes(); }
  std::unique_ptr<TextStore> into_store() override { return recorder_.into_store(input_->random_access()); }

 private:
  // The next window of text; 0 at its end.
  Result<size_t> decode() {
    window_.resize_uninitialized(kTextWindowBytes);
    ZSTD_outBuffer out{window_.data(), window_.size(), 0};
    while (out.pos < out.size && damage_ == Damage::kNone && !ended_) {
      if (in_.pos == in_.size && !input_ended_) {
        SKYLINE_TRY(const bool more, refill());
        input_ended_ = !more;
      }
      const size_t out_before = out.pos;
      if (!in_frame_ && promises_too_much()) return grew_too_much(path_);
      if (in_.pos < in_.size || in_frame_) {
        const size_t hint = ZSTD_decompressStream(context_.get(), &out, &in_);
        if (ZSTD_getErrorCode(hint) == ZSTD_error_frameParameter_windowTooLarge) {
          return Error{
              path_ +
              " needs more than 128 MB to unpack; pack it again with `zstd` without --long or --ultra"};
        }
        if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation) throw std::bad_alloc();
        if (ZSTD_isError(hint)) damage_ = Damage::kCorrupt;
        in_frame_ = hint != 0;
      }
      if (input_ended_ && in_.pos == in_.size && out.pos == out_before) {
        ended_ = true;
        if (in_frame_ && damage_ == Damage::kNone) damage_ = Damage::kTruncated;
      }
    }
    recorder_.append({window_.data(), out.pos});
    return out.pos;
  }

  // A frame may say how much text it holds, before any of it is unpacked.
  bool promises_too_much() const {
    const auto* frame = static_cast<const char*>(in_.src) + in_.pos;
    const unsigned long long text = ZSTD_getFrameContentSize(frame, in_.size - in_.pos);
    const bool is_said = text != ZSTD_CONTENTSIZE_UNKNOWN && text != ZSTD_CONTENTSIZE_ERROR;
    return is_said && input_->size() > 0 && grows_too_much(text, input_->size());
  }

  Result<bool> refill() {
    buffer_.resize(kPackedInputBytes);
    const size_t from_head = packed_ == 0 ? head_.copy(buffer_.data(), buffer_.size()) : 0;
    SKYLINE_TRY(const size_t more,
                read_fully(*input_, buffer_.data() + from_head, buffer_.size() - from_head));
    in_ = {buffer_.data(), from_head + more, 0};
    packed_ += in_.size;
    return in_.size > 0;
  }

  std::unique_ptr<ByteInput> input_;
  const std::string path_;
  const std::string head_;
  std::string buffer_;
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  uint64_t packed_ = 0;
  Column<char> window_;
  size_t window_size_ = 0;
  size_t window_used_ = 0;
  bool in_frame_ = false;
  bool input_ended_ = false;
  bool ended_ = false;
  Damage damage_ = Damage::kNone;
  BlockRecorder recorder_;
};

// Packed bytes that were read before, once more from the front.
class RandomInput : public ByteInput {
 public:
  explicit RandomInput(std::shared_ptr<const RandomBytes> bytes) : bytes_(std::move(bytes)) {}

  Result<size_t> read(char* to, size_t size) override {
    SKYLINE_TRY(const size_t n, bytes_->read_at(position_, to, size));
    position_ += n;
    return n;
  }
  uint64_t size() const override { return 0; }
  std::shared_ptr<const RandomBytes> random_access() const override { return bytes_; }

 private:
  const std::shared_ptr<const RandomBytes> bytes_;
  uint64_t position_ = 0;
};

// Unpacks everything when the first event is asked for; from then on a block is enough.
class LazyZstdStore : public TextStore {
 public:
  explicit LazyZstdStore(std::shared_ptr<const RandomBytes> packed) : packed_(std::move(packed)) {}

  Result<std::string> read_at(uint64_t offset, size_t size) const override {
    SKYLINE_TRY(const TextStore* store, unpacked());
    return store->read_at(offset, size);
  }
  size_t held_bytes() const override {
    const std::lock_guard lock(mutex_);
    return store_ == nullptr ? 0 : store_->held_bytes();
  }
  std::shared_ptr<const RandomBytes> packed() const override { return packed_; }

 private:
  Result<const TextStore*> unpacked() const {
    const std::lock_guard lock(mutex_);
    if (store_ != nullptr) return store_.get();
    ZstdText text(std::make_unique<RandomInput>(packed_), "", "the trace");
    std::string ignored(kTextWindowBytes, '\0');
    for (size_t n = 1; n > 0;) {
      SKYLINE_TRY(n, text.read(ignored.data(), ignored.size()));
    }
    store_ = text.into_store();
    return store_.get();
  }

  const std::shared_ptr<const RandomBytes> packed_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<TextStore> store_;
};

}  // namespace

std::unique_ptr<TextStore> zstd_store(std::shared_ptr<const RandomBytes> packed) {
  return std::make_unique<LazyZstdStore>(std::move(packed));
}

std::unique_ptr<TextSource> zstd_text(std::unique_ptr<ByteInput> input, std::string head, std::string path) {
  return std::make_unique<ZstdText>(std::move(input), std::move(head), std::move(path));
}

}  // namespace skyline::ingest
