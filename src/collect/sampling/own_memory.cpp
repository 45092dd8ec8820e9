#include "collect/sampling/own_memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace skyline::collect {
namespace {

constexpr size_t kMostAtOnce = 256;  // pieces; Linux takes 1024

}  // namespace

OwnMemory::OwnMemory() {
  const uint64_t there = 0x736b796c696e6521;
  uint64_t copy = 0;
  const auto is_read = [&] { return read(reinterpret_cast<uintptr_t>(&there), copy) && copy == there; };
  works_ = is_read();
  if (works_) return;
  file_ = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  works_ = file_ >= 0 && is_read();
}

OwnMemory::~OwnMemory() {
  if (file_ >= 0) ::close(file_);
}

bool OwnMemory::read(std::span<const MemoryPiece> pieces) const {
  return file_ >= 0 ? read_by_file(pieces) : read_by_call(pieces);
}

bool OwnMemory::read_by_call(std::span<const MemoryPiece> pieces) const {
  std::array<iovec, kMostAtOnce> from, to;
  for (size_t begin = 0; begin < pieces.size(); begin += kMostAtOnce) {
    const std::span<const MemoryPiece> some =
        pieces.subspan(begin, std::min(kMostAtOnce, pieces.size() - begin));
    size_t wanted = 0;
    for (size_t i = 0; i < some.size(); ++i) {
      from[i] = {reinterpret_cast<void*>(some[i].from), some[i].size};
      to[i] = {some[i].to, some[i].size};
      wanted += some[i].size;
    }
    const ssize_t read = process_vm_readv(::getpid(), to.data(), some.size(), from.data(), some.size(), 0);
    if (read < 0 || static_cast<size_t>(read) != wanted) return false;
  }
  return true;
}

bool OwnMemory::read_by_file(std::span<const MemoryPiece> pieces) const {
  return std::all_of(pieces.begin(), pieces.end(), [this](const MemoryPiece& piece) {
    const ssize_t read = ::pread(file_, piece.to, piece.size, static_cast<off_t>(piece.from));
    return read >= 0 && static_cast<size_t>(read) == piece.size;
  });
}

}  // namespace skyline::collect
