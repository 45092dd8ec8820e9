// A new file that appears under its name when it is complete, or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace skyline {

// Where to write; one that exists stays unless it may be replaced.
struct FileTarget {
  std::string path;
  bool may_replace = false;
};

// Whether a file could be made there, as far as that can be told beforehand.
Status check_target(const FileTarget& target);

class NewFile {
 public:
  // Makes an empty file beside the real name.
  static Result<NewFile> create(const FileTarget& target);

  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();  // removes what is not committed

  // Write here, and close it before commit().
  const std::string& temporary() const { return temporary_; }

  Status commit();

 private:
  NewFile(FileTarget target, std::string temporary);

  FileTarget target_;
  std::string temporary_;
};

// "cannot create a.json: No space left on device"
Error cannot_create(const std::string& path, const std::string& why);

// A file that holds just this text.
Status write_text(const FileTarget& target, std::string_view text);

}  // namespace skyline
