#include "session/process/brief_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace skyline::session {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kMostOutput = 64 * 1024;
// How long a process that has ended may go unnoticed, if one of its children still holds the pipe.
constexpr milliseconds kLookEvery{20};

// Starts the program with its output in the pipe; errno on failure.
int start(const std::vector<std::string>& command, int output, pid_t& process) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t all, none;
  ::sigfillset(&all);
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  const int failed = ::posix_spawn(&process, words[0], &files, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return failed;
}

// Takes what is there; false: nothing more will come.
bool take(int pipe, std::string& output) {
  char buffer[4096];
  while (true) {
    const ssize_t size = ::read(pipe, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    // Beyond the limit it is read all the same, so that the process is not held up.
    output.append(buffer, std::min(static_cast<size_t>(size), kMostOutput - output.size()));
  }
}

}  // namespace

BriefProcess run_briefly(const std::vector<std::string>& command, milliseconds most) {
  const Clock::time_point end = Clock::now() + most;
  BriefProcess result;
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) {
    result.code = errno;
    return result;
  }
  ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
  pid_t process = -1;
  result.code = start(command, pipe[1], process);
  ::close(pipe[1]);
  if (result.code != 0) {
    ::close(pipe[0]);
    return result;
  }

  int status = 0;
  bool is_open = true, has_ended = false;
  while (!has_ended && Clock::now() < end) {
    pollfd waiting{.fd = is_open ? pipe[0] : -1, .events = POLLIN, .revents = 0};
    ::poll(&waiting, 1, static_cast<int>(is_open ? kLookEvery.count() : 1));
    is_open = is_open && take(pipe[0], result.output);
    has_ended = ::waitpid(process, &status, WNOHANG) == process;
  }
  if (!has_ended) {
    ::kill(-process, SIGKILL);
    ::waitpid(process, &status, 0);
  }
  if (is_open) take(pipe[0], result.output);
  ::close(pipe[0]);

  result.end = !has_ended          ? BriefProcess::End::kTimedOut
               : WIFEXITED(status) ? BriefProcess::End::kExited
                                   : BriefProcess::End::kKilled;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  return result;
}

std::string how_it_ended(const BriefProcess& process) {
  switch (process.end) {
    case BriefProcess::End::kExited:
      return "ended with exit code " + std::to_string(process.code);
    case BriefProcess::End::kKilled:
      return std::string("was ended by a signal: ") + ::strsignal(process.code);
    case BriefProcess::End::kTimedOut:
      return "did not answer in time";
    case BriefProcess::End::kNotStarted:
      return std::string("could not be started: ") + std::strerror(process.code);
  }
  return "";
}

}  // namespace skyline::session
