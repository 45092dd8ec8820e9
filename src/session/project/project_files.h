// Which files under a project's root are its source: those whose change makes older results stale.
//
// Left out: hidden files and folders, __pycache__, node_modules, site-packages, venv, every folder that holds
// a virtual environment (pyvenv.cfg), and what the root's .gitignore names. Of .gitignore only this is
// understood: names and paths with * and ?, anchored by a slash or not, ending in one or not. Lines with ! or
// [ are passed over, and so are .gitignore files deeper in the tree. Folders behind symbolic links are not
// entered.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace skyline::session {

// Python, the settings it is given, and what torch compiles on import. Not .json, .txt or .csv: programs
// write those, too, and a profile that writes one would start the next profile, and that the next, without
// end.
inline constexpr std::string_view kSourceEndings[] = {
    ".py", ".pyi", ".toml", ".yaml", ".yml", ".cfg", ".ini", ".cpp", ".cc", ".cu", ".cuh", ".h", ".hpp"};

class ProjectFiles {
 public:
  explicit ProjectFiles(std::string root);

  const std::string& root() const { return root_; }

  // Paths are relative to the root, without a slash at either end; the root itself is "". Of the path only
  // the last part is judged: walk() does not come to what is in a folder that is left out.
  bool has_file(std::string_view path) const;
  bool has_folder(std::string_view path) const;

  std::string absolute(std::string_view path) const;

  // Calls for `folder`, if the project has it, and all below it, nearest first; before a folder is listed it
  // is given to on_folder, which ends the walk by returning false. False: the walk was ended.
  bool walk(const std::string& folder, const std::function<bool(const std::string&)>& on_folder,
            const std::function<void(const std::string&)>& on_file) const;

 private:
  struct Ignored {
    std::string pattern;
    bool is_anchored = false;  // matches the whole path, not the last part
    bool is_folder_only = false;
  };

  void read_gitignore();
  bool is_ignored(std::string_view path, bool is_folder) const;

  std::string root_;
  std::vector<Ignored> ignored_;
};

// Whether the text matches a pattern in which * stands for anything but slashes and ? for one such character.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace skyline::session
