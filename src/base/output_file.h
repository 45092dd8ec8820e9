// A file that appears under its name when it is complete, or not at all.
#pragma once

#include <string>

#include "base/result.h"

namespace skyline {

class OutputFile {
 public:
  enum class IfExists { kRefuse, kReplace };

  // Nothing is created yet; only refuses a name that cannot be used.
  static Result<OutputFile> plan(const std::string& path, IfExists if_exists);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // removes what is not committed

  // Write here: beside the real name, so that committing moves no bytes.
  const std::string& temporary() const { return temporary_; }

  Status commit();

 private:
  OutputFile(std::string path, std::string temporary, IfExists if_exists);

  std::string path_;
  std::string temporary_;
  IfExists if_exists_;
};

}  // namespace skyline
