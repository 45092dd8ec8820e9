#include "base/folder_names.h"

#include <dirent.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

namespace skyline {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

Error cannot_list(const std::string& folder, int error) {
  return {"cannot list the folder " + folder + ": " + std::strerror(error)};
}

}  // namespace

Result<std::vector<std::string>> names_in(const std::string& folder) {
  const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
  if (opened == nullptr) return cannot_list(folder, errno);
  std::vector<std::string> names;
  while (true) {
    errno = 0;  // the end and an error look alike otherwise
    const dirent* entry = ::readdir(opened.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return cannot_list(folder, errno);
  return names;
}

std::vector<std::string> names_if_any(const std::string& folder) {
  Result<std::vector<std::string>> names = names_in(folder);
  return names.ok() ? std::move(names).value() : std::vector<std::string>();
}

}  // namespace skyline
