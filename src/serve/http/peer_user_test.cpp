#include "serve/http/peer_user.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <unistd.h>

namespace skyline::serve {
namespace {

constexpr uid_t kNobody = 65534;

// Two ends of a connection over loopback. The client's family may differ from the server's.
class Connection {
 public:
  Connection(int server_family, int client_family, uid_t client_user = ::geteuid()) {
    const int listener = ::socket(server_family, SOCK_STREAM, 0);
    const int off = 0;
    if (server_family == AF_INET6) ::setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    sockaddr_storage address = loopback(server_family, server_family != client_family, 0);
    is_fine_ = ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof_of(server_family)) == 0 &&
               ::listen(listener, 1) == 0;
    socklen_t size = sizeof(address);
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    const in_port_t port = server_family == AF_INET ? reinterpret_cast<sockaddr_in&>(address).sin_port
                                                    : reinterpret_cast<sockaddr_in6&>(address).sin6_port;
    ::setfsuid(client_user);  // whom a socket belongs to
    client_ = ::socket(client_family, SOCK_STREAM, 0);
    ::setfsuid(::geteuid());
    sockaddr_storage target = loopback(client_family, server_family != client_family, port);
    is_fine_ =
        is_fine_ && ::connect(client_, reinterpret_cast<sockaddr*>(&target), sizeof_of(client_family)) == 0;
    server_ = is_fine_ ? ::accept(listener, nullptr, nullptr) : -1;
    ::close(listener);
  }
  ~Connection() {
    ::close(client_);
    ::close(server_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool is_fine() const { return is_fine_; }  // false: this machine has no IPv6
  int server() const { return server_; }
  void finish_client() const { ::shutdown(client_, SHUT_WR); }

 private:
  static socklen_t sizeof_of(int family) {
    return family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  }

  // Of IPv6: ::1, or, where the other end is of IPv4, ::ffff:127.0.0.1.
  static sockaddr_storage loopback(int family, bool is_mixed, in_port_t port) {
    sockaddr_storage storage = {};
    if (family == AF_INET) {
      auto& address = reinterpret_cast<sockaddr_in&>(storage);
      address.sin_family = AF_INET;
      address.sin_port = port;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      auto& address = reinterpret_cast<sockaddr_in6&>(storage);
      address.sin6_family = AF_INET6;
      address.sin6_port = port;
      address.sin6_addr = in6addr_loopback;
      if (is_mixed) {
        address.sin6_addr = {};
        address.sin6_addr.s6_addr32[2] = htonl(0xffff);
        address.sin6_addr.s6_addr32[3] = htonl(INADDR_LOOPBACK);
      }
    }
    return storage;
  }

  int client_ = -1, server_ = -1;
  bool is_fine_ = false;
};

TEST(PeerUser, TheUserWhoHasConnectedIsFound) {
  const Connection connection(AF_INET, AF_INET);
  ASSERT_TRUE(connection.is_fine());
  EXPECT_EQ(user_at_other_end(connection.server()), ::geteuid());
  EXPECT_TRUE(is_our_user_at_other_end(connection.server()));
}

TEST(PeerUser, WhateverFamilyTheEndsAreOf) {
  for (const auto& [server, client] :
       {std::pair{AF_INET6, AF_INET6}, {AF_INET, AF_INET6}, {AF_INET6, AF_INET}}) {
    const Connection connection(server, client);
    if (!connection.is_fine()) continue;
    EXPECT_EQ(user_at_other_end(connection.server()), ::geteuid()) << server << " " << client;
  }
}

TEST(PeerUser, OtherUsersAreNotUs) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can act as somebody else";
  const Connection connection(AF_INET, AF_INET, kNobody);
  EXPECT_EQ(user_at_other_end(connection.server()), kNobody);
  EXPECT_FALSE(is_our_user_at_other_end(connection.server()));
}

TEST(PeerUser, WhoHasSaidGoodbyeIsNobody) {
  const Connection connection(AF_INET, AF_INET);
  connection.finish_client();
  EXPECT_FALSE(is_our_user_at_other_end(connection.server()));
  EXPECT_EQ(user_at_other_end(-1), std::nullopt);
}

}  // namespace
}  // namespace skyline::serve
