// A folder of a test's own. Tests run side by side, each in a process of its own, so a fixed name would be
// shared.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/check.h"

namespace skyline {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  CHECK(file << bytes << std::flush);
}

// It goes with all that is in it.
class TestFolder {
 public:
  TestFolder() { CHECK(::mkdtemp(path_.data()) != nullptr); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  // Folders on the way are made too. Returns the path.
  std::string write(const std::string& name, const std::string& bytes = "") const {
    const std::string path = *this / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    write_file(path, bytes);
    return path;
  }

 private:
  std::string path_ =
      (std::filesystem::canonical(std::filesystem::temp_directory_path()) / "skyline_test_XXXXXX").string();
};

}  // namespace skyline
