// A folder of our own that goes with us.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "session/process.h"

namespace skyline {

class ScratchFolder {
 public:
  static Result<ScratchFolder> make(const std::string& parent) {
    std::string name = parent + "/skyline-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
      return system_error(fmt::format("cannot make a folder in {}", parent));
    return ScratchFolder(std::move(name));
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace skyline
