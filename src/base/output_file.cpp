#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>

#include <atomic>
#include <cerrno>
#include <cstring>
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

}  // namespace

Result<OutputFile> OutputFile::plan(const std::string& path, IfExists if_exists) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return Error{path + " is a folder; name a file"};
    if (if_exists == IfExists::kRefuse) return exists_already(path);
  }
  return OutputFile(path, temporary_name(path), if_exists);
}

OutputFile::OutputFile(std::string path, std::string temporary, IfExists if_exists)
    : path_(std::move(path)), temporary_(std::move(temporary)), if_exists_(if_exists) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, std::string())),
      if_exists_(other.if_exists_) {}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status OutputFile::commit() {
  // Somebody may have made the file since plan(). Where the system cannot refuse that, we replace it.
  int failed = -1;
  if (if_exists_ == IfExists::kRefuse) {
    failed = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
    if (failed != 0 && errno == EEXIST) return exists_already(path_);
  }
  if (failed != 0) failed = ::rename(temporary_.c_str(), path_.c_str());
  if (failed != 0) return Error{"cannot create " + path_ + ": " + std::strerror(errno)};
  temporary_.clear();
  return Done{};
}

}  // namespace skyline
