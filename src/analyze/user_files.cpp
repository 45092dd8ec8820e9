#include "analyze/user_files.h"

#include <algorithm>
#include <array>

namespace skyline {
namespace {

// Parts of paths at which code lies that is not the user's.
constexpr std::array<std::string_view, 4> kForeignFolders = {"/site-packages/", "/dist-packages/",
                                                             "/lib/python3", "/torch/"};

}  // namespace

bool looks_foreign(std::string_view path) {
  if (path.empty() || path.starts_with('<') || path.starts_with("torch/")) return true;
  return std::any_of(kForeignFolders.begin(), kForeignFolders.end(),
                     [&](std::string_view folder) { return path.find(folder) != std::string_view::npos; });
}

UserFiles::UserFiles(const Trace& trace) : trace_(trace) {
  for (const SourceFile& source : trace.sources) sources_.insert(source.path);
}

bool UserFiles::contains(StringId file) {
  const auto [entry, is_new] = known_.try_emplace(file, false);
  if (is_new) {
    const std::string_view path = trace_.strings[file];
    entry->second = sources_.empty() ? !looks_foreign(path) : sources_.contains(path);
  }
  return entry->second;
}

}  // namespace skyline
