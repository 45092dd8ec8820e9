#include "session/process/zygote.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace skyline::session {
namespace {

constexpr size_t kMessageBytes = 1 << 20;
constexpr int kStartTimeoutMs = 10'000;  // of a fork, which takes milliseconds
constexpr int kStartSliceMs = 100;
constexpr int kEndTimeoutMs = 2'000;  // then it is killed
constexpr size_t kMaxDescriptors = 8;

}  // namespace

// Ended when the zygote says so, or is gone itself.
class Zygote::Copy : public Task {
 public:
  Copy(Zygote& zygote, int64_t number, pid_t pid) : zygote_(zygote), number_(number), pid_(pid) {}
  ~Copy() override { kill(); }

  pid_t pid() const override { return pid_; }
  int descriptor() const override { return zygote_.descriptor(); }

  std::optional<ProcessEnd> ended() override {
    zygote_.receive();
    const auto told = zygote_.ended_.find(number_);
    if (told != zygote_.ended_.end()) return told->second;
    if (zygote_.is_gone()) return ProcessEnd{.signal = "SIGKILL", .with_parent = true};
    return std::nullopt;
  }

  void kill() override {
    if (!ended()) zygote_.send(stop_task_command({number_}), {});
  }

 private:
  Zygote& zygote_;
  const int64_t number_;
  const pid_t pid_;
};

Result<std::unique_ptr<Zygote>> Zygote::start(const PythonLaunch& python,
                                              const std::vector<std::string>& preload) {
  SKYLINE_TRY(auto sockets, make_socket_pair(SOCK_SEQPACKET));
  SKYLINE_TRY(Pipe errors, make_pipe());
  std::vector<std::string> words = {std::to_string(sockets.second.get())};
  words.insert(words.end(), preload.begin(), preload.end());
  Launch what = python_launch(python, "skyline._zygote:main", words);
  what.descriptors = {sockets.second.get()};
  what.dies_with_us = false;  // it has others to end first
  what.output = what.error = errors.write.get();
  SKYLINE_TRY(std::unique_ptr<Task> process, launch(what));
  return std::unique_ptr<Zygote>(
      new Zygote(std::move(process), std::move(sockets.first), OutputTail(std::move(errors.read))));
}

Zygote::~Zygote() {
  control_.close();
  pollfd waiting = {process_->descriptor(), POLLIN, 0};
  ::poll(&waiting, 1, kEndTimeoutMs);
}

void Zygote::receive() {
  std::string message(kMessageBytes, '\0');
  bool has_ended = false;
  while (!gone_) {
    const ssize_t size = ::recv(control_.get(), message.data(), message.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && !has_ended) {
      has_ended = process_->ended().has_value();
      if (!has_ended) return;
      continue;  // what it sent before it went still counts
    }
    if (size <= 0) return give_up(end_);
    const Result<ZygoteMessage> parsed =
        parse_zygote_message(std::string_view(message.data(), static_cast<size_t>(size)));
    if (parsed.ok()) take(parsed.value());  // else it is one of ours all the same; a message of a newer kind
  }
}

void Zygote::take(const ZygoteMessage& message) {
  if (const auto* ready = std::get_if<ZygoteReady>(&message)) {
    ready_ = *ready;
    importing_.clear();
  }
  if (const auto* taint = std::get_if<ZygoteTainted>(&message)) taint_ = *taint;
  if (const auto* importing = std::get_if<ZygoteImporting>(&message)) {
    importing_ = importing->module;
    importing_since_ = std::chrono::steady_clock::now();
  }
  if (const auto* started = std::get_if<TaskStarted>(&message)) started_[started->number] = started->pid;
  if (const auto* ended = std::get_if<TaskEnded>(&message)) ended_[ended->number] = end_of(*ended);
  if (const auto* gone = std::get_if<ZygoteGone>(&message)) {
    end_ = end_of(*gone);
    is_end_known_ = true;
  }
}

// Nothing of it is left afterwards.
void Zygote::give_up(const ProcessEnd& end) {
  gone_ = true;
  end_ = end;
  pollfd waiting = {process_->descriptor(), POLLIN, 0};
  if (::poll(&waiting, 1, is_end_known_ ? kEndTimeoutMs : kStartSliceMs) == 0) process_->kill();
  ::poll(&waiting, 1, kEndTimeoutMs);
  const std::optional<ProcessEnd> ended = process_->ended();
  if (ended && !is_end_known_ && end_.signal.empty()) end_ = *ended;
}

std::string Zygote::last_words() {
  errors_.read();
  return errors_.last_line();
}

Result<std::unique_ptr<Task>> Zygote::start_task(std::string_view function,
                                                 const std::vector<int>& descriptors) {
  const int64_t number = ++last_number_;
  const StartTask start = {.number = number, .task = std::string(function), .arguments = {}, .threads = {}};
  if (!send(start_task_command(start), descriptors)) {
    const Error error = system_error("cannot ask for a copy of Python");
    receive();
    if (!gone_) give_up({});
    return error;
  }
  for (int waited_ms = 0; !started_.contains(number); waited_ms += kStartSliceMs) {
    pollfd waiting = {control_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kStartSliceMs) == 0 &&
        (waited_ms > kStartTimeoutMs || is_stopped(process_->pid()))) {
      give_up({.signal = "SIGSTOP"});
    }
    receive();
    if (gone_ && !started_.contains(number))
      return Error{fmt::format("the Python process has ended: {}", last_words())};
  }
  return std::unique_ptr<Task>(new Copy(*this, number, static_cast<pid_t>(started_.at(number))));
}

bool Zygote::send(const std::string& message, const std::vector<int>& descriptors) {
  iovec part = {const_cast<char*>(message.data()), message.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> control{};
  if (!descriptors.empty()) {
    CHECK(descriptors.size() <= kMaxDescriptors);
    const size_t bytes = descriptors.size() * sizeof(int);
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* const rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(rights), descriptors.data(), bytes);
  }
  return ::sendmsg(control_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

}  // namespace skyline::session
