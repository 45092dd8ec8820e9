#include "analyze/places/user_files.h"

#include <algorithm>
#include <array>
#include <set>

namespace skyline::analyze {
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

std::vector<std::string> user_file_paths(const Trace& trace) {
  std::set<std::string, std::less<>> paths;
  for (const SourceFile& source : trace.sources) paths.insert(source.path);
  if (paths.empty()) {
    for (const StringId file : trace.frames.file) paths.emplace(trace.strings[file]);
    // Each name once: there may be millions of calls.
    std::vector<bool> is_known(trace.strings.size());
    for (const SliceId slice : trace.pythons.slice) {
      const StringId name = trace.slices.name[slice.value];
      if (is_known[name.value]) continue;
      is_known[name.value] = true;
      // "train.py(12): forward"
      const std::string_view text = trace.strings[name];
      const size_t open = text.rfind('('), close = text.find("): ", open);
      if (close != std::string_view::npos) paths.emplace(text.substr(0, open));
    }
    std::erase_if(paths, [](const std::string& path) { return looks_foreign(path); });
  }
  return {paths.begin(), paths.end()};
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

}  // namespace skyline::analyze
