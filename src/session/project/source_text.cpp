#include "session/project/source_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/descriptor.h"

namespace skyline::session {
namespace {

// Why a file of this kind is not read.
std::optional<std::string> why_not(const struct stat& status) {
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      if (static_cast<size_t>(status.st_size) <= kMostWatchedBytes) return std::nullopt;
      return fmt::format("larger than {} MiB", kMostWatchedBytes >> 20);
    case S_IFDIR:
      return "a folder";
    case S_IFIFO:
      return "a FIFO";
    case S_IFSOCK:
      return "a socket";
    default:
      return "a device";
  }
}

}  // namespace

std::optional<std::string> why_left_out(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (const auto why = why_not(status)) return why;
  return ::access(path.c_str(), R_OK) == 0 || errno == ENOENT ? std::nullopt
                                                              : std::optional<std::string>("unreadable");
}

Result<std::optional<std::string>> read_source_text(const std::string& path) {
  // Before it is opened, as that alone is an order to some devices; and after, as names change.
  if (const auto why = why_left_out(path)) return Error{*why};
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open() && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
    return std::optional<std::string>();
  struct stat status;
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) return Error{"unreadable"};
  if (const auto why = why_not(status)) return Error{*why};
  std::string text;
  char buffer[64 << 10];
  while (true) {
    const ssize_t count = ::read(file.get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Error{"unreadable"};
    if (count == 0) return std::optional(std::move(text));
    text.append(buffer, static_cast<size_t>(count));
    if (text.size() > kMostWatchedBytes)
      return Error{fmt::format("larger than {} MiB", kMostWatchedBytes >> 20)};
  }
}

}  // namespace skyline::session
