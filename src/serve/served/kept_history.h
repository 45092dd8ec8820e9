// The profiles of a project's sessions, in a file of the user's cache: one line of JSON each, the oldest
// first.
#pragma once

#include <string>
#include <vector>

#include "serve/messages/protocol.h"

namespace skyline::serve {

inline constexpr size_t kMostKeptProfiles = 200;

// Lines that cannot be read are left out. All are marked as of a session before.
std::vector<protocol::HistoryEntry> read_history(const std::string& path);

// In the place of what is there; the newest kMostKeptProfiles of those that have a result. Of no weight if it
// fails.
void keep_history(const std::string& path, const std::vector<protocol::HistoryEntry>& history);

}  // namespace skyline::serve
