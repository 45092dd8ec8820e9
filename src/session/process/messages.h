// What the session's Python processes send (python/skyline/_zygote.py, _doings.py, worker.py): JSON, one
// object per message, as protocol/worker.protocol declares it. It is checked field by field; anything else is
// an error.
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

using ZygoteMessage =
    std::variant<ZygoteReady, ZygoteTainted, ZygoteImporting, TaskStarted, TaskEnded, ZygoteGone>;

Result<ZygoteMessage> parse_zygote_message(std::string_view text);

// Of TaskEnded and ZygoteGone.
template <typename Message>
ProcessEnd end_of(const Message& message) {
  return {.code = static_cast<int>(message.code.value_or(0)), .signal = message.signal.value_or("")};
}

// ---- From the user's code, as it runs (python/skyline/_doings.py). ------------------------------

using Doing = std::variant<WritesFile, StartsPrograms, KillsParent>;

Result<Doing> parse_doing(std::string_view text);

// ---- From a worker. ---------------------------------------------------------------------------

Attempt<Loaded> parse_loaded(std::string_view answer);
Attempt<Iterated> parse_iterated(std::string_view answer);
Attempt<MemoryKept> parse_kept(std::string_view answer);
Attempt<Recording> parse_recording(std::string_view answer);
Attempt<Recorded> parse_recorded(std::string_view answer);

}  // namespace skyline::session
