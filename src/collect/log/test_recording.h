// A recording's file for the unit tests of this folder: written through a ChunkSink, then read again.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/test_folder.h"
#include "collect/log/chunk_sink.h"

namespace skyline::collect {

class TestRecording {
 public:
  ChunkSink& sink() { return sink_; }
  const std::vector<std::string>& troubles() const { return troubles_; }

  // The file so far, complete or not.
  tracefile::Reader read() {
    Result<tracefile::Reader> reader = tracefile::Reader::open(path_);
    CHECK(reader.ok());
    return std::move(reader).value();
  }

 private:
  static tracefile::Writer create(const std::string& path) {
    Result<tracefile::Writer> writer = tracefile::Writer::create(path);
    CHECK(writer.ok());
    return std::move(writer).value();
  }

  TestFolder folder_;
  const std::string path_ = folder_ / "test.skyline";
  std::vector<std::string> troubles_;
  ChunkSink sink_{create(path_), [this](std::string_view sentence) { troubles_.emplace_back(sentence); }};
};

inline std::vector<tracefile::TableId> tables_of(const tracefile::Reader& reader) {
  std::vector<tracefile::TableId> tables;
  for (const tracefile::Chunk& chunk : reader.chunks()) tables.push_back(chunk.table());
  return tables;
}

template <typename T>
std::vector<T> values_of(const tracefile::Chunk& chunk, const tracefile::NumberColumn<T>& column) {
  Result<Column<T>> read = chunk.column(column);
  CHECK(read.ok());
  return {read.value().begin(), read.value().end()};
}

inline std::vector<std::string> texts_of(const tracefile::Chunk& chunk, const tracefile::TextColumn& column) {
  Result<tracefile::Texts> read = chunk.texts(column);
  CHECK(read.ok());
  std::vector<std::string> texts;
  for (size_t row = 0; row < read.value().size(); ++row) texts.emplace_back(read.value()[row]);
  return texts;
}

}  // namespace skyline::collect
