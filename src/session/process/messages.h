// What the session's Python processes say (python/skyline/_zygote.py, _doings.py, worker.py): JSON, one
// object per message. It is checked field by field; anything else is an error. What a worker is told and what
// it answers is defined in protocol/worker.protocol.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "session/process/process_end.h"
#include "session/process/trouble.h"
#include "session/worker_messages.h"

namespace skyline::session {

// ---- From the zygote. -------------------------------------------------------------------------

struct ZygoteReady {
  std::string python, torch;
};
struct ZygoteTainted {
  std::string module, why;
};
struct TaskStarted {
  int64_t number, pid;
};
struct TaskEnded {
  int64_t number;
  ProcessEnd end;
};
struct ZygoteImporting {
  std::string module;
};
struct ZygoteGone {
  ProcessEnd end;
};
using ZygoteMessage =
    std::variant<ZygoteReady, ZygoteTainted, ZygoteImporting, TaskStarted, TaskEnded, ZygoteGone>;

Result<ZygoteMessage> parse_zygote_message(std::string_view text);

// ---- From the user's code, as it runs (python/skyline/_doings.py). ------------------------------

struct WritesFile {
  std::string path;  // about to be written, renamed or removed
};
struct StartsPrograms {};
struct KillsParent {
  std::string signal;
  std::string path = {};  // the user's line; empty: not known
  int64_t line = 0;
};
using Doing = std::variant<WritesFile, StartsPrograms, KillsParent>;

Result<Doing> parse_doing(std::string_view text);

// ---- From a worker. ---------------------------------------------------------------------------

Attempt<Loaded> parse_loaded(std::string_view answer);
Attempt<Iterated> parse_iterated(std::string_view answer);
Attempt<MemoryKept> parse_kept(std::string_view answer);
Attempt<Recording> parse_recording(std::string_view answer);
Attempt<Recorded> parse_recorded(std::string_view answer);

}  // namespace skyline::session
