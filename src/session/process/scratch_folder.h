// A folder of our own that goes with us. One whose owner was killed stays behind, until the next one is made
// in the same place: a folder is in use as long as somebody holds the lock on the file `owner` in it, and the
// system takes the lock from whoever ends.
#pragma once

#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace skyline::session {

class ScratchFolder {
 public:
  // Removes what others have left in the parent, too.
  static Result<ScratchFolder> make(const std::string& parent);

  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    lock_ = std::move(other.lock_);
    return *this;
  }
  ~ScratchFolder();

  const std::string& path() const { return path_; }

 private:
  ScratchFolder(std::string path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  Descriptor lock_;
};

}  // namespace skyline::session
