#include "session/zygote.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/json_writer.h"

namespace skyline {
namespace {

constexpr size_t kMessageBytes = 1 << 20;
constexpr int kStartTimeoutMs = 10'000;  // of a fork, which takes milliseconds
constexpr int kEndTimeoutMs = 2'000;     // then it is killed
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
    zygote_.hear();
    const auto told = zygote_.ended_.find(number_);
    if (told != zygote_.ended_.end()) return told->second;
    if (zygote_.is_gone()) return ProcessEnd{.signal = "SIGKILL"};
    return std::nullopt;
  }

  void kill() override {
    if (!ended()) zygote_.say(fmt::format("{{\"stop\": {}}}", number_), {});
  }

 private:
  Zygote& zygote_;
  const int64_t number_;
  const pid_t pid_;
};

Launch python_launch(const PythonLaunch& python, std::string_view module, std::vector<std::string> words) {
  Launch launch;
  launch.words = {python.python, "-m", std::string(module)};
  launch.words.insert(launch.words.end(), words.begin(), words.end());
  const std::string more = python.python_path.empty() ? "" : ":" + python.python_path;
  launch.environment = {{"PYTHONPATH", python.package_folder + more}, {"SKYLINE_BIN", python.binary}};
  return launch;
}

Result<std::unique_ptr<Zygote>> Zygote::start(const PythonLaunch& python,
                                              const std::vector<std::string>& preload) {
  SKYLINE_TRY(auto sockets, make_socket_pair(SOCK_SEQPACKET));
  SKYLINE_TRY(Pipe errors, make_pipe());
  std::vector<std::string> words = {std::to_string(sockets.second.get())};
  words.insert(words.end(), preload.begin(), preload.end());
  Launch what = python_launch(python, "skyline._zygote", words);
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

void Zygote::hear() {
  std::string message(kMessageBytes, '\0');
  while (!gone_) {
    const ssize_t size = ::recv(control_.get(), message.data(), message.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size <= 0) {
      gone_ = true;
      return;
    }
    const Result<ZygoteMessage> parsed =
        parse_zygote_message(std::string_view(message.data(), static_cast<size_t>(size)));
    if (!parsed.ok()) continue;  // it is one of ours; a message of a newer kind
    if (const auto* ready = std::get_if<ZygoteReady>(&parsed.value())) ready_ = *ready;
    if (const auto* taint = std::get_if<ZygoteTainted>(&parsed.value())) taint_ = *taint;
    if (const auto* started = std::get_if<TaskStarted>(&parsed.value()))
      started_[started->number] = started->pid;
    if (const auto* ended = std::get_if<TaskEnded>(&parsed.value())) ended_[ended->number] = ended->end;
  }
}

std::string Zygote::last_words() {
  errors_.read();
  return errors_.last_line();
}

Result<std::unique_ptr<Task>> Zygote::start_task(std::string_view function,
                                                 const std::vector<int>& descriptors) {
  const int64_t number = ++last_number_;
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kInline);
  json.field("start", number);
  json.field("task", function);
  json.end_object();
  if (!say(std::move(json).finish(), descriptors)) return system_error("cannot ask for a copy of Python");
  while (!started_.contains(number)) {
    pollfd waiting = {control_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kStartTimeoutMs) == 0)
      return Error{"the Python process does not make copies of itself; start again"};
    hear();
    if (gone_) return Error{fmt::format("the Python process has ended: {}", last_words())};
  }
  return std::unique_ptr<Task>(new Copy(*this, number, static_cast<pid_t>(started_.at(number))));
}

bool Zygote::say(const std::string& message, const std::vector<int>& descriptors) {
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
  return ::sendmsg(control_.get(), &header, MSG_NOSIGNAL) >= 0;
}

}  // namespace skyline
