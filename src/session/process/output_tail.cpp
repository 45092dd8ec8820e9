#include "session/process/output_tail.h"

#include <fcntl.h>

#include <cerrno>

namespace skyline::session {
namespace {

constexpr size_t kKept = 16 << 10;
constexpr size_t kReadAtOnce = 64 << 10;
constexpr int kReadsPerTurn = 16;
constexpr size_t kMostLogged = 4 << 20;

}  // namespace

OutputTail::OutputTail(Descriptor pipe, const std::string& log) : pipe_(std::move(pipe)) {
  if (!log.empty()) log_ = Descriptor(::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
}

// What does not fit, or cannot be written, is lost: it is the user's own words, who may run the program by
// hand.
void OutputTail::log(std::string_view more) {
  if (!log_.is_open()) return;
  const std::string_view fitting = more.substr(0, kMostLogged - logged_);
  const bool is_written = ::write(log_.get(), fitting.data(), fitting.size()) >= 0;
  logged_ += fitting.size();
  if (is_written && logged_ < kMostLogged) return;
  constexpr std::string_view kCut = "\n[skyline: the rest is not kept]\n";
  static_cast<void>(!::write(log_.get(), kCut.data(), kCut.size()));
  log_.close();
}

void OutputTail::read() {
  char buffer[kReadAtOnce];
  for (int turn = 0; pipe_.is_open() && turn < kReadsPerTurn; ++turn) {
    const ssize_t count = ::read(pipe_.get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return pipe_.close();
    log({buffer, static_cast<size_t>(count)});
    text_.append(buffer, static_cast<size_t>(count));
    if (text_.size() > kKept) text_.erase(0, text_.size() - kKept);
  }
}

std::string OutputTail::last_line() const {
  const size_t end = text_.find_last_not_of(" \r\n");
  if (end == std::string::npos) return {};
  const size_t begin = text_.find_last_of("\r\n", end);
  return text_.substr(begin == std::string::npos ? 0 : begin + 1,
                      end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace skyline::session
