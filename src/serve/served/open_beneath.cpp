#include "serve/served/open_beneath.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/descriptor.h"

namespace skyline::serve {
namespace {

// A pipe would keep us waiting, a terminal could become ours.
constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

// Part by part, and through no symbolic link at all, where the system is too old to do better.
Descriptor open_by_parts(int folder, std::string_view relative) {
  Descriptor at(::dup(folder));
  while (at.is_open() && !relative.empty()) {
    const size_t slash = relative.find('/');
    const std::string part(relative.substr(0, slash));
    if (part == "..") return Descriptor();
    relative.remove_prefix(std::min(part.size() + 1, relative.size()));
    at = Descriptor(
        ::openat(at.get(), part.c_str(), kFlags | O_NOFOLLOW | (relative.empty() ? 0 : O_DIRECTORY)));
  }
  return at;
}

Descriptor open_beneath(int folder, const std::string& relative) {
  open_how how = {};
  how.flags = static_cast<uint64_t>(kFlags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const int64_t opened = ::syscall(SYS_openat2, folder, relative.c_str(), &how, sizeof(how));
  if (opened < 0 && (errno == ENOSYS || errno == EPERM)) return open_by_parts(folder, relative);
  return Descriptor(static_cast<int>(opened));
}

Result<Descriptor> open_source(const std::string& folder, const std::string& relative) {
  const auto fail = [&](std::string_view why) { return Error{fmt::format("{} {}", relative, why)}; };
  const bool has_zero = relative.find('\0') != std::string::npos;
  if (relative.empty() || relative.starts_with('/') || has_zero) return fail("is no file of this folder");
  const Descriptor root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.is_open())
    return Error{fmt::format("cannot read the folder {}: {}", folder, std::strerror(errno))};
  Descriptor file = open_beneath(root.get(), relative);
  struct stat about = {};
  if (!file.is_open() || ::fstat(file.get(), &about) != 0) return fail("is no file of this folder");
  if (!S_ISREG(about.st_mode)) return fail("is no regular file");
  if (static_cast<size_t>(about.st_size) > kMostSourceBytes) return fail("is larger than 4 MB");
  return file;
}

}  // namespace

bool is_beneath(const std::string& folder, const std::string& relative) {
  return open_source(folder, relative).ok();
}

Result<std::string> read_beneath(const std::string& folder, const std::string& relative) {
  SKYLINE_TRY(const Descriptor file, open_source(folder, relative));
  // It may grow while it is read.
  std::string text(kMostSourceBytes + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{fmt::format("cannot read {}: {}", relative, std::strerror(errno))};
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  if (size > kMostSourceBytes) return Error{fmt::format("{} is larger than 4 MB", relative)};
  text.resize(size);
  return text;
}

}  // namespace skyline::serve
