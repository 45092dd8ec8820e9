#include "collect/log/note_rows.h"

#include <cstdio>
#include <memory>

#include "base/column.h"

namespace skyline::collect {
namespace {

namespace table = skyline::tracefile;
using table::TableId;

constexpr size_t kDeviceTextBlock = 1 << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

// One chunk per file: a reader that wants one need not unpack the others.
void write_sources(std::span<const SourceFile> sources, ChunkSink& sink) {
  for (const SourceFile& source : sources) {
    const std::string_view path = source.path, hash = source.hash, text = source.text;
    table::ChunkBuilder& chunk = sink.begin(TableId::kSources);
    chunk.add(table::sources::kPath, {&path, 1});
    chunk.add(table::sources::kHash, {&hash, 1});
    chunk.add(table::sources::kText, {&text, 1});
    sink.append();
  }
}

void write_parts(std::span<const RecordedPart> parts, ChunkSink& sink) {
  for (const RecordedPart& part : parts) {
    const std::string_view name = part.name, bytes = part.bytes;
    table::ChunkBuilder& chunk = sink.begin(TableId::kParts);
    chunk.add(table::parts::kName, {&name, 1});
    chunk.add(table::parts::kBytes, {&bytes, 1});
    sink.append();
  }
}

bool write_device_text(const std::string& path, ChunkSink& sink) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return false;
  std::string block(kDeviceTextBlock, '\0');
  for (uint64_t offset = 0; !sink.has_failed();) {
    const size_t size = std::fread(block.data(), 1, block.size(), file.get());
    if (size == 0) return std::ferror(file.get()) == 0;
    const std::string_view text(block.data(), size);
    table::ChunkBuilder& chunk = sink.begin(TableId::kDeviceText);
    chunk.add(table::device_text::kOffset, {&offset, 1});
    chunk.add(table::device_text::kText, {&text, 1});
    sink.append();
    offset += size;
  }
  return false;
}

void write_tensors(std::span<const TensorNote> tensors, Definitions& definitions, ChunkSink& sink) {
  if (tensors.empty()) return;
  Column<uint8_t> roles;
  Column<uint32_t> names, modules, dims;
  Column<uint64_t> addresses, ticks;
  Column<int64_t> sizes;
  for (const TensorNote& tensor : tensors) {
    roles.push_back(tensor.role);
    names.push_back(definitions.string_id(tensor.name));
    modules.push_back(definitions.string_id(tensor.module));
    dims.push_back(definitions.string_id(tensor.dims));
    addresses.push_back(tensor.address);
    sizes.push_back(tensor.bytes);
    ticks.push_back(tensor.ticks);
  }
  definitions.write_names(sink);
  table::ChunkBuilder& chunk = sink.begin(TableId::kTensors);
  chunk.add(table::tensors::kRole, roles.span());
  chunk.add(table::tensors::kName, names.span());
  chunk.add(table::tensors::kModule, modules.span());
  chunk.add(table::tensors::kDims, dims.span());
  chunk.add(table::tensors::kAddress, addresses.span());
  chunk.add(table::tensors::kBytes, sizes.span());
  chunk.add(table::tensors::kTicks, ticks.span());
  sink.append();
}

}  // namespace skyline::collect
