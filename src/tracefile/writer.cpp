#include "tracefile/writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "base/output_file.h"
#include "tracefile/checksum.h"

namespace skyline::tracefile {
namespace {

Error cannot(const char* what, const std::string& path, int error) {
  const std::string reason = std::strerror(error);
  const char* cure = error == ENOSPC || error == EDQUOT ? "; free some space or write elsewhere" : "";
  return {std::string("cannot ") + what + " " + path + ": " + reason + cure};
}

// All of both parts, from `offset` on; 0, or the error.
int write_fully(int fd, const void* head, size_t head_size, const void* body, size_t body_size,
                uint64_t offset) {
  size_t done = 0;
  while (done < head_size + body_size) {
    const size_t head_done = std::min(done, head_size), body_done = done - head_done;
    // writev() takes pointers to mutable bytes, but only reads them.
    iovec parts[2] = {{const_cast<char*>(static_cast<const char*>(head)) + head_done, head_size - head_done},
                      {const_cast<char*>(static_cast<const char*>(body)) + body_done, body_size - body_done}};
    const ssize_t n = ::pwritev(fd, parts, 2, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : ENOSPC;
    done += static_cast<size_t>(n);
  }
  return 0;
}

// A file of the system's that nobody else relies on: not standard output, not one of several names, not one
// that somebody has just made for us, and not one that may not be written.
bool can_be_replaced(const std::string& path, const struct stat& old) {
  constexpr std::string_view kOpenFiles[] = {"/proc/", "/dev/fd/", "/dev/std"};
  const bool is_open_file = std::any_of(std::begin(kOpenFiles), std::end(kOpenFiles),
                                        [&](std::string_view folder) { return path.starts_with(folder); });
  return !is_open_file && S_ISREG(old.st_mode) && old.st_size > 0 && old.st_nlink == 1 &&
         ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

// A new file has the owner and the permissions of the old one.
bool give_to_owner(int fd, const struct stat& old) {
  struct stat own = {};
  if (::fstat(fd, &own) != 0) return false;
  const bool is_owners = own.st_uid == old.st_uid && own.st_gid == old.st_gid;
  if (!is_owners && ::fchown(fd, old.st_uid, old.st_gid) != 0) return false;
  return ::fchmod(fd, old.st_mode & 07777) == 0;
}

}  // namespace

Result<Writer> Writer::create(const std::string& path, const WriterOptions& options) {
  if (!options.must_be_new) {
    if (std::optional<Writer> writer = replace(path, options)) return std::move(*writer);
  }
  // O_NONBLOCK: a pipe that nobody reads is an error, not a wait without end.
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (options.must_be_new ? O_EXCL : O_TRUNC);
  Writer writer(-1, path);
  const int fd = ::open(path.c_str(), flags, static_cast<mode_t>(options.permissions));
  if (fd < 0) return cannot("create", path, errno);
  writer.fd_ = fd;
  SKYLINE_RETURN_IF_ERROR(writer.begin(options));
  return writer;
}

// A disk that is full or a folder that takes no new file is no reason not to record: then the old file is
// used.
std::optional<Writer> Writer::replace(const std::string& path, const WriterOptions& options) {
  struct stat old = {};
  if (::stat(path.c_str(), &old) != 0 || !can_be_replaced(path, old)) return std::nullopt;
  // What a link points to is replaced, not the link.
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), std::free);
  if (real == nullptr) return std::nullopt;
  Result<OutputFile> file = OutputFile::plan(real.get(), OutputFile::IfExists::kReplace);
  if (!file.ok()) return std::nullopt;
  Writer writer(-1, path);
  const int fd = ::open(file.value().temporary().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return std::nullopt;
  writer.fd_ = fd;
  const bool is_ready =
      give_to_owner(fd, old) && writer.begin(options).ok() && std::move(file).value().commit().ok();
  if (!is_ready) return std::nullopt;
  return writer;
}

Status Writer::begin(const WriterOptions& options) {
  struct stat about = {};
  if (::fstat(fd_, &about) != 0) return cannot("create", path_, errno);
  device_ = about.st_dev;
  inode_ = about.st_ino;

  FileHeader header = {};
  std::copy(std::begin(kFileMagic), std::end(kFileMagic), header.magic);
  header.major_version = kMajorVersion;
  header.minor_version = kMinorVersion;
  options.creator.copy(header.creator, sizeof header.creator);
  header.checksum = checksum(&header, offsetof(FileHeader, checksum));
  return write_at_end(&header, sizeof header, nullptr, 0);
}

Writer::Writer(Writer&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      device_(other.device_),
      inode_(other.inode_),
      path_(std::move(other.path_)),
      end_(other.end_),
      sequence_(other.sequence_) {}

Writer& Writer::operator=(Writer&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(device_, other.device_);
  std::swap(inode_, other.inode_);
  std::swap(path_, other.path_);
  std::swap(end_, other.end_);
  std::swap(sequence_, other.sequence_);
  return *this;
}

Writer::~Writer() { abandon(); }

void Writer::abandon() {
  if (fd_ >= 0 && is_still_ours()) ::close(fd_);
  fd_ = -1;
}

bool Writer::is_still_ours() const {
  struct stat about = {};
  return ::fstat(fd_, &about) == 0 && about.st_dev == device_ && about.st_ino == inode_;
}

Status Writer::append(const ChunkBuilder& chunk) {
  if (chunk.mistake_ != nullptr) {
    return Error{"a chunk for " + path_ + " " + chunk.mistake_ +
                 "; this is a bug in Skyline, please report it"};
  }
  return append(chunk.table_, chunk.rows_, chunk.entries_.span(),
                {chunk.payload_.data(), chunk.payload_.size()});
}

Status Writer::append(const Chunk& chunk, const Column<char>& payload) {
  return append(chunk.table(), chunk.rows(), chunk.entries(), {payload.data(), payload.size()});
}

// One chunk: ChunkHeader, ColumnEntry × columns, stored columns (see layout.h).
Status Writer::append(TableId table, size_t rows, std::span<const ColumnEntry> entries,
                      std::string_view payload) {
  ChunkHeader header = {.magic = kChunkMagic,
                        .table = static_cast<uint16_t>(table),
                        .columns = static_cast<uint16_t>(entries.size()),
                        .sequence = sequence_,
                        .rows = rows,
                        .bytes = sizeof(ChunkHeader) + entries.size_bytes() + payload.size(),
                        .checksum = 0};
  Column<char> head;
  head.resize_uninitialized(sizeof header + entries.size_bytes());
  std::memcpy(head.data(), &header, sizeof header);
  if (!entries.empty()) std::memcpy(head.data() + sizeof header, entries.data(), entries.size_bytes());
  header.checksum = checksum(head.data(), head.size());
  std::memcpy(head.data(), &header, sizeof header);

  SKYLINE_RETURN_IF_ERROR(write_at_end(head.data(), head.size(), payload.data(), payload.size()));
  ++sequence_;
  return Done{};
}

Status Writer::finish() {
  ChunkBuilder chunk(TableId::kEnd);
  const uint64_t chunks[] = {sequence_};
  chunk.add(end::kChunks, chunks);
  SKYLINE_RETURN_IF_ERROR(append(chunk));
  if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) return cannot("finish", path_, errno);
  return Done{};
}

Status Writer::write_at_end(const void* head, size_t head_size, const void* body, size_t body_size) {
  if (fd_ >= 0 && !is_still_ours()) fd_ = -1;
  if (fd_ < 0) return Error{"cannot write to " + path_ + ": it was closed"};
  const int error = write_fully(fd_, head, head_size, body, body_size, end_);
  if (error == 0) {
    end_ += head_size + body_size;
    return Done{};
  }
  // Half a chunk must not stay behind: a later one would follow it, and no reader would get there.
  if (::ftruncate(fd_, static_cast<off_t>(end_)) != 0) abandon();
  return cannot("write to", path_, error);
}

}  // namespace skyline::tracefile
