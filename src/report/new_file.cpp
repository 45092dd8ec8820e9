#include "report/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace skyline::report {
namespace {

Result<OutputFile> plan(const FileTarget& target) {
  using enum OutputFile::IfExists;
  return OutputFile::plan(target.path, target.may_replace ? kReplace : kRefuse);
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
  SKYLINE_RETURN_IF_ERROR(plan(target));
  const std::filesystem::path folder = std::filesystem::path(target.path).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
    return cannot_create(target.path, std::strerror(errno));
  return Done{};
}

Result<NewFile> NewFile::create(const FileTarget& target) {
  SKYLINE_RETURN_IF_ERROR(check_target(target));
  SKYLINE_TRY(OutputFile file, plan(target));
  const int made = ::open(file.temporary().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made < 0) return cannot_create(target.path, std::strerror(errno));
  ::close(made);
  return NewFile(target.path, std::move(file));
}

Status NewFile::commit() {
  if (!reach_disk(temporary())) return cannot_create(path_, std::strerror(errno));
  return file_.commit();
}

Status write_text(const FileTarget& target, std::string_view text) {
  SKYLINE_TRY(NewFile file, NewFile::create(target));
  std::ofstream out(file.temporary(), std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) return cannot_create(target.path, std::strerror(errno));
  return file.commit();
}

}  // namespace skyline::report
