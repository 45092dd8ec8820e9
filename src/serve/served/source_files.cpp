#include "serve/served/source_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/analyze.h"
#include "base/sha256.h"
#include "serve/served/open_beneath.h"
#include "session/session.h"

namespace skyline::serve {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 10'000;  // that are listed

using Paths = std::vector<std::string>;

std::string hash_of(std::string_view text) { return "sha256:" + sha256(text); }

const SourceFile* recorded(const Trace& trace, const std::string& path) {
  const auto found = std::find_if(trace.sources.begin(), trace.sources.end(),
                                  [&](const SourceFile& source) { return source.path == path; });
  return found == trace.sources.end() ? nullptr : &*found;
}

// How long the folder is that all of them lie in, with its slash.
size_t common_folder(const Paths& paths) {
  if (paths.empty()) return 0;
  // They are sorted, so the first and the last differ the soonest.
  const std::string &first = paths.front(), &last = paths.back();
  const auto end = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
  const std::string_view same(first.data(), static_cast<size_t>(end - first.begin()));
  return same.rfind('/') + 1;  // 0 if there is none
}

// Whether each folder on the way, and the file, is one of the project's.
bool is_of_project(const session::ProjectFiles& files, const std::string& relative) {
  for (size_t slash = relative.find('/'); slash != std::string::npos; slash = relative.find('/', slash + 1)) {
    if (!files.has_folder(std::string_view(relative).substr(0, slash))) return false;
  }
  return files.has_file(relative);
}

}  // namespace

SourceFiles::SourceFiles(std::string source_root, std::string project_root)
    : source_root_(std::move(source_root)), project_root_(std::move(project_root)) {}

std::string SourceFiles::below_source_root(const std::string& path) const {
  if (source_root_.empty() || path.find("..") != std::string::npos) return "";
  std::string_view end = path;
  while (!end.empty()) {
    if (!end.starts_with('/') && is_beneath(source_root_, std::string(end))) return std::string(end);
    const size_t slash = end.find('/');
    end.remove_prefix(slash == std::string_view::npos ? end.size() : slash + 1);
  }
  return "";
}

protocol::Sources SourceFiles::of_trace(const OpenedTrace& opened) const {
  const Paths& paths = opened.analyzed->get<analyze::user_file_paths>();
  const size_t folder = common_folder(paths);
  protocol::Sources sources;
  for (const std::string& path : paths) {
    if (sources.files.size() == kMostFiles) break;
    const SourceFile* kept = recorded(opened.trace(), path);
    const bool has_text = (kept != nullptr && !kept->text.empty()) || !below_source_root(path).empty();
    sources.files.push_back({path, path.substr(folder), kept == nullptr ? "" : kept->hash, has_text});
  }
  return sources;
}

Result<protocol::Source> SourceFiles::of_trace(const OpenedTrace& opened, const std::string& path) const {
  const SourceFile* kept = recorded(opened.trace(), path);
  if (kept != nullptr && !kept->text.empty()) {
    return protocol::Source{path, kept->text, kept->hash, protocol::SourceOrigin::kRecording, {}};
  }
  const Paths& paths = opened.analyzed->get<analyze::user_file_paths>();
  const bool is_named = std::binary_search(paths.begin(), paths.end(), path);
  const std::string relative = is_named ? below_source_root(path) : "";
  if (relative.empty()) {
    if (!source_root_.empty()) return Error{fmt::format("neither the trace nor --source-root has {}", path)};
    return Error{fmt::format(
        "the trace does not hold the text of {}; --source-root FOLDER names a folder with it", path)};
  }
  SKYLINE_TRY(std::string text, read_beneath(source_root_, relative));
  const std::string hash = hash_of(text);
  protocol::Source source{path, std::move(text), hash, protocol::SourceOrigin::kSourceRoot, {}};
  if (kept != nullptr && !kept->hash.empty() && kept->hash != hash) {
    source.note = "the file has changed since it was recorded, so lines may be off";
  }
  return source;
}

Result<protocol::Sources> SourceFiles::of_project() const {
  if (project_root_.empty()) return Error{"there is no session here; name a trace"};
  const session::ProjectFiles files(project_root_);
  Paths found;
  const auto has_room = [&](const std::string&) { return found.size() < kMostFiles; };
  files.walk("", has_room, [&](const std::string& file) { found.push_back(file); });
  std::sort(found.begin(), found.end());
  protocol::Sources sources;
  for (const std::string& file : found) sources.files.push_back({files.absolute(file), file, "", true});
  return sources;
}

Result<protocol::Source> SourceFiles::of_project(const std::string& path) const {
  if (project_root_.empty()) return Error{"there is no session here; name a trace"};
  const std::string relative = session::in_project(fs::path(path).lexically_normal().string(), project_root_);
  if (!is_of_project(session::ProjectFiles(project_root_), relative)) {
    return Error{fmt::format("{} is no source file of the project", path)};
  }
  SKYLINE_TRY(std::string text, read_beneath(project_root_, relative));
  const std::string hash = hash_of(text);
  return protocol::Source{path, std::move(text), hash, protocol::SourceOrigin::kProject, {}};
}

}  // namespace skyline::serve
