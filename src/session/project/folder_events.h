// inotify for a tree of folders: the kernel watches single folders, so each gets a watch of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "session/project/project_files.h"

namespace skyline::session {

// How often each path was written, moved or removed; 0: it was found there, and who knows.
using ChangeCounts = std::map<std::string, size_t>;

class FolderEvents {
 public:
  // At most this many folders are watched.
  FolderEvents(const ProjectFiles& files, size_t most_folders);
  ~FolderEvents();
  FolderEvents(const FolderEvents&) = delete;
  FolderEvents& operator=(const FolderEvents&) = delete;

  // False: watching is no longer possible or no longer complete (limits, the root is gone). What has happened
  // from then on must be found by other means.
  bool is_working() const { return is_working_; }
  int descriptor() const { return descriptor_; }
  size_t folder_count() const { return paths_.size(); }

  // Takes what the kernel has noted and adds relative paths of changed files; never waits. A folder that was
  // moved away is named itself, since nobody remembers what was in it.
  void read(ChangeCounts& changed);

 private:
  void add_tree(const std::string& folder, ChangeCounts* changed);
  bool add_folder(const std::string& folder);
  void remove_tree(const std::string& folder);
  void on_event(int watch, uint32_t mask, const std::string& name, ChangeCounts& changed);

  const ProjectFiles& files_;
  const size_t most_folders_;
  int descriptor_ = -1;
  bool is_working_ = false;
  std::map<int, std::string> paths_;  // of each watch
  std::map<std::string, int> watches_;
};

}  // namespace skyline::session
