#include "ingest/native/embedded_text.h"

#include <algorithm>
#include <vector>

namespace skyline::ingest::native {
namespace {

struct TextTable {
  tracefile::NumberColumn<uint64_t> offset;
  tracefile::TextColumn text;

  tracefile::TableId id() const { return offset.table; }
};

constexpr TextTable table_of(Embedded which) {
  namespace source = tracefile::source_text;
  namespace device = tracefile::device_text;
  return which == Embedded::kSource ? TextTable{source::kOffset, source::kText}
                                    : TextTable{device::kOffset, device::kText};
}

class EmbeddedStore : public TextStore {
 public:
  EmbeddedStore(std::shared_ptr<const tracefile::Reader> file, const TextTable& table)
      : file_(std::move(file)), table_(table) {
    for (const tracefile::Chunk& chunk : file_->chunks()) {
      if (chunk.table() != table_.id() || chunk.rows() != 1) continue;
      const Result<Column<uint64_t>> offset = chunk.column(table_.offset);
      // A block whose place is damaged leaves a gap, and so does one that stands in the wrong order.
      if (offset.ok() && (blocks_.empty() || offset.value()[0] > blocks_.back().offset)) {
        blocks_.push_back({offset.value()[0], &chunk});
      }
    }
  }

  Result<std::string> read_at(uint64_t offset, size_t size) const override {
    std::string text;
    auto block = std::upper_bound(blocks_.begin(), blocks_.end(), offset,
                                  [](uint64_t at, const Block& candidate) { return at < candidate.offset; });
    if (block == blocks_.begin()) return text;
    for (--block; block != blocks_.end() && text.size() < size; ++block) {
      const Result<tracefile::Texts> read = block->chunk->texts(table_.text);
      if (!read.ok()) return Error{"the text of the trace is damaged here: " + read.error().sentence};
      const std::string_view content = read.value()[0];
      const uint64_t at = offset + text.size();
      if (at < block->offset || at - block->offset >= content.size()) break;  // a gap, or the end
      text.append(content.substr(at - block->offset, size - text.size()));
    }
    return text;
  }

  size_t held_bytes() const override { return blocks_.capacity() * sizeof(Block); }

 private:
  struct Block {
    uint64_t offset;
    const tracefile::Chunk* chunk;
  };

  const std::shared_ptr<const tracefile::Reader> file_;
  const TextTable table_;
  std::vector<Block> blocks_;
};

class EmbeddedSource : public TextSource {
 public:
  EmbeddedSource(std::shared_ptr<const tracefile::Reader> file, Embedded which)
      : file_(std::move(file)),
        which_(which),
        store_(std::make_unique<EmbeddedStore>(file_, table_of(which))) {}

  Result<size_t> read(char* to, size_t size) override {
    if (used_ == piece_.size()) {
      constexpr size_t kPiece = 1 << 20;
      Result<std::string> piece = store_->read_at(position_, kPiece);
      piece_ = piece.ok() ? std::move(piece).value() : std::string();
      used_ = 0;
    }
    const size_t n = piece_.copy(to, size, used_);
    used_ += n;
    position_ += n;
    return n;
  }

  // What a trace was made from is read again only because its tables could not be used.
  Damage damage() const override { return which_ == Embedded::kSource ? Damage::kCorrupt : Damage::kNone; }
  std::string_view compression() const override { return "skyline"; }
  uint64_t packed_position() const override { return std::min(position_, file_->file_bytes()); }
  uint64_t packed_size() const override { return file_->file_bytes(); }
  std::unique_ptr<TextStore> into_store() override { return std::move(store_); }

 private:
  const std::shared_ptr<const tracefile::Reader> file_;
  const Embedded which_;
  std::unique_ptr<EmbeddedStore> store_;
  std::string piece_;
  size_t used_ = 0;
  uint64_t position_ = 0;
};

}  // namespace

bool has_text(const tracefile::Reader& file, Embedded which) {
  return std::any_of(file.chunks().begin(), file.chunks().end(),
                     [&](const tracefile::Chunk& chunk) { return chunk.table() == table_of(which).id(); });
}

std::unique_ptr<TextStore> embedded_store(std::shared_ptr<const tracefile::Reader> file, Embedded which) {
  return std::make_unique<EmbeddedStore>(std::move(file), table_of(which));
}

std::unique_ptr<TextSource> embedded_source(std::shared_ptr<const tracefile::Reader> file, Embedded which) {
  return std::make_unique<EmbeddedSource>(std::move(file), which);
}

}  // namespace skyline::ingest::native
