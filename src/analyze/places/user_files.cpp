#include "analyze/places/user_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace skyline::analyze {
namespace {

// Parts of paths at which code lies that is not the user's.
constexpr std::array<std::string_view, 4> kForeignFolders = {"/site-packages/", "/dist-packages/",
                                                             "/lib/python3", "/torch/"};

// Of the forward operators, those inside libraries; of these, those below one line.
constexpr double kLeastInside = 0.25, kLeastOfOne = 0.9;

// An installed package that is neither torch nor ours.
bool is_of_library(std::string_view path) {
  for (const std::string_view folder : {kForeignFolders[0], kForeignFolders[1]}) {
    const size_t begin = path.rfind(folder);
    if (begin == path.npos) continue;
    const std::string_view inside = path.substr(begin + folder.size());
    return !inside.starts_with("torch/") && !inside.starts_with("skyline/");
  }
  return false;
}

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
  with_libraries_ = !sources_.empty() && has_one_way_into_libraries();
}

bool UserFiles::is_project(StringId file) const {
  const std::string_view path = trace_.strings[file];
  return sources_.empty() ? !looks_foreign(path) : sources_.contains(path);
}

bool UserFiles::contains(StringId file) {
  const auto [entry, is_new] = known_.try_emplace(file, false);
  if (is_new) entry->second = is_project(file) || (with_libraries_ && is_of_library(trace_.strings[file]));
  return entry->second;
}

// By operators of the forward pass: the backward pass is called from a line of its own, wherever its
// operators belong.
bool UserFiles::has_one_way_into_libraries() const {
  enum class File : uint8_t { kUnknown, kProject, kLibrary, kOther };
  std::vector<File> kinds(trace_.strings.size(), File::kUnknown);
  const auto kind_of = [&](StringId file) {
    File& kind = kinds[file.value];
    if (kind == File::kUnknown) {
      kind = is_project(file)                      ? File::kProject
             : is_of_library(trace_.strings[file]) ? File::kLibrary
                                                   : File::kOther;
    }
    return kind;
  };
  // By stack: the project's innermost frame, and whether a library's is inside that.
  std::vector<FrameId> innermost(trace_.stacks.size());
  std::vector<bool> is_inside(trace_.stacks.size());
  for (uint32_t stack = 0; stack < innermost.size(); ++stack) {  // stacks around stand before
    if (const StackId around = trace_.stacks.parent[stack]; around.exists()) {
      innermost[stack] = innermost[around.value];
      is_inside[stack] = is_inside[around.value];
    }
    const FrameId frame = trace_.stacks.frame[stack];
    const File kind = frame.exists() ? kind_of(trace_.frames.file[frame.value]) : File::kOther;
    if (kind == File::kProject) {
      innermost[stack] = frame;
      is_inside[stack] = false;
    } else if (kind == File::kLibrary && innermost[stack].exists()) {
      is_inside[stack] = true;
    }
  }
  std::map<std::pair<StringId, int32_t>, size_t> by_line;
  size_t all = 0, inside = 0;
  for (uint32_t row = 0; row < trace_.ops.size() && !trace_.ops.stack.empty(); ++row) {
    const StackId stack = trace_.ops.stack[row];
    if (!stack.exists() || !innermost[stack.value].exists() || trace_.ops.fwd_thread[row] != 0) continue;
    ++all;
    if (!is_inside[stack.value]) continue;
    ++inside;
    const uint32_t frame = innermost[stack.value].value;
    ++by_line[{trace_.frames.file[frame], trace_.frames.line[frame]}];
  }
  size_t most = 0;
  for (const auto& [line, count] : by_line) most = std::max(most, count);
  const auto share = [](size_t part, size_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  };
  return share(inside, all) >= kLeastInside && share(most, inside) >= kLeastOfOne;
}

}  // namespace skyline::analyze
