// A connection within one machine is two sockets, and /proc/net/tcp lists both with their owners:
//
//   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid ...
//    7: 0100007F:9C40 0100007F:0FA0 01 00000000:00000000 00:00000000 00000000  1000 ...
//
// The other end is the line whose local address is our peer's and whose remote address is ours. A socket of
// IPv6 may talk to one of IPv4; it is in tcp6 then, as ::ffff:127.0.0.1.
#include "serve/http/peer_user.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace skyline::serve {
namespace {

constexpr std::string_view kEstablished = "01";  // others have lost their owner, and say 0

struct Endpoint {
  std::array<uint32_t, 4> words{};  // of an IPv6 address, in the network's order
  uint16_t port = 0;
  bool is_short = false;  // IPv4, in the last word
};

using AskForName = int (*)(int, sockaddr*, socklen_t*);

std::optional<Endpoint> endpoint(int socket, AskForName ask) {
  sockaddr_storage name = {};
  socklen_t size = sizeof(name);
  if (ask(socket, reinterpret_cast<sockaddr*>(&name), &size) != 0) return std::nullopt;
  Endpoint end;
  if (name.ss_family == AF_INET) {
    const auto& address = reinterpret_cast<const sockaddr_in&>(name);
    end = {{0, 0, htonl(0xffff), address.sin_addr.s_addr}, ntohs(address.sin_port), true};
  } else if (name.ss_family == AF_INET6) {
    const auto& address = reinterpret_cast<const sockaddr_in6&>(name);
    std::memcpy(end.words.data(), &address.sin6_addr, sizeof(end.words));
    end.port = ntohs(address.sin6_port);
    end.is_short = IN6_IS_ADDR_V4MAPPED(&address.sin6_addr) != 0;
  } else {
    return std::nullopt;
  }
  return end;
}

std::string short_text(const Endpoint& end) { return fmt::format("{:08X}:{:04X}", end.words[3], end.port); }

std::string long_text(const Endpoint& end) {
  return fmt::format("{:08X}{:08X}{:08X}{:08X}:{:04X}", end.words[0], end.words[1], end.words[2],
                     end.words[3], end.port);
}

std::optional<uid_t> owner_in(const char* list, const std::string& local, const std::string& remote) {
  std::ifstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, from, to, state, queues, timer, retransmits;
    uid_t user = 0;
    if (!(words >> number >> from >> to >> state >> queues >> timer >> retransmits >> user)) continue;
    if (from == local && to == remote && state == kEstablished) return user;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uid_t> user_at_other_end(int socket) {
  const std::optional<Endpoint> ours = endpoint(socket, ::getsockname),
                                theirs = endpoint(socket, ::getpeername);
  if (!ours || !theirs) return std::nullopt;
  std::optional<uid_t> user;
  if (theirs->is_short) user = owner_in("/proc/net/tcp", short_text(*theirs), short_text(*ours));
  return user ? user : owner_in("/proc/net/tcp6", long_text(*theirs), long_text(*ours));
}

bool is_our_user_at_other_end(int socket) {
  const std::optional<uid_t> user = user_at_other_end(socket);
  return user && (*user == ::geteuid() || *user == 0);
}

}  // namespace skyline::serve
