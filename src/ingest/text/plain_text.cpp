#include "ingest/text/plain_text.h"

#include <algorithm>
#include <optional>

#include "ingest/text/block_store.h"
#include "ingest/text/packed_text.h"

namespace skyline::ingest {
namespace {

class RandomTextStore : public TextStore {
 public:
  explicit RandomTextStore(std::shared_ptr<const RandomBytes> bytes) : bytes_(std::move(bytes)) {}

  Result<std::string> read_at(uint64_t offset, size_t size) const override {
    std::string text(size, '\0');
    SKYLINE_TRY(const size_t n, bytes_->read_at(offset, text.data(), size));
    text.resize(n);
    return text;
  }
  size_t held_bytes() const override { return bytes_->held_bytes(); }
  std::shared_ptr<const RandomBytes> packed() const override { return bytes_; }

 private:
  const std::shared_ptr<const RandomBytes> bytes_;
};

class PlainText : public TextSource {
 public:
  PlainText(std::unique_ptr<ByteInput> input, std::string head)
      : input_(std::move(input)), head_(std::move(head)) {
    if (!input_->random_access()) recorder_.emplace();
  }

  Result<size_t> read(char* to, size_t size) override {
    size_t n = head_.copy(to, size, head_used_);
    head_used_ += n;
    if (n == 0) {
      SKYLINE_TRY(n, input_->read(to, size));
    }
    if (recorder_) recorder_->append({to, n});
    position_ += n;
    return n;
  }
  std::string_view compression() const override { return "none"; }
  uint64_t packed_position() const override { return position_; }
  uint64_t packed_size() const override { return input_->size(); }
  size_t held_bytes() const override { return recorder_ ? recorder_->held_bytes() : 0; }
  std::unique_ptr<TextStore> into_store() override {
    if (recorder_) return recorder_->into_store();
    return std::make_unique<RandomTextStore>(input_->random_access());
  }

 private:
  std::unique_ptr<ByteInput> input_;
  std::string head_;
  size_t head_used_ = 0;
  uint64_t position_ = 0;
  std::optional<BlockRecorder> recorder_;
};

}  // namespace

std::unique_ptr<TextSource> plain_text(std::unique_ptr<ByteInput> input, std::string head) {
  return std::make_unique<PlainText>(std::move(input), std::move(head));
}

std::unique_ptr<TextStore> plain_store(std::shared_ptr<const RandomBytes> packed) {
  return std::make_unique<RandomTextStore>(std::move(packed));
}

}  // namespace skyline::ingest
