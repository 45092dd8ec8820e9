// Writer: chunks onto the end of a file, one system call each and nothing held back. Whatever ends
// the process, the file holds every chunk whose append() returned.
//
// For one thread at a time. Packing is ChunkBuilder's; append() only numbers the chunk and writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "tracefile/chunk_builder.h"
#include "tracefile/reader.h"

namespace skyline::tracefile {

struct WriterOptions {
  std::string_view creator = "skyline";  // at most 40 bytes are kept
  bool must_be_new = false;              // refuse to replace a file
  unsigned permissions = 0666;           // of a new file, less the umask
};

class Writer {
 public:
  // A file that exists is replaced by a new one that has its header already: whoever reads the old one keeps
  // it, and nobody finds an empty one. Where that cannot be (see replace), it is emptied.
  static Result<Writer> create(const std::string& path, const WriterOptions& options = {});

  Writer(Writer&& other) noexcept;
  Writer& operator=(Writer&& other) noexcept;
  ~Writer();  // closes the file as it is; without finish() it counts as truncated

  // If the chunk cannot be written whole (the disk is full), the file is cut back to the chunk
  // before it, so that it stays readable; the caller may stop here or try again later.
  Status append(const ChunkBuilder& chunk);

  // A chunk of another file and its payload() as they are, damage included.
  Status append(const Chunk& chunk, const Column<char>& payload);

  // The chunk that marks a complete file; closes it. The file is not forced to the disk.
  Status finish();

  // Closes our end and writes nothing any more: for the child of a fork(), which shares the file.
  void abandon();

  uint64_t bytes_written() const { return end_; }
  uint64_t chunks_written() const { return sequence_; }
  const std::string& path() const { return path_; }

 private:
  Writer(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  static std::optional<Writer> replace(const std::string& path, const WriterOptions& options);
  Status begin(const WriterOptions& options);
  Status append(TableId table, size_t rows, std::span<const ColumnEntry> entries, std::string_view payload);
  Status write_at_end(const void* head, size_t head_size, const void* body, size_t body_size);

  // A program that we live in may close files that are not its own, and get our number for one of its own.
  bool is_still_ours() const;

  int fd_ = -1;
  uint64_t device_ = 0, inode_ = 0;  // of the file that was opened
  std::string path_;
  uint64_t end_ = 0;       // of the last whole chunk
  uint64_t sequence_ = 0;  // of the next chunk
};

}  // namespace skyline::tracefile
