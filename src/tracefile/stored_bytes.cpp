#include "tracefile/stored_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace skyline::tracefile {

Result<std::unique_ptr<StoredBytes>> StoredBytes::open(const std::string& path) {
  // Made before the file is opened, so that nothing stays open where there is no memory for it.
  std::unique_ptr<StoredBytes> bytes(new StoredBytes());
  bytes->fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (bytes->fd_ < 0 || ::fstat(bytes->fd_, &status) != 0)
    return Error{"cannot open " + path + ": " + std::strerror(errno)};
  bytes->size_ = S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
  return bytes;
}

StoredBytes::~StoredBytes() {
  if (fd_ >= 0) ::close(fd_);
}

bool StoredBytes::read(uint64_t offset, void* to, size_t size) const {
  if (offset > size_ || size > size_ - offset) return false;
  if (fd_ < 0) return own_.copy(static_cast<char*>(to), size, offset) == size;
  for (size_t done = 0; done < size;) {
    const ssize_t n =
        ::pread(fd_, static_cast<char*>(to) + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) note_change();
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

std::string_view StoredBytes::look(uint64_t offset, size_t size, Column<char>& buffer) const {
  if (fd_ < 0) return std::string_view(own_).substr(std::min(offset, size_), size);
  if (buffer.size() < size) buffer.resize_uninitialized(size);
  return read(offset, buffer.data(), size) ? std::string_view(buffer.data(), size) : std::string_view();
}

}  // namespace skyline::tracefile
