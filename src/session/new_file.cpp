#include "session/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace skyline {
namespace {

Error exists_already(const std::string& path) {
  return {path + " exists already; choose another name, or replace it with --force"};
}

// Two processes, or two threads of one, never share a name.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  return path + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

bool reach_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool has_reached = ::fsync(file) == 0;
  ::close(file);
  return has_reached;
}

}  // namespace

Error cannot_create(const std::string& path, const std::string& why) {
  return {"cannot create " + path + ": " + why};
}

Status check_target(const FileTarget& target) {
  struct stat status;
  if (::stat(target.path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return Error{target.path + " is a folder; name a file"};
    if (!target.may_replace) return exists_already(target.path);
  }
  const std::filesystem::path folder = std::filesystem::path(target.path).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
    return cannot_create(target.path, std::strerror(errno));
  return Done{};
}

Result<NewFile> NewFile::create(const FileTarget& target) {
  SKYLINE_TRY([[maybe_unused]] const Done possible, check_target(target));
  NewFile file(target, temporary_name(target.path));
  const int made = ::open(file.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made < 0) return cannot_create(target.path, std::strerror(errno));
  ::close(made);
  return file;
}

NewFile::NewFile(FileTarget target, std::string temporary)
    : target_(std::move(target)), temporary_(std::move(temporary)) {}

NewFile::NewFile(NewFile&& other) noexcept
    : target_(std::move(other.target_)), temporary_(std::exchange(other.temporary_, std::string())) {}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status NewFile::commit() {
  const std::string& path = target_.path;
  if (!reach_disk(temporary_)) return cannot_create(path, std::strerror(errno));
  // Somebody may have made the file since create(). Where the system cannot refuse that, we replace it.
  int failed = -1;
  if (!target_.may_replace) {
    failed = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE);
    if (failed != 0 && errno == EEXIST) return exists_already(path);
  }
  if (failed != 0) failed = ::rename(temporary_.c_str(), path.c_str());
  if (failed != 0) return cannot_create(path, std::strerror(errno));
  temporary_.clear();
  return Done{};
}

Status write_text(const FileTarget& target, std::string_view text) {
  SKYLINE_TRY(NewFile file, NewFile::create(target));
  std::ofstream out(file.temporary(), std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) return cannot_create(target.path, std::strerror(errno));
  return file.commit();
}

}  // namespace skyline
