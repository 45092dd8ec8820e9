// Tells when source files of a project change.
//
// The kernel tells (inotify) where it can. Where it cannot - other machines may write to network file
// systems, the number of watches is limited - files are looked at again and again (polling). A save is often
// several steps (write aside, rename; several files at once), so changes are given out once nothing more has
// come for a while.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace skyline::session {

struct WatchOptions {
  bool is_polling_forced = false;
  std::chrono::milliseconds settle{30};        // without a change, until changes are given out
  std::chrono::milliseconds settle_most{300};  // since the first change, even if they go on
  std::chrono::milliseconds poll_every{500};   // or twenty times what one look takes, if that is more
  size_t most_folders = 8192;                  // watched by the kernel; with more folders, polling
};

inline constexpr size_t kAnyTimes = ~size_t{0};

struct FileChange {
  std::string path;  // absolute
  // How often it was written, moved or removed. 0: it was found in a new folder, perhaps too late to see it
  // being written; kAnyTimes: it was found changed.
  size_t times = 0;

  bool operator==(const FileChange&) const = default;
};

class FileWatcher {
 public:
  // Watches what ProjectFiles says is source. The root must be a folder now; it may go and come back later.
  static Result<FileWatcher> start(const std::string& root, const WatchOptions& options = {});

  FileWatcher(FileWatcher&&) noexcept;
  FileWatcher& operator=(FileWatcher&&) noexcept;
  ~FileWatcher();

  // Readable when changed() should be called.
  int descriptor() const;

  // Files, sorted, that came, went or were written since the last call, and folders that were moved away;
  // empty while a burst goes on. The root itself: anything may have changed. Never waits.
  std::vector<FileChange> changed();
  // The same of all that has happened until now, in the middle of a burst, too.
  std::vector<FileChange> changed_by_now();

  // Why files are looked at again and again; empty: the kernel tells.
  const std::string& why_polling() const;
  size_t folder_count() const;

 private:
  class State;
  explicit FileWatcher(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace skyline::session
