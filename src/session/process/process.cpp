#include "session/process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "base/folder_names.h"

extern char** environ;

namespace skyline::session {
namespace {

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

constexpr std::string_view kMark = "SKYLINE_TASK=";

std::vector<std::string> environment_of(const Launch& what) {
  std::vector<std::string> texts;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = text.starts_with(kMark);
    for (const auto& [name, value] : what.environment) {
      replaced |= text.starts_with(name) && text.substr(name.size()).starts_with("=");
    }
    if (!replaced) texts.emplace_back(text);
  }
  for (const auto& [name, value] : what.environment) texts.push_back(name + "=" + value);
  return texts;
}

// A word in the environment of a process, which all below it inherit: by it they are known even when their
// parents are gone.
std::string new_mark() {
  static std::atomic<int> count = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{}{}.{}.{}", kMark, ::getpid(), now.count(), ++count);
}

// In the child, between fork and exec: system calls only.
[[noreturn]] void become(const Launch& what, char* const* words, char* const* environment, pid_t parent) {
  ::setsid();
  if (what.dies_with_us) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // its orphans stay below it, where kill() finds them
  if (::getppid() != parent) ::_exit(127);      // it went before we could ask to be told
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  if (what.output >= 0) ::dup2(what.output, STDOUT_FILENO);
  if (what.error >= 0) ::dup2(what.error, STDERR_FILENO);
  // Nothing else: a server's sockets, say, would stay open as long as user code runs.
  ::close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
  for (const int descriptor : what.descriptors) ::fcntl(descriptor, F_SETFD, 0);
  ::execvpe(words[0], words, environment);
  ::_exit(127);
}

// pid (name) state ppid …: the words after the name, which may hold anything. Empty: the process is gone.
std::string stat_after_name(pid_t pid) {
  const std::string text = read_file(fmt::format("/proc/{}/stat", pid));
  const size_t name_end = text.rfind(')');
  return name_end == std::string::npos ? "" : text.substr(name_end + 1);
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> processes;
  for (const std::string& name : names_if_any("/proc")) {
    const int number = std::atoi(name.c_str());
    if (number > 0) processes.push_back(number);
  }
  return processes;
}

// A process and all below it, in whatever session they are.
std::vector<pid_t> with_descendants(pid_t pid) {
  std::multimap<pid_t, pid_t> children;
  for (const pid_t each : all_processes()) {
    std::istringstream fields(stat_after_name(each));
    std::string state;
    pid_t parent = 0;
    if (fields >> state >> parent) children.emplace(parent, each);
  }
  std::vector<pid_t> tree = {pid};
  for (size_t i = 0; i < tree.size(); ++i) {
    const auto [begin, end] = children.equal_range(tree[i]);
    for (auto child = begin; child != end; ++child) tree.push_back(child->second);
  }
  return tree;
}

bool has_mark(pid_t pid, const std::string& mark) {
  const std::string variables = '\0' + read_file(fmt::format("/proc/{}/environ", pid));
  return variables.find('\0' + mark + '\0') != std::string::npos;
}

// Orphans in sessions of their own. New ones may come while we look, hence again.
void kill_marked(const std::string& mark) {
  constexpr int kMostRounds = 5;
  bool found = true;
  for (int round = 0; found && round < kMostRounds; ++round) {
    found = false;
    for (const pid_t pid : all_processes()) {
      found |= has_mark(pid, mark) && ::kill(pid, SIGKILL) == 0;
    }
  }
}

class Child : public Task {
 public:
  Child(pid_t pid, Descriptor watch, std::string mark)
      : pid_(pid), watch_(std::move(watch)), mark_(std::move(mark)) {}
  ~Child() override {
    if (end_) return;
    kill();
    ::waitpid(pid_, nullptr, 0);
    kill_marked(mark_);  // it may have gone before us, and left others behind
  }

  pid_t pid() const override { return pid_; }
  int descriptor() const override { return watch_.get(); }

  std::optional<ProcessEnd> ended() override {
    int status = 0;
    siginfo_t info{};
    const bool has_ended =
        !end_ && ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_;
    // What it has left behind in its group; until it is waited for nobody else can have its number.
    if (has_ended) ::kill(-pid_, SIGKILL);
    if (has_ended && ::waitpid(pid_, &status, WNOHANG) == pid_) {
      end_ = WIFSIGNALED(status) ? ProcessEnd{.signal = signal_name(WTERMSIG(status))}
                                 : ProcessEnd{.code = WEXITSTATUS(status)};
      kill_marked(mark_);
    }
    return end_;
  }

  void kill() override {
    if (end_) return;
    const std::vector<pid_t> tree = with_descendants(pid_);
    ::kill(-pid_, SIGKILL);  // its group: it began as the leader of one
    for (const pid_t each : tree) ::kill(each, SIGKILL);
  }

 private:
  pid_t pid_;
  Descriptor watch_;
  std::string mark_;
  std::optional<ProcessEnd> end_;
};

}  // namespace

Result<std::unique_ptr<Task>> launch(const Launch& what) {
  const std::string mark = new_mark();
  std::vector<std::string> words = what.words, environment = environment_of(what);
  environment.push_back(mark);
  const std::vector<char*> word_pointers = pointers_to(words),
                           environment_pointers = pointers_to(environment);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid < 0) return system_error("cannot start a process");
  if (pid == 0) become(what, word_pointers.data(), environment_pointers.data(), parent);
  Descriptor watch(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  return std::unique_ptr<Task>(new Child(pid, std::move(watch), mark));
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("cannot make a pipe");
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

Result<std::pair<Descriptor, Descriptor>> make_socket_pair(int type) {
  int ends[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) return system_error("cannot make a socket");
  return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

Error system_error(const std::string& what) { return {fmt::format("{}: {}", what, std::strerror(errno))}; }

std::string read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  ssize_t count = 0;
  while (file.is_open() && (count = ::read(file.get(), buffer, sizeof(buffer))) > 0) {
    text.append(buffer, static_cast<size_t>(count));
  }
  return text;
}

bool is_stopped(pid_t pid) {
  std::istringstream fields(stat_after_name(pid));
  std::string state;
  return fields >> state && state == "T";
}

std::optional<int64_t> processor_time_ns(pid_t pid) {
  std::istringstream fields(stat_after_name(pid));
  std::string skipped;
  int64_t user = 0, system = 0;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  if (!(fields >> user >> system)) return std::nullopt;
  return (user + system) * (1'000'000'000 / ::sysconf(_SC_CLK_TCK));
}

std::optional<int64_t> processes_killed_for_memory() {
  std::istringstream counts(read_file("/proc/vmstat"));
  std::string name;
  for (int64_t count = 0; counts >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return std::nullopt;
}

}  // namespace skyline::session
