// Text from gzip, by ISA-L.
//
// To come back to a place in the text later, a copy of the decoder is kept every few megabytes: the
// whole state of ISA-L's inflate is one plain struct of 87 KB, so going on from there needs nothing
// but the compressed bytes behind it. Of very long texts fewer places are kept, so that a file that
// unpacks to a thousand times its size cannot fill the memory with them.
#include "ingest/text/gzip_text.h"

#include <isa-l/igzip_lib.h>
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/column.h"
#include "ingest/text/gzip_header.h"
#include "ingest/text/packed_text.h"

namespace skyline::ingest {
namespace {

constexpr uint64_t kPointDistance = 4 << 20;  // of text; 2 % of it in memory, ~3 ms to come back
constexpr size_t kMaxPoints = 256;            // 22 MB; from 1 GB of text on, the distance grows

// Plain values: a copy of it goes on where the original stood.
struct DecoderState {
  inflate_state inflate;
  GzipHeader header;
  bool in_header;
};

struct SeekPoint {
  uint64_t text_offset;
  uint64_t packed_offset;
  DecoderState decoder;
};

enum class Ended : uint8_t { kNo, kCleanly, kTruncated, kCorrupt };

// Decodes members of a gzip file, one after the other, from packed bytes that `refill` brings.
class GzipDecoder {
 public:
  GzipDecoder() {
    isal_inflate_init(&state_);
    begin_member();
  }
  explicit GzipDecoder(const DecoderState& all) : all_(all) {
    state_.next_in = nullptr;
    state_.avail_in = 0;
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  // refill(char* to, size_t size) -> Result<size_t>, 0 at the end.
  template <typename Refill>
  Result<size_t> read(char* to, size_t size, Refill refill) {
    state_.next_out = reinterpret_cast<uint8_t*>(to);
    state_.avail_out = static_cast<uint32_t>(std::min<size_t>(size, 1u << 30));
    const size_t wanted = state_.avail_out;
    while (state_.avail_out > 0 && ended_ == Ended::kNo) {
      if (state_.avail_in == 0) {
        buffer_.resize(kPackedInputBytes);
        SKYLINE_TRY(const size_t n, refill(buffer_.data(), buffer_.size()));
        state_.next_in = reinterpret_cast<uint8_t*>(buffer_.data());
        state_.avail_in = static_cast<uint32_t>(n);
        packed_ += n;
        if (n == 0) input_ended_ = true;
      }
      step();
    }
    return wanted - state_.avail_out;
  }

  Ended ended() const { return ended_; }
  uint64_t packed_position() const { return packed_ - state_.avail_in; }
  const DecoderState& state() const { return all_; }

 private:
  void step() {
    if (state_.block_state == ISAL_BLOCK_FINISH && !next_member()) return;
    if (all_.in_header && !read_header()) return;
    const uint32_t in_before = state_.avail_in, out_before = state_.avail_out;
    const int status = isal_inflate(&state_);
    if (status < 0) {
      ended_ = Ended::kCorrupt;
      return;
    }
    if (state_.block_state == ISAL_BLOCK_FINISH) {
      if (input_ended_) ended_ = Ended::kCleanly;
      return;
    }
    const bool moved = state_.avail_in != in_before || state_.avail_out != out_before;
    if (input_ended_ && !moved) ended_ = Ended::kTruncated;
  }

  // Behind a member: another one, or the end. Zero bytes may pad the end (tapes, block devices).
  bool next_member() {
    while (state_.avail_in > 0 && *state_.next_in == 0) {
      ++state_.next_in;
      --state_.avail_in;
    }
    if (state_.avail_in == 0) {
      if (input_ended_) ended_ = Ended::kCleanly;
      return false;
    }
    isal_inflate_reset(&state_);
    begin_member();
    return true;
  }

  void begin_member() {
    state_.crc_flag = ISAL_GZIP_NO_HDR_VER;  // the header is ours, the checksum behind the data is not
    all_.header = GzipHeader();
    all_.in_header = true;
  }

  // False when there is nothing to inflate yet.
  bool read_header() {
    const uint8_t* p = state_.next_in;
    const GzipHeader::Status status = all_.header.take(p, p + state_.avail_in);
    state_.avail_in -= static_cast<uint32_t>(p - state_.next_in);
    state_.next_in += p - state_.next_in;
    if (status == GzipHeader::Status::kBad) ended_ = Ended::kCorrupt;
    if (status == GzipHeader::Status::kNeedsMore && input_ended_) ended_ = Ended::kTruncated;
    all_.in_header = status != GzipHeader::Status::kDone;
    return !all_.in_header;
  }

  DecoderState all_{};  // zeroed: ISA-L looks into tables that damaged data never filled
  inflate_state& state_ = all_.inflate;
  std::string buffer_;
  uint64_t packed_ = 0;
  bool input_ended_ = false;
  Ended ended_ = Ended::kNo;
};

// Where the text can be entered.
class SeekPoints {
 public:
  virtual ~SeekPoints() = default;
  // The last one that is not behind this place of the text.
  virtual Result<std::shared_ptr<const SeekPoint>> before(uint64_t text_offset) const = 0;
  virtual std::vector<SeekPointView> views() const { return {}; }
  virtual size_t held_bytes() const { return 0; }
};

class KeptPoints : public SeekPoints {
 public:
  explicit KeptPoints(std::vector<std::unique_ptr<SeekPoint>> points) {
    for (std::unique_ptr<SeekPoint>& point : points) points_.push_back(std::move(point));
  }

  Result<std::shared_ptr<const SeekPoint>> before(uint64_t text_offset) const override {
    const auto behind =
        std::upper_bound(points_.begin(), points_.end(), text_offset,
                         [](uint64_t at, const auto& point) { return at < point->text_offset; });
    return *(behind - 1);  // the first is at 0
  }
  std::vector<SeekPointView> views() const override {
    std::vector<SeekPointView> views;
    for (const auto& point : points_) {
      const char* state = reinterpret_cast<const char*>(&point->decoder);
      views.push_back({point->text_offset, point->packed_offset, {state, sizeof point->decoder}});
    }
    return views;
  }
  size_t held_bytes() const override { return points_.size() * sizeof(SeekPoint); }

 private:
  std::vector<std::shared_ptr<const SeekPoint>> points_;
};

// Points of an earlier run of this program, fetched when they are needed.
class FetchedPoints : public SeekPoints {
 public:
  explicit FetchedPoints(std::unique_ptr<SavedSeekPoints> saved) : saved_(std::move(saved)) {}

  Result<std::shared_ptr<const SeekPoint>> before(uint64_t text_offset) const override {
    const std::span<const uint64_t> offsets = saved_->text_offsets();
    const auto behind = std::upper_bound(offsets.begin(), offsets.end(), text_offset);
    if (behind == offsets.begin())
      return Error{"the kept copy of the trace does not know this place; open it again"};
    const auto index = static_cast<size_t>(behind - offsets.begin() - 1);
    auto point = std::make_shared<SeekPoint>();
    point->text_offset = offsets[index];
    SKYLINE_TRY(const std::string state, saved_->state(index, point->packed_offset));
    static_assert(std::is_trivially_copyable_v<DecoderState>);
    if (state.size() != sizeof(DecoderState))
      return Error{"the kept copy of the trace is damaged; open it again"};
    std::memcpy(static_cast<void*>(&point->decoder), state.data(), state.size());
    return std::shared_ptr<const SeekPoint>(std::move(point));
  }

 private:
  const std::unique_ptr<SavedSeekPoints> saved_;
};

class GzipStore : public TextStore {
 public:
  GzipStore(std::shared_ptr<const RandomBytes> packed, std::unique_ptr<SeekPoints> points)
      : packed_(std::move(packed)), points_(std::move(points)) {}

  Result<std::string> read_at(uint64_t offset, size_t size) const override {
    SKYLINE_TRY(const std::shared_ptr<const SeekPoint> point, points_->before(offset));
    GzipDecoder decoder(point->decoder);
    uint64_t packed_offset = point->packed_offset;
    // In the same pieces as the first time, or damaged data gives other text than then.
    const auto refill = [&](char* to, size_t n) -> Result<size_t> {
      SKYLINE_TRY(const size_t got,
                  packed_->read_at(packed_offset, to, n - packed_offset % kPackedInputBytes));
      packed_offset += got;
      return got;
    };
    std::string text;
    Column<char> window;
    window.resize_uninitialized(kTextWindowBytes);
    for (uint64_t at = point->text_offset; text.size() < size;) {
      SKYLINE_TRY(const size_t n, decoder.read(window.data(), window.size(), refill));
      if (n == 0) break;
      const uint64_t from = std::max(at, offset) - at;
      if (from < n) text.append(window.data() + from, std::min(n - from, size - text.size()));
      at += n;
    }
    return text;
  }

  size_t held_bytes() const override { return packed_->held_bytes() + points_->held_bytes(); }
  std::shared_ptr<const RandomBytes> packed() const override { return packed_; }
  std::vector<SeekPointView> seek_points() const override { return points_->views(); }

 private:
  const std::shared_ptr<const RandomBytes> packed_;
  const std::unique_ptr<SeekPoints> points_;
};

class GzipText : public TextSource {
 public:
  GzipText(std::unique_ptr<ByteInput> input, std::string head)
      : input_(std::move(input)), head_(std::move(head)), forgets_(!input_->random_access()) {}

  Result<size_t> read(char* to, size_t size) override {
    if (window_used_ == window_size_) {
      if (size >= kTextWindowBytes) return decode(to, kTextWindowBytes);
      window_.resize_uninitialized(kTextWindowBytes);
      SKYLINE_TRY(window_size_, decode(window_.data(), kTextWindowBytes));
      window_used_ = 0;
    }
    const size_t n = std::min(size, window_size_ - window_used_);
    std::copy_n(window_.data() + window_used_, n, to);
    window_used_ += n;
    return n;
  }

  Damage damage() const override {
    if (decoder_.ended() == Ended::kTruncated) return Damage::kTruncated;
    return decoder_.ended() == Ended::kCorrupt ? Damage::kCorrupt : Damage::kNone;
  }
  std::string_view compression() const override { return "gzip"; }
  uint64_t packed_position() const override { return decoder_.packed_position(); }
  uint64_t packed_size() const override { return input_->size(); }
  size_t held_bytes() const override { return kept_.capacity() + points_.size() * sizeof(SeekPoint); }
  std::unique_ptr<TextStore> into_store() override {
    return std::make_unique<GzipStore>(forgets_ ? remember(std::move(kept_)) : input_->random_access(),
                                       std::make_unique<KeptPoints>(std::move(points_)));
  }

 private:
  Result<size_t> decode(char* to, size_t size) {
    if (text_offset_ >= next_point_) remember_place();
    SKYLINE_TRY(const size_t n,
                decoder_.read(to, size, [this](char* at, size_t room) { return refill(at, room); }));
    text_offset_ += n;
    return n;
  }

  void remember_place() {
    if (points_.size() == kMaxPoints) {
      for (size_t i = 1; i < kMaxPoints / 2; ++i) points_[i] = std::move(points_[2 * i]);
      points_.resize(kMaxPoints / 2);
      distance_ *= 2;
    }
    points_.push_back(
        std::make_unique<SeekPoint>(SeekPoint{text_offset_, decoder_.packed_position(), decoder_.state()}));
    next_point_ = text_offset_ + distance_;
  }

  Result<size_t> refill(char* to, size_t size) {
    const size_t n = head_.copy(to, size, head_used_);
    head_used_ += n;
    SKYLINE_TRY(const size_t more, read_fully(*input_, to + n, size - n));
    if (forgets_) kept_.append(to, n + more);
    return n + more;
  }

  std::unique_ptr<ByteInput> input_;
  std::string head_;
  size_t head_used_ = 0;
  const bool forgets_;
  std::string kept_;
  GzipDecoder decoder_;
  Column<char> window_;  // for readers that ask for less than a window at a time
  size_t window_size_ = 0;
  size_t window_used_ = 0;
  uint64_t text_offset_ = 0;
  uint64_t next_point_ = 0;
  uint64_t distance_ = kPointDistance;
  std::vector<std::unique_ptr<SeekPoint>> points_;
};

}  // namespace

std::unique_ptr<TextStore> gzip_store(std::shared_ptr<const RandomBytes> packed,
                                      std::unique_ptr<SavedSeekPoints> points) {
  return std::make_unique<GzipStore>(std::move(packed), std::make_unique<FetchedPoints>(std::move(points)));
}

std::unique_ptr<TextSource> gzip_text(std::unique_ptr<ByteInput> input, std::string head) {
  return std::make_unique<GzipText>(std::move(input), std::move(head));
}

}  // namespace skyline::ingest
