// What a session has found, as messages. Paths stay as the session names them, absolute.
#pragma once

#include <cstdint>
#include <vector>

#include "serve/messages/protocol.h"
#include "session/session.h"

namespace skyline::serve {

protocol::SessionState to_message(const session::SessionView& view,
                                  std::vector<protocol::HistoryEntry> history);

// `batch_size_is_given`: on the command line, so that an edit of the source would change nothing.
inline constexpr const char* kGivenBatchSize =
    "the batch size was given with --batch-size; leave that out to edit the one in the source";
protocol::SessionResult to_message(const session::ProfileResult& result, uint64_t save,
                                   bool batch_size_is_given);

// One line of the history: what is known of the view's newest profile.
protocol::HistoryEntry history_entry(const session::SessionView& view);

}  // namespace skyline::serve
