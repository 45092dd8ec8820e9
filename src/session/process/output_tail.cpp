#include "session/process/output_tail.h"

#include <cerrno>

namespace skyline::session {
namespace {

constexpr size_t kKept = 16 << 10;
constexpr size_t kReadAtOnce = 64 << 10;
constexpr int kReadsPerTurn = 16;

}  // namespace

void OutputTail::read() {
  char buffer[kReadAtOnce];
  for (int turn = 0; pipe_.is_open() && turn < kReadsPerTurn; ++turn) {
    const ssize_t count = ::read(pipe_.get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return pipe_.close();
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
