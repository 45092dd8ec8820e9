// Where a Reader's bytes are: in a file, or in memory.
//
// A file is read, not mapped: one that shrinks while it is mapped ends the process with SIGBUS, whereas
// reading it gives fewer bytes. Unpacking dwarfs the copy.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/column.h"
#include "base/result.h"

namespace skyline::tracefile {

class StoredBytes {
 public:
  static Result<std::unique_ptr<StoredBytes>> open(const std::string& path);
  explicit StoredBytes(std::string bytes) : own_(std::move(bytes)), size_(own_.size()) {}

  StoredBytes(const StoredBytes&) = delete;
  StoredBytes& operator=(const StoredBytes&) = delete;
  ~StoredBytes();

  uint64_t size() const { return size_; }  // when it was opened

  // All `size` bytes from `offset` on, or false: the file has become shorter, or the disk fails.
  bool read(uint64_t offset, void* to, size_t size) const;

  // The same where they are, or in `buffer`; empty if they are gone.
  std::string_view look(uint64_t offset, size_t size, Column<char>& buffer) const;

  // Whether somebody has found other bytes in the file than stood there when it was opened.
  bool has_changed() const { return has_changed_.load(std::memory_order_relaxed); }
  void note_change() const { has_changed_.store(true, std::memory_order_relaxed); }

 private:
  StoredBytes() = default;

  int fd_ = -1;
  const std::string own_;
  uint64_t size_ = 0;
  mutable std::atomic<bool> has_changed_ = false;
};

}  // namespace skyline::tracefile
