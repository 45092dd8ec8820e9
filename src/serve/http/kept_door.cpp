#include "serve/http/kept_door.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <optional>

#include "serve/http/token.h"

namespace skyline::serve {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLeastSecret = 32;

// Nobody else can have read or written it: not by a link, not by another name, and not before it was ours.
bool is_private(int file) {
  struct stat status;
  return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
         status.st_nlink == 1 && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

std::string read_private(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return "";
  std::array<char, 256> text{};
  const ssize_t size = is_private(file) ? ::read(file, text.data(), text.size()) : 0;
  ::close(file);
  return {text.data(), static_cast<size_t>(size > 0 ? size : 0)};
}

// "40123 <secret>\n"
std::optional<KeptDoor> parse(std::string_view text) {
  const size_t space = text.find(' '), end = text.find('\n');
  if (space == text.npos || end == text.npos || end < space) return std::nullopt;
  unsigned port = 0;
  for (const char digit : text.substr(0, space)) {
    if (digit < '0' || digit > '9' || port > 65535) return std::nullopt;
    port = 10 * port + static_cast<unsigned>(digit - '0');
  }
  const std::string_view secret = text.substr(space + 1, end - space - 1);
  if (port > 65535 || secret.size() < kLeastSecret) return std::nullopt;
  return KeptDoor{static_cast<uint16_t>(port), std::string(secret)};
}

}  // namespace

KeptDoor kept_door(const std::string& path) {
  if (!path.empty()) {
    if (std::optional<KeptDoor> door = parse(read_private(path))) return *std::move(door);
  }
  return {0, random_token()};
}

void keep_door(const std::string& path, const KeptDoor& door) {
  if (path.empty()) return;
  std::error_code ignored;
  const fs::path folder = fs::path(path).parent_path();
  fs::create_directories(folder, ignored);
  ::chmod(folder.c_str(), 0700);
  // Beside it and then in its place: never half of it, and never in a file that was there before.
  const std::string draft = fmt::format("{}.{}", path, ::getpid());
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return;
  const std::string text = fmt::format("{} {}\n", door.port, door.secret);
  const bool is_written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  if (is_written) {
    fs::rename(draft, path, ignored);
  } else {
    fs::remove(draft, ignored);
  }
}

}  // namespace skyline::serve
