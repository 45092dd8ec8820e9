#include "ingest/native/seek_point_chunks.h"

#include <algorithm>

#include "base/parallel.h"

namespace skyline::ingest::native {
namespace {

namespace seek_points = tracefile::seek_points;

class ChunkPoints : public SavedSeekPoints {
 public:
  explicit ChunkPoints(std::shared_ptr<const tracefile::Reader> file) : file_(std::move(file)) {
    for (const tracefile::Chunk& chunk : file_->chunks()) {
      if (chunk.table() != seek_points::kT || chunk.rows() != 1) continue;
      const Result<Column<uint64_t>> offset = chunk.column(seek_points::kTextOffset);
      if (!offset.ok() || (!offsets_.empty() && offset.value()[0] <= offsets_.back())) continue;
      offsets_.push_back(offset.value()[0]);
      chunks_.push_back(&chunk);
    }
  }

  std::span<const uint64_t> text_offsets() const override { return offsets_; }
  Result<std::string> state(size_t point, uint64_t& packed_offset) const override {
    SKYLINE_TRY(const Column<uint64_t> packed, chunks_[point]->column(seek_points::kPackedOffset));
    SKYLINE_TRY(const tracefile::Texts states, chunks_[point]->texts(seek_points::kDecoder));
    packed_offset = packed[0];
    return std::string(states[0]);
  }

 private:
  const std::shared_ptr<const tracefile::Reader> file_;
  std::vector<uint64_t> offsets_;
  std::vector<const tracefile::Chunk*> chunks_;
};

}  // namespace

Status append_seek_points(const TextStore& text, unsigned threads, tracefile::Writer& writer) {
  const std::vector<SeekPointView> points = text.seek_points();
  const size_t wave = std::min<size_t>(points.size(), size_t{16} * threads);
  std::vector<tracefile::ChunkBuilder> builders;
  for (size_t i = 0; i < wave; ++i) builders.emplace_back(seek_points::kT);
  for (size_t begin = 0; begin < points.size(); begin += wave) {
    const size_t count = std::min(wave, points.size() - begin);
    parallel_for(count, threads, [&](size_t i) {
      const SeekPointView& point = points[begin + i];
      builders[i].restart(seek_points::kT);
      builders[i].add(seek_points::kTextOffset, std::span(&point.text_offset, 1));
      builders[i].add(seek_points::kPackedOffset, std::span(&point.packed_offset, 1));
      builders[i].add(seek_points::kDecoder, std::span(&point.state, 1));
    });
    for (size_t i = 0; i < count; ++i) {
      SKYLINE_RETURN_IF_ERROR(writer.append(builders[i]));
    }
  }
  return Done{};
}

std::unique_ptr<SavedSeekPoints> saved_seek_points(std::shared_ptr<const tracefile::Reader> file) {
  return std::make_unique<ChunkPoints>(std::move(file));
}

}  // namespace skyline::ingest::native
