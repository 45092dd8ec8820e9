#include "ingest/native/definitions.h"

#include <charconv>

#include "ingest/native/chunk_columns.h"

namespace skyline::ingest::native {
namespace {

using namespace tracefile;  // the schema's tables

class DefinitionsReader {
 public:
  explicit DefinitionsReader(Definitions& to) : to_(to) {}

  // False when the chunk is damaged.
  bool add(const Chunk& chunk) {
    ChunkColumns columns(chunk);
    switch (chunk.table()) {
      case TableId::kMeta:
        return add_meta(columns, chunk.rows());
      case TableId::kClock:
        return add_clock(columns, chunk.rows());
      case TableId::kStrings:
        return add_strings(columns, chunk.rows());
      case TableId::kThreads:
        return add_threads(columns, chunk.rows());
      case TableId::kShapes:
        return add_shapes(columns, chunk.rows());
      case TableId::kFrames:
        return add_frames(columns, chunk.rows());
      case TableId::kModules:
        return add_modules(columns, chunk.rows());
      case TableId::kStacks:
        return add_stacks(columns, chunk.rows());
      case TableId::kCollectives:
        return add_collectives(columns, chunk.rows());
      case TableId::kSources:
        return add_sources(columns, chunk.rows());
      case TableId::kLosses:
        return add_losses(columns, chunk.rows());
      default:
        return true;
    }
  }

  void finish() {
    const int64_t pace = to_.meta_number(meta::kTicksPerSecond, 1'000'000'000);
    to_.clock = TickClock(std::move(points_), static_cast<uint64_t>(std::max<int64_t>(1, pace)));
  }

 private:
  // Keeps the texts' memory, so that views into them stay good.
  const Texts& keep(Texts texts) { return to_.kept.emplace_back(std::move(texts)); }

  bool add_meta(ChunkColumns& columns, size_t rows) {
    const Texts keys = columns(meta::kKey), values = columns(meta::kValue);
    if (!columns.ok()) return false;
    for (size_t i = 0; i < rows; ++i) to_.meta[std::string(keys[i])] = values[i];
    return true;
  }

  bool add_clock(ChunkColumns& columns, size_t rows) {
    const Column<uint64_t> ticks = columns(tracefile::clock::kTicks);
    const Column<int64_t> times = columns(tracefile::clock::kUnixNs);
    if (!columns.ok()) return false;
    for (size_t i = 0; i < rows; ++i) points_.push_back({ticks[i], times[i]});
    return true;
  }

  bool add_strings(ChunkColumns& columns, size_t rows) {
    const Column<uint32_t> ids = columns(strings::kId);
    Texts read = columns(strings::kText);
    if (!columns.ok()) return false;
    const Texts& texts = keep(std::move(read));
    for (size_t i = 0; i < rows; ++i) to_.strings.set(ids[i], texts[i]);
    return true;
  }

  bool add_threads(ChunkColumns& columns, size_t rows) {
    const Column<uint32_t> ids = columns(threads::kId);
    const Column<int64_t> os_tids = columns(threads::kOsTid);
    Texts read = columns(threads::kName);
    if (!columns.ok()) return false;
    const Texts& names = keep(std::move(read));
    for (size_t i = 0; i < rows; ++i) {
      if (to_.threads.find(ids[i]) == nullptr) to_.thread_ids.push_back(ids[i]);
      to_.threads.set(ids[i], {os_tids[i], names[i]});
    }
    return true;
  }

  bool add_shapes(ChunkColumns& columns, size_t rows) {
    const Column<uint32_t> ids = columns(shapes::kId);
    Texts read_dims = columns(shapes::kDims), read_types = columns(shapes::kTypes);
    Texts read_strides = columns(shapes::kStrides), read_values = columns(shapes::kValues);
    if (!columns.ok()) return false;
    // All at once: keep() may move the ones before, but not what they look at.
    const size_t first = to_.kept.size();
    keep(std::move(read_dims));
    keep(std::move(read_types));
    keep(std::move(read_strides));
    keep(std::move(read_values));
    const Texts &dims = to_.kept[first], &types = to_.kept[first + 1], &strides = to_.kept[first + 2];
    const Texts& values = to_.kept[first + 3];
    for (size_t i = 0; i < rows; ++i) to_.shapes.set(ids[i], {dims[i], types[i], strides[i], values[i]});
    return true;
  }

  bool add_frames(ChunkColumns& columns, size_t rows) {
    const Column<uint32_t> ids = columns(frames::kId), files = columns(frames::kFile);
    const Column<uint32_t> functions = columns(frames::kFunction);
    const Column<int32_t> lines = columns(frames::kLine);
    if (!columns.ok()) return false;
    for (size_t i = 0; i < rows; ++i) {
      if (to_.frames.find(ids[i]) == nullptr) to_.frame_ids.push_back(ids[i]);
      to_.frames.set(ids[i], {files[i], functions[i], lines[i]});
    }
    return true;
  }

  bool add_modules(ChunkColumns& columns, size_t rows) {
    const Column<uint32_t> ids = columns(modules::kId), names = columns(modules::kName);
    const Column<uint32_t> classes = columns(modules::kClass);
    if (!columns.ok()) return false;
    for (size_t i = 0; i < rows; ++i) {
      if (to_.modules.find(ids[i]) == nullptr) to_.module_ids.push_back(ids[i]);
      to_.modules.set(ids[i], {names[i], classes[i]});
    }
    return true;
  }

  bool add_stacks(ChunkColumns& columns, size_t rows) {
    const Column<uint32_t> ids = columns(stacks::kId), parents = columns(stacks::kParent);
    const Column<uint32_t> frames = columns(stacks::kFrame), modules = columns(stacks::kModule);
    if (!columns.ok()) return false;
    for (size_t i = 0; i < rows; ++i) {
      if (to_.stacks.find(ids[i]) != nullptr) continue;  // a stack's meaning never changes
      to_.stack_ids.push_back(ids[i]);
      to_.stacks.set(ids[i], {parents[i], frames[i], modules[i]});
    }
    return true;
  }

  bool add_collectives(ChunkColumns& columns, size_t rows) {
    const Column<uint32_t> ids = columns(collectives::kId), names = columns(collectives::kName);
    const Column<uint32_t> dtypes = columns(collectives::kDtype), groups = columns(collectives::kGroupName);
    const Column<uint32_t> ranks = columns(collectives::kGroupRanks);
    const Column<int64_t> in = columns(collectives::kInElements), out = columns(collectives::kOutElements);
    const Column<int64_t> sizes = columns(collectives::kGroupSize);
    if (!columns.ok()) return false;
    for (size_t i = 0; i < rows; ++i) {
      to_.collectives.set(ids[i], {names[i], dtypes[i], groups[i], ranks[i], in[i], out[i], sizes[i]});
    }
    return true;
  }

  bool add_sources(ChunkColumns& columns, size_t rows) {
    const Texts paths = columns(sources::kPath), hashes = columns(sources::kHash),
                texts = columns(sources::kText);
    if (!columns.ok()) return false;
    for (size_t i = 0; i < rows; ++i) {
      to_.sources.push_back({std::string(paths[i]), std::string(hashes[i]), std::string(texts[i])});
    }
    return true;
  }

  bool add_losses(ChunkColumns& columns, size_t rows) {
    const Texts names = columns(losses::kName), sentences = columns(losses::kSentence);
    const Column<uint64_t> counts = columns(losses::kCount);
    if (!columns.ok()) return false;
    for (size_t i = 0; i < rows; ++i)
      to_.losses[std::string(names[i])] = {counts[i], std::string(sentences[i])};
    return true;
  }

  Definitions& to_;
  std::vector<TickClock::Point> points_;
};

}  // namespace

int64_t Definitions::meta_number(std::string_view key, int64_t otherwise) const {
  const std::string_view text = meta_text(key);
  int64_t number = 0;
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : otherwise;
}

std::shared_ptr<const Definitions> read_definitions(const Reader& reader, LossCounts& losses) {
  auto definitions = std::make_shared<Definitions>();
  DefinitionsReader tables(*definitions);
  for (const Chunk& chunk : reader.chunks()) {
    if (!tables.add(chunk)) losses.add(Loss::kDamagedChunk, chunk.offset());
  }
  tables.finish();
  return definitions;
}

}  // namespace skyline::ingest::native
