#include "session/process/scratch_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/folder_names.h"
#include "session/process/process.h"

namespace skyline::session {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "skyline-", kEnd = "XXXXXX";  // the end is mkdtemp's
constexpr const char* kOwner = "owner";
constexpr int kMostTries = 10;

void remove_folder(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);  // links in it go, not what they lead to
}

bool is_name_of_ours(const std::string& name) {
  return name.starts_with(kBegin) && name.size() == kBegin.size() + kEnd.size();
}

bool is_ours(int file, mode_t kind) {
  struct stat status;
  return ::fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == kind && status.st_uid == ::geteuid();
}

// The lock of a folder whose owner is gone. A folder without the file is somebody else's, or is being made.
Descriptor lock_of_orphan(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.is_open() || !is_ours(folder.get(), S_IFDIR)) return {};
  Descriptor owner(::openat(folder.get(), kOwner, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!owner.is_open() || !is_ours(owner.get(), S_IFREG)) return {};
  return ::flock(owner.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(owner) : Descriptor();
}

void sweep(const std::string& parent) {
  for (const std::string& name : names_if_any(parent)) {
    if (!is_name_of_ours(name)) continue;
    const std::string path = (fs::path(parent) / name).string();
    const Descriptor lock = lock_of_orphan(path);
    if (lock.is_open()) remove_folder(path);
  }
}

// Where files cannot be locked the folder has no such file, and nobody sweeps it.
Descriptor lock_new(const std::string& folder) {
  const std::string path = folder + "/" + kOwner;
  Descriptor owner(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (owner.is_open() && ::flock(owner.get(), LOCK_EX | LOCK_NB) != 0 && errno != EWOULDBLOCK) {
    ::unlink(path.c_str());
  }
  return owner;
}

// Whether nobody took it for an orphan before it was locked.
bool is_there(const std::string& folder) { return ::access(folder.c_str(), W_OK) == 0; }

}  // namespace

Result<ScratchFolder> ScratchFolder::make(const std::string& parent) {
  sweep(parent);
  for (int i = 0; i < kMostTries; ++i) {
    std::string path = fmt::format("{}/{}{}", parent, kBegin, kEnd);
    if (::mkdtemp(path.data()) == nullptr) break;
    Descriptor lock = lock_new(path);
    if (is_there(path)) return ScratchFolder(std::move(path), std::move(lock));
  }
  return system_error(fmt::format("cannot make a folder in {}", parent));
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) remove_folder(path_);
}

}  // namespace skyline::session
