// A new file that appears under its name when it is complete, or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/output_file.h"
#include "base/result.h"

namespace skyline::report {

// Where to write; one that exists stays unless it may be replaced.
struct FileTarget {
  std::string path;
  bool may_replace = false;
};

// Whether a file could be made there, as far as that can be told beforehand.
Status check_target(const FileTarget& target);

// An OutputFile that exists from the beginning, so that what keeps it from being made is known by its own
// name, and that has reached the disk before it takes its place.
class NewFile {
 public:
  static Result<NewFile> create(const FileTarget& target);

  // Write here, and close it before commit().
  const std::string& temporary() const { return file_.temporary(); }

  Status commit();

 private:
  NewFile(std::string path, OutputFile file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  OutputFile file_;
};

// "cannot create a.json: No space left on device"
Error cannot_create(const std::string& path, const std::string& why);

// A file that holds just this text.
Status write_text(const FileTarget& target, std::string_view text);

}  // namespace skyline::report
