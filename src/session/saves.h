// Saves: which changes of files are somebody's saves, for which a profile must begin, and which are the doing
// of the code that is being profiled.
//
// The system tells that a file has changed, never who did it. The code tells before it writes a file
// (WritesFile), so as many changes as it has announced are its own; one more, and an editor has saved as
// well. A change that was not announced is a save, which cuts the run short. But programs that the code
// starts announce nothing. So a file that changes in the third run in a row, in the same phase, no longer
// cuts it short: it begins another run after this one. If that happens once more and the code does start
// programs, it is their doing. While nothing runs every change is a save.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "session/process/messages.h"
#include "session/project/watch_files.h"

namespace skyline::session {

class Saves {
 public:
  // Looks for files that cannot be read, too; see note().
  explicit Saves(std::string project_root);

  void begin_run();
  void receive(const Doing& doing);
  // Changes during a phase of the run, after all that it has announced was received; or while nothing runs.
  void take(const std::vector<FileChange>& changes, std::string_view phase);
  // The processes of the run are gone, and all that they have changed has been taken.
  void end_run();

  bool has_any() const { return !saves_.empty(); }
  std::vector<std::string> take_all() { return std::exchange(saves_, {}); }

  // "your code changes version.py each time", "data.py is left out: it is a device"; empty: nothing to say.
  std::string note() const;
  // What the run's code has done to its parent.
  const std::optional<KillsParent>& kill() const { return kill_; }

 private:
  // Runs in a row that have changed a file.
  struct Streak {
    uint64_t run = 0;
    std::string_view phase = {};
    int length = 0;
  };
  using Streaks = std::map<std::string, Streak>;  // by path, numbers in it left out

  bool is_save(const FileChange& change, std::string_view phase);
  bool cuts_short(const std::string& path, std::string_view phase);
  bool take_announced(const FileChange& change);
  const Streak& continue_streak(Streaks& streaks, const std::string& path, std::string_view phase) const;
  std::optional<std::string> hash_of(const std::string& path);

  const std::string project_root_;
  std::vector<std::string> saves_, later_;     // later: when the run is over
  std::map<std::string, std::string> hashes_;  // of files that have changed, by path
  std::map<std::string, std::string> left_out_;
  // Of this run:
  uint64_t run_ = 0;
  bool is_running_ = false, has_programs_ = false;
  std::map<std::string, size_t> announced_;  // changes that have not been seen yet
  std::set<std::string> changed_by_code_;    // not for the first time
  std::optional<KillsParent> kill_;
  // Of all runs:
  Streaks own_, unannounced_;
};

}  // namespace skyline::session
