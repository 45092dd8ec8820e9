#include "analyze/places/program_frames.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

namespace skyline::analyze {
namespace {

// The files of Python's package that a process of ours begins with. Whatever else lies in their folder is
// ours, too; a folder that only happens to have the name is not.
constexpr std::array<std::string_view, 2> kFirstFiles = {"/skyline/_start.py", "/skyline/__main__.py"};

bool is_runpy(std::string_view file) {
  return file == "<frozen runpy>" || file == "runpy.py" || file.ends_with("/runpy.py");
}

bool is_wrapper(const FrameTree::Label& label) {
  const bool is_call =
      label.function.ends_with("_wrapped_call_impl") || label.function.ends_with("_call_impl");
  return is_call && label.file.ends_with("torch/nn/modules/module.py");
}

// "/usr/lib/skyline/" of the first of our files; empty: it is none.
std::string_view folder_of_first(std::string_view file) {
  const bool is_first = std::any_of(kFirstFiles.begin(), kFirstFiles.end(),
                                    [&](std::string_view name) { return file.ends_with(name); });
  return is_first ? file.substr(0, file.rfind('/') + 1) : std::string_view();
}

}  // namespace

std::vector<bool> frames_to_fold(const Trace& trace, const FrameTree& frames) {
  std::unordered_set<std::string_view> users;
  for (const SourceFile& source : trace.sources) users.insert(source.path);
  const auto count = static_cast<uint32_t>(frames.tree().size());
  std::vector<bool> folds(count), is_begin(count);  // from the root on nothing of the user's has come
  std::vector<std::string_view> folder(count);      // of our files, where the stack has begun with one
  is_begin[PlaceTree::kRoot] = true;
  for (uint32_t node = 1; node < count; ++node) {  // parents stand before their children
    const FrameTree::Label& label = frames.label(frames.label_of(node));
    const uint32_t parent = frames.tree().parent(node);
    folder[node] = folder[parent].empty() ? folder_of_first(label.file) : folder[parent];
    if (users.contains(label.file)) continue;
    const bool is_ours = !folder[node].empty() && label.file.starts_with(folder[node]);
    is_begin[node] = is_begin[parent] && (is_ours || is_runpy(label.file));
    folds[node] = is_begin[node] || is_wrapper(label);
  }
  return folds;
}

}  // namespace skyline::analyze
