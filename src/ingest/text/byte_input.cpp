#include "ingest/text/byte_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

namespace skyline::ingest {
namespace {

std::string reason(int error) { return std::strerror(error); }

// An open file, which is closed whatever happens on the way to whom it is for.
class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
  }

  int fd() const { return fd_; }

 private:
  int fd_;
};

class FileBytes : public RandomBytes {
 public:
  FileBytes(OpenFile file, std::string path, const struct stat& status)
      : file_(std::move(file)), path_(std::move(path)), status_(status) {}

  Result<size_t> read_at(uint64_t offset, char* to, size_t size) const override {
    if (has_changed()) return Error{path_ + " has changed since it was read; open it again"};
    return read_raw(offset, to, size);
  }
  size_t held_bytes() const override { return 0; }

  bool has_changed() const override {
    struct stat now;
    if (::fstat(file_.fd(), &now) != 0) return true;
    return now.st_size != status_.st_size || now.st_mtim.tv_sec != status_.st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != status_.st_mtim.tv_nsec;
  }

  // File systems count time in steps of some milliseconds: a file that was changed just now may change again
  // within the same step, so only one that has been at rest gets a name.
  std::string identity() const override {
    constexpr time_t kRestSeconds = 2;
    const time_t now = ::time(nullptr);
    if (has_changed() || now - status_.st_mtim.tv_sec < kRestSeconds ||
        now - status_.st_ctim.tv_sec < kRestSeconds) {
      return {};
    }
    std::string name;
    for (const auto part :
         {static_cast<uint64_t>(status_.st_dev), static_cast<uint64_t>(status_.st_ino),
          static_cast<uint64_t>(status_.st_size), static_cast<uint64_t>(status_.st_mtim.tv_sec),
          static_cast<uint64_t>(status_.st_mtim.tv_nsec), static_cast<uint64_t>(status_.st_ctim.tv_sec),
          static_cast<uint64_t>(status_.st_ctim.tv_nsec)}) {
      name += (name.empty() ? "" : "-") + std::to_string(part);
    }
    return name;
  }

  Result<size_t> read_raw(uint64_t offset, char* to, size_t size) const {
    size_t done = 0;
    while (done < size) {
      const ssize_t n = ::pread(file_.fd(), to + done, size - done, static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return Error{"cannot read " + path_ + ": " + reason(errno)};
      if (n == 0) break;
      done += static_cast<size_t>(n);
    }
    return done;
  }

  uint64_t size() const { return static_cast<uint64_t>(status_.st_size); }

 private:
  const OpenFile file_;
  const std::string path_;
  const struct stat status_;
};

class FileInput : public ByteInput {
 public:
  explicit FileInput(std::shared_ptr<const FileBytes> file) : file_(std::move(file)) {}

  Result<size_t> read(char* to, size_t size) override {
    SKYLINE_TRY(const size_t n, file_->read_raw(position_, to, size));
    position_ += n;
    return n;
  }
  uint64_t size() const override { return file_->size(); }
  std::shared_ptr<const RandomBytes> random_access() const override { return file_; }

 private:
  std::shared_ptr<const FileBytes> file_;
  uint64_t position_ = 0;
};

// Standard input, a named pipe, a character device: read once.
class PipeInput : public ByteInput {
 public:
  PipeInput(OpenFile file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}

  Result<size_t> read(char* to, size_t size) override {
    for (;;) {
      const ssize_t n = ::read(file_.fd(), to, size);
      if (n >= 0) return static_cast<size_t>(n);
      if (errno != EINTR) return Error{"cannot read " + name_ + ": " + reason(errno)};
    }
  }
  uint64_t size() const override { return 0; }
  std::shared_ptr<const RandomBytes> random_access() const override { return nullptr; }

 private:
  const OpenFile file_;
  const std::string name_;
};

class MemoryBytes : public RandomBytes {
 public:
  explicit MemoryBytes(std::string bytes) : bytes_(std::move(bytes)) {}

  Result<size_t> read_at(uint64_t offset, char* to, size_t size) const override {
    if (offset >= bytes_.size()) return size_t{0};
    return bytes_.copy(to, size, offset);
  }
  size_t held_bytes() const override { return bytes_.capacity(); }
  size_t size() const { return bytes_.size(); }

 private:
  const std::string bytes_;
};

class MemoryInput : public ByteInput {
 public:
  explicit MemoryInput(std::string bytes) : bytes_(std::make_shared<MemoryBytes>(std::move(bytes))) {}

  Result<size_t> read(char* to, size_t size) override {
    SKYLINE_TRY(const size_t n, bytes_->read_at(position_, to, size));
    position_ += n;
    return n;
  }
  uint64_t size() const override { return bytes_->size(); }
  std::shared_ptr<const RandomBytes> random_access() const override { return bytes_; }

 private:
  std::shared_ptr<const MemoryBytes> bytes_;
  uint64_t position_ = 0;
};

}  // namespace

Result<std::string> take_head(ByteInput& input) {
  std::string head(8, '\0');
  size_t size = 0;
  while (size < head.size()) {
    SKYLINE_TRY(const size_t n, input.read(head.data() + size, head.size() - size));
    if (n == 0) break;
    size += n;
  }
  head.resize(size);
  return head;
}

Result<size_t> read_fully(ByteInput& input, char* to, size_t size) {
  size_t done = 0;
  while (done < size) {
    SKYLINE_TRY(const size_t n, input.read(to + done, size - done));
    if (n == 0) break;
    done += n;
  }
  return done;
}

Result<std::unique_ptr<ByteInput>> open_bytes(const std::string& path) {
  if (path.empty())
    return Error{"the name of the trace is empty; name a file, a folder, or - for standard input"};
  if (path == "-")
    return std::unique_ptr<ByteInput>(std::make_unique<PipeInput>(OpenFile(STDIN_FILENO), "standard input"));
  OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0 && errno == ENOENT) return Error{"there is no file " + path + "; check the name"};
  struct stat status;
  if (file.fd() < 0 || ::fstat(file.fd(), &status) != 0)
    return Error{"cannot open " + path + ": " + reason(errno)};
  if (S_ISDIR(status.st_mode)) return Error{path + " is a folder where a trace file was expected"};
  if (!S_ISREG(status.st_mode))
    return std::unique_ptr<ByteInput>(std::make_unique<PipeInput>(std::move(file), path));
  ::posix_fadvise(file.fd(), 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::unique_ptr<ByteInput>(
      std::make_unique<FileInput>(std::make_shared<FileBytes>(std::move(file), path, status)));
}

std::unique_ptr<ByteInput> bytes_in_memory(std::string bytes) {
  return std::make_unique<MemoryInput>(std::move(bytes));
}

std::shared_ptr<const RandomBytes> remember(std::string bytes) {
  return std::make_shared<MemoryBytes>(std::move(bytes));
}

}  // namespace skyline::ingest
