#include "ingest/find_traces.h"

#include <algorithm>
#include <filesystem>

#include "base/folder_names.h"
#include "ingest/ingest.h"

namespace skyline::ingest {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {".json", ".json.gz", ".json.zst", ".skyline"};

bool looks_like_trace(const std::string& name) {
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// rank2 before rank10: runs of digits compare by their value.
bool natural_less(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      size_t a_end = i, b_end = j;
      while (a_end < a.size() && is_digit(a[a_end])) ++a_end;
      while (b_end < b.size() && is_digit(b[b_end])) ++b_end;
      std::string_view x = a.substr(i, a_end - i), y = b.substr(j, b_end - j);
      x.remove_prefix(std::min(x.find_first_not_of('0'), x.size()));
      y.remove_prefix(std::min(y.find_first_not_of('0'), y.size()));
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      i = a_end;
      j = b_end;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // equal but for leading zeros
}

// Folders inside are looked into, links to folders are not; what may not be looked into is passed over.
void add_traces_below(const std::string& folder, const std::vector<std::string>& names,
                      std::vector<std::string>& found) {
  for (const std::string& name : names) {
    const std::string path = (fs::path(folder) / name).string();
    std::error_code ignored;
    if (fs::is_directory(fs::symlink_status(path, ignored))) {
      add_traces_below(path, names_if_any(path), found);
    } else if (looks_like_trace(name) && fs::is_regular_file(path, ignored)) {
      found.push_back(path);
    }
  }
}

Status add_folder(const std::string& path, std::vector<std::string>& found) {
  SKYLINE_TRY(const std::vector<std::string> names, names_in(path));
  std::vector<std::string> inside;
  add_traces_below(path, names, inside);
  if (inside.empty()) {
    return Error{"the folder " + path +
                 " holds no traces (*.json, *.json.gz, *.json.zst, *.skyline); name one that does"};
  }
  std::sort(inside.begin(), inside.end(), natural_less);
  found.insert(found.end(), inside.begin(), inside.end());
  return Done{};
}

}  // namespace

Result<std::vector<std::string>> find_traces(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path != "-" && fs::is_directory(path, error)) {
      SKYLINE_TRY(const Done done, add_folder(path, found));
      static_cast<void>(done);
    } else {
      found.push_back(path);
    }
  }
  return found;
}

}  // namespace skyline::ingest
