#include "session/process/run_doings.h"

#include <sys/socket.h>

#include <cerrno>
#include <string_view>

namespace skyline::session {

Result<RunDoings> RunDoings::make() {
  SKYLINE_TRY(auto sockets, make_socket_pair(SOCK_SEQPACKET));
  return RunDoings(std::move(sockets.first), std::move(sockets.second));
}

std::vector<Doing> RunDoings::take() {
  constexpr size_t kMostAtOnce = 10'000;  // code that does nothing else is not waited for
  std::vector<Doing> doings;
  char buffer[16 << 10];
  for (size_t i = 0; i < kMostAtOnce; ++i) {
    const ssize_t size = ::recv(ours_.get(), buffer, sizeof(buffer), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    const Result<Doing> doing = parse_doing(std::string_view(buffer, static_cast<size_t>(size)));
    if (doing.ok()) doings.push_back(doing.value());
  }
  return doings;
}

}  // namespace skyline::session
