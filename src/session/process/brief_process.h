// Runs a program that should answer soon, and takes what it prints.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace skyline::session {

struct BriefProcess {
  enum class End { kExited, kKilled, kTimedOut, kNotStarted };
  End end = End::kNotStarted;
  int code = 0;        // exit code, signal, or errno of the failed start
  std::string output;  // of its standard output, at most 64 kB
};

// The program is command[0], a path. It has no input, its errors go nowhere, its environment is ours. When
// the time is over it is killed with all that it started in its process group.
BriefProcess run_briefly(const std::vector<std::string>& command, std::chrono::milliseconds most);

// "ended with exit code 3", "could not be started: Permission denied"
std::string how_it_ended(const BriefProcess& process);

}  // namespace skyline::session
