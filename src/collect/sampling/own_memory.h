// Reads the process's own memory where it may be gone by now: a fault is an answer, not a crash.
//
// The kernel copies (process_vm_readv, or /proc/self/mem where that is forbidden), so that a thread may look
// at what another one is changing or freeing. What was read must be checked: it may be of two moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace skyline::collect {

struct MemoryPiece {
  uintptr_t from;
  void* to;
  size_t size;
};

class OwnMemory {
 public:
  OwnMemory();
  ~OwnMemory();
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;

  // Whether it can be read at all here.
  bool works() const { return works_; }

  // All pieces or nothing that may be used.
  bool read(std::span<const MemoryPiece> pieces) const;
  bool read(uintptr_t from, void* to, size_t size) const {
    const MemoryPiece piece{from, to, size};
    return read({&piece, 1});
  }
  template <typename T>
  bool read(uintptr_t from, T& to) const {
    return read(from, &to, sizeof to);
  }

 private:
  bool read_by_call(std::span<const MemoryPiece> pieces) const;
  bool read_by_file(std::span<const MemoryPiece> pieces) const;

  int file_ = -1;  // /proc/self/mem; -1: by the call
  bool works_ = false;
};

}  // namespace skyline::collect
