#include "session/process/worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "session/project/project_files.h"

namespace skyline::session {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSliceMs = 200;
constexpr int64_t kEndNs = 10'000'000'000;  // for a process that was killed
constexpr size_t kMaxAnswer = 64 << 20;
constexpr int kCompilePatience = 10;  // times the usual

int64_t elapsed_since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

// Notices when a process hardly uses the processor; threads of ours that look around now and then do not
// count.
class StallWatch {
 public:
  explicit StallWatch(pid_t pid) : pid_(pid) { begin_again(); }

  // For how long it has done next to nothing.
  int64_t idle_ns() {
    const int64_t used = processor_time_ns(pid_).value_or(0) - used_before_ns_;
    if (used > elapsed_since(begin_) / kIdleShare) begin_again();
    return elapsed_since(begin_);
  }

 private:
  static constexpr int64_t kIdleShare = 20;

  void begin_again() {
    begin_ = Clock::now();
    used_before_ns_ = processor_time_ns(pid_).value_or(0);
  }

  pid_t pid_;
  Clock::time_point begin_;
  int64_t used_before_ns_ = 0;
};

std::string text_in(int descriptor) {
  std::string text;
  char buffer[4096];
  for (off_t at = 0;;) {
    const ssize_t count = ::pread(descriptor, buffer, sizeof(buffer), at);
    if (count <= 0) return text;
    text.append(buffer, static_cast<size_t>(count));
    at += count;
  }
}

bool is_compiling(std::string_view stack) {
  return stack.find("torch/_dynamo/") != stack.npos || stack.find("torch/_inductor/") != stack.npos;
}

// Below a keeper: what the code does to its parent must not be done to us.
Result<std::unique_ptr<Task>> launch_fresh(const PythonLaunch& python, const std::vector<int>& descriptors,
                                           int out) {
  std::vector<std::string> words;
  for (const int descriptor : descriptors) words.push_back(std::to_string(descriptor));
  Launch what = python_launch(python, "skyline._keeper:main", words);
  what.descriptors = descriptors;
  what.dies_with_us = false;  // it has others to end first
  what.output = what.error = out;
  return launch(what);
}

std::vector<int> with_outputs(const std::vector<int>& descriptors, int out) {
  std::vector<int> all = {out, out};
  all.insert(all.end(), descriptors.begin(), descriptors.end());
  return all;
}

// Seconds for people.
std::string seconds(int64_t ns) { return fmt::format("{} s", ns / 1'000'000'000); }

}  // namespace

Worker::Worker(Descriptor control, Descriptor dump, OutputTail output) noexcept
    : control_(std::move(control)), dump_(std::move(dump)), output_(std::move(output)) {}

// What it does until then is its own doing, and the next one should have the machine for itself.
Worker::~Worker() {
  if (task_ == nullptr) return;
  task_->kill();
  const Clock::time_point begin = Clock::now();
  while (!task_->ended() && elapsed_since(begin) < kEndNs) {
    pollfd waiting = {task_->descriptor(), POLLIN, 0};
    ::poll(&waiting, 1, kSliceMs);
  }
}

Attempt<std::unique_ptr<Worker>> Worker::start(const PythonLaunch& python, Zygote* zygote, int doings,
                                               const std::string& log) {
  const auto ours = [](const Error& error) { return Trouble{Trouble::Kind::kOurs, error.sentence}; };
  auto sockets = make_socket_pair(SOCK_STREAM);
  if (!sockets.ok()) return ours(sockets.error());
  auto pipe = make_pipe();
  if (!pipe.ok()) return ours(pipe.error());
  Descriptor dump(::memfd_create("skyline-stack", MFD_CLOEXEC));
  auto [our_end, their_end] = std::move(sockets).value();
  const int out = pipe.value().write.get(), dump_number = dump.get(), control = their_end.get();
  std::unique_ptr<Worker> worker(
      new Worker(std::move(our_end), std::move(dump), OutputTail(std::move(pipe.value().read), log)));
  worker->is_fresh_ = zygote == nullptr;
  std::vector<int> descriptors = {control, dump_number};
  if (doings >= 0) descriptors.push_back(doings);
  auto task = zygote == nullptr ? launch_fresh(python, descriptors, out)
                                : zygote->start_task("skyline.worker:main", with_outputs(descriptors, out));
  if (!task.ok()) return ours(task.error());
  worker->task_ = std::move(task).value();
  return worker;
}

Attempt<Loaded> Worker::load(Load what, const Interruption& interruption) {
  project_root_ = what.project_root;
  what.endings = {std::begin(kSourceEndings), std::end(kSourceEndings)};
  SKYLINE_TRY(const std::string answer,
              call(load_command(what), "loading the entry point and its model", interruption));
  Attempt<Loaded> loaded = parse_loaded(answer);
  if (loaded.ok() || loaded.error().sentence.find("sys.exit(") == std::string::npos) return loaded;
  // Such as the complaint of argparse.
  output_.read();
  Trouble trouble = loaded.error();
  if (const std::string last = output_.last_line(); !last.empty()) {
    trouble.sentence += fmt::format("; it said last: {}", last);
  }
  return trouble;
}

Attempt<Iterated> Worker::iterate(int64_t batch_size, int64_t count, int64_t limit_ns,
                                  const Interruption& interruption) {
  SKYLINE_TRY(const std::string answer,
              call(iterate_command({batch_size, count, limit_ns}),
                   fmt::format("an iteration with batch size {}", batch_size), interruption));
  return parse_iterated(answer);
}

Attempt<MemoryKept> Worker::keep_memory(const Interruption& interruption) {
  SKYLINE_TRY(const std::string answer, call(keep_memory_command(), "keeping freed memory", interruption));
  return parse_kept(answer);
}

Attempt<Recording> Worker::record(const std::string& recording, RecordedKind what,
                                  const Interruption& interruption) {
  SKYLINE_TRY(const std::string answer,
              call(record_command({recording, what}), "starting to record", interruption));
  return parse_recording(answer);
}

Attempt<Recorded> Worker::stop_recording(const Interruption& interruption) {
  SKYLINE_TRY(const std::string answer, call(stop_recording_command(), "ending the recording", interruption));
  return parse_recorded(answer);
}

Attempt<std::string> Worker::call(const std::string& command, std::string_view what,
                                  const Interruption& interruption) {
  send(command);  // if that fails, its end is noticed below
  const Clock::time_point begin = Clock::now();
  StallWatch stall(task_->pid());
  std::string answer;
  std::optional<ProcessEnd> end;
  for (int64_t patience = interruption.patience_ns;;) {
    // The end first, the answer second: what it said before it went still counts.
    end = task_->ended();
    if (take_answer(answer)) return answer;
    if (end) return tell_end(*end, what);
    if (interruption.is_due && interruption.is_due())
      return Trouble{Trouble::Kind::kInterrupted, "interrupted"};
    if (!is_fresh_ && stall.idle_ns() > interruption.stall_ns) {
      return Trouble{Trouble::Kind::kStalled, fmt::format("{} does nothing", what)};
    }
    if (const int64_t waited = elapsed_since(begin); waited > patience) {
      if (!is_compiling(stack_now()) || waited > kCompilePatience * interruption.patience_ns) {
        return tell_stuck(what, waited);
      }
      patience += interruption.patience_ns;
    }
    std::vector<pollfd> waiting = {{control_.get(), POLLIN, 0}, {task_->descriptor(), POLLIN, 0}};
    if (output_.descriptor() >= 0) waiting.push_back({output_.descriptor(), POLLIN, 0});
    for (const int descriptor : interruption.descriptors) waiting.push_back({descriptor, POLLIN, 0});
    ::poll(waiting.data(), waiting.size(), kSliceMs);
    output_.read();
    if (interruption.on_wait) interruption.on_wait();
  }
}

bool Worker::send(const std::string& command) {
  size_t sent = 0;
  while (sent < command.size()) {
    const ssize_t count = ::send(control_.get(), command.data() + sent, command.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<size_t>(count);
  }
  return true;
}

// Whether a whole line is there.
bool Worker::take_answer(std::string& answer) {
  char buffer[64 << 10];
  while (received_.size() < kMaxAnswer) {
    const ssize_t count = ::recv(control_.get(), buffer, sizeof(buffer), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    received_.append(buffer, static_cast<size_t>(count));
  }
  const size_t end = received_.find('\n');
  if (end == std::string::npos) return false;
  answer = received_.substr(0, end);
  received_.erase(0, end + 1);
  return true;
}

// Only the system knows; it counts whom it kills, and where it does not, memory is the usual reason.
bool Worker::has_memory_run_out(const ProcessEnd& end) const {
  const std::optional<int64_t> killed = processes_killed_for_memory();
  return end.signal == "SIGKILL" && (!killed || killed != killed_before_);
}

Trouble Worker::tell_end(const ProcessEnd& end, std::string_view what) {
  output_.read();
  const StackPlace place = place_in_stack(text_in(dump_.get()), project_root_);
  std::string how = fmt::format("ended with exit code {}", end.code);
  const bool is_out_of_memory = has_memory_run_out(end);
  if (end.with_parent) {
    how = "was ended because its parent process is gone";
  } else if (is_out_of_memory) {
    how = "was killed by the system, most likely because memory ran out";
  } else if (end.signal == "SIGKILL") {
    how = "was killed by somebody, with SIGKILL";
  } else if (!end.signal.empty()) {
    how = fmt::format("crashed with {}", end.signal);
  }
  const std::string last = output_.last_line();
  return {Trouble::Kind::kEnded,
          fmt::format("the process {} during {}{}", how, what,
                      last.empty() ? "" : fmt::format("; it said last: {}", last)),
          place.path, place.line, is_out_of_memory};
}

Trouble Worker::tell_stuck(std::string_view what, int64_t waited_ns) {
  const StackPlace place = place_in_stack(stack_now(), project_root_);
  return {Trouble::Kind::kStuck,
          fmt::format("{} has not ended after {}{}", what, seconds(waited_ns),
                      place.path.empty() ? "" : "; it stands here"),
          place.path, place.line};
}

std::string Worker::stack_now() {
  constexpr int kTries = 20;
  if (::ftruncate(dump_.get(), 0) != 0 || ::lseek(dump_.get(), 0, SEEK_SET) != 0) return {};
  if (::kill(task_->pid(), SIGUSR1) != 0) return {};
  std::string text;
  for (int i = 0; i < kTries && text.find("File ") == text.npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    text = text_in(dump_.get());
  }
  return text;
}

// Lines are like `  File "/home/me/model.py", line 12 in forward`, the innermost first.
StackPlace place_in_stack(std::string_view dump, std::string_view project_root) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ";
  for (size_t at = dump.find(kFile); at != dump.npos; at = dump.find(kFile, at)) {
    at += kFile.size();
    const size_t end = dump.find(kLine, at);
    if (end == dump.npos) break;
    const std::string_view path = dump.substr(at, end - at);
    at = end + kLine.size();
    const bool inside = path.starts_with(project_root) && path.substr(project_root.size()).starts_with("/");
    if (!inside || path.find("/site-packages/") != path.npos) continue;
    int64_t line = 0;
    for (; at < dump.size() && dump[at] >= '0' && dump[at] <= '9'; ++at) line = line * 10 + (dump[at] - '0');
    return {std::string(path), line};
  }
  return {};
}

}  // namespace skyline::session
