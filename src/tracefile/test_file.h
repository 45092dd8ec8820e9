// Small .skyline files for the unit tests of this folder.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tracefile/tracefile.h"

namespace skyline::tracefile {

// A folder of the test's own; it goes with the files that were named in it.
class TestFolder {
 public:
  TestFolder() { CHECK(::mkdtemp(path_.data()) != nullptr); }
  TestFolder(TestFolder&) = delete;
  TestFolder& operator=(TestFolder&) = delete;
  ~TestFolder() {
    for (const std::string& name : names_) std::remove((path_ + "/" + name).c_str());
    ::rmdir(path_.c_str());
  }
  std::string file(const std::string& name) {
    names_.push_back(name);
    return path_ + "/" + name;
  }

 private:
  std::string path_ = "/tmp/skyline_test_XXXXXX";
  std::vector<std::string> names_;
};

inline std::string read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  CHECK(file != nullptr);
  std::string bytes;
  for (int c = std::getc(file); c != EOF; c = std::getc(file)) bytes += static_cast<char>(c);
  std::fclose(file);
  return bytes;
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  CHECK(file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
  std::fclose(file);
}

inline ChunkBuilder meta_chunk() {
  ChunkBuilder chunk(TableId::kMeta);
  const std::string_view keys[] = {"torch.version", "empty"}, values[] = {"2.13.0", ""};
  chunk.add(meta::kKey, keys);
  chunk.add(meta::kValue, values);
  return chunk;
}

// `rows` events at ticks 1000, 1007, 1014, …
inline ChunkBuilder events_chunk(size_t rows) {
  ChunkBuilder chunk(TableId::kEvents);
  Column<uint64_t> starts, durations;
  Column<uint8_t> kinds;
  for (size_t i = 0; i < rows; ++i) {
    starts.push_back(1000 + 7 * i);
    durations.push_back(i % 5);
    kinds.push_back(static_cast<uint8_t>(i % 2));
  }
  chunk.add(events::kStartTicks, starts);
  chunk.add(events::kDurTicks, durations);
  chunk.add(events::kKind, kinds);
  return chunk;
}

// Chunks of meta, 300 events, 5 events.
inline std::string sample_bytes() {
  TestFolder folder;
  const std::string path = folder.file("sample.skyline");
  Result<Writer> writer = Writer::create(path, {.creator = "a test"});
  CHECK(writer.ok());
  CHECK(writer.value().append(meta_chunk()).ok());
  CHECK(writer.value().append(events_chunk(300)).ok());
  CHECK(writer.value().append(events_chunk(5)).ok());
  CHECK(writer.value().finish().ok());
  return read_file(path);
}

}  // namespace skyline::tracefile
