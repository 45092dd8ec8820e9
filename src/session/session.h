// The door of session: an entry point is profiled, and again after every save, until somebody says stop.
//
//   Session session(options, [](const SessionView& view) { draw(view); });
//   session.run();                                                 // on this thread; stop() from any other
//
// Views are whole and immutable: what a listener has got stays true for its number.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/evaluate.h"
#include "session/process/trouble.h"
#include "session/process/which_python.h"
#include "session/profile/batch_edit.h"
#include "session/profile/headline.h"
#include "session/profile/live_evidence.h"
#include "session/profile/page_faults.h"
#include "session/profile/profile_options.h"
#include "session/profile/profile_result.h"
#include "session/project/project_files.h"
#include "session/project/project_paths.h"
#include "session/project/source_edit.h"
#include "session/session_options.h"

namespace skyline::session {

enum class SessionState : uint8_t {
  kStarting,   // Python is not ready yet
  kProfiling,  // see `progress`
  kIdle,       // waiting for a save; `result` is of the newest one unless `trouble` says why not
};

struct SessionView {
  SessionState state = SessionState::kStarting;
  uint64_t save = 0;  // number of the profile: 1, 2, …
  Progress progress = {"starting Python", 0};
  int64_t in_phase_ns = 0;                      // how long the phase lasts by now
  std::shared_ptr<const ProfileResult> result;  // the newest that is known, also while the next one is made
  uint64_t result_save = 0;                     // the profile it belongs to
  bool is_stale = false;                        // files have changed since `result` was begun
  bool is_unsaved = false;                      // an editor holds changes that are not in the files
  std::optional<Trouble> trouble;               // of profile `save`
  std::string note;                             // "ran in a fresh process, because …", "cancelled"
  std::string output_log;                       // holds what a script prints; empty: no script
  std::vector<std::string> changed;             // the files whose save began this profile
};

using SessionListener = std::function<void(const SessionView&)>;

class Session {
 public:
  // The listener is called on the thread of run().
  Session(SessionOptions options, SessionListener listener);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Until stop(), or after one profile. Fails when Python cannot be had.
  Status run();

  // From any thread, also from a signal handler.
  void stop();
  void profile_again();
  // Ends the profile that runs, if one does, and begins no other: what it has found so far stays.
  void cancel();
  // An editor's notice.
  void set_unsaved(bool is_unsaved);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace skyline::session
