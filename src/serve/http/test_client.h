// RawClient: a client that may misbehave, for tests: plain bytes over a socket, and just enough of WebSocket.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace skyline::serve {

class RawClient {
 public:
  explicit RawClient(uint16_t port, int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0)
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool is_connected() const { return is_connected_; }

  // False: the server does not take it any more.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  void finish_sending() const { ::shutdown(socket_, SHUT_WR); }

  // What has come, waiting for at least one byte; empty: the server has ended the connection, or nothing
  // came.
  std::string receive(int timeout_ms = 120'000) const {
    pollfd waiting = {socket_, POLLIN, 0};
    if (::poll(&waiting, 1, timeout_ms) <= 0) return "";
    std::string bytes(1 << 16, '\0');
    const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return bytes;
  }

  // Until the server ends the connection, or is silent for that long.
  std::string receive_all(int timeout_ms = 120'000) const {
    std::string all;
    for (std::string part = receive(timeout_ms); !part.empty(); part = receive(timeout_ms)) all += part;
    return all;
  }

  // True: it is over, whatever came before.
  bool is_ended(int timeout_ms = 120'000) const {
    pollfd waiting = {socket_, POLLIN | POLLRDHUP, 0};
    std::array<char, 1 << 16> away{};
    while (::poll(&waiting, 1, timeout_ms) > 0) {
      if (::recv(socket_, away.data(), away.size(), 0) <= 0) return true;
    }
    return false;
  }

  // ---- WebSocket. ----

  bool upgrade(std::string_view path, std::string_view host) {
    send("GET " + std::string(path) + " HTTP/1.1\r\nHost: " + std::string(host) +
         "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
    while (buffer_.find("\r\n\r\n") == std::string::npos) {
      const std::string part = receive();
      if (part.empty()) return false;
      buffer_ += part;
    }
    const bool is_switched = buffer_.starts_with("HTTP/1.1 101");
    buffer_.erase(0, buffer_.find("\r\n\r\n") + 4);
    return is_switched;
  }

  // A whole message in one frame. The mask is zero, so that the bytes stay as they are.
  static std::string frame(std::string_view payload, unsigned char first = 0x81) {
    std::string bytes(1, static_cast<char>(first));
    if (payload.size() < 126) {
      bytes += static_cast<char>(0x80 | payload.size());
    } else if (payload.size() < 65'536) {
      bytes += '\xfe';
      for (int shift = 8; shift >= 0; shift -= 8) bytes += static_cast<char>(payload.size() >> shift);
    } else {
      bytes += '\xff';
      for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(payload.size() >> shift);
    }
    return bytes + std::string(4, '\0') + std::string(payload);
  }

  // The payload of the next message, the code of a closing frame as "close 1009"; none: the connection is
  // over. Pings are passed over and not answered.
  std::optional<std::string> message(int timeout_ms = 120'000) {
    while (true) {
      if (const std::optional<std::string> whole = cut_frame()) {
        if (opcode_ == 9) continue;
        return whole;
      }
      const std::string part = receive(timeout_ms);
      if (part.empty()) return std::nullopt;
      buffer_ += part;
    }
  }

 private:
  std::optional<std::string> cut_frame() {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(buffer_[i]); };
    if (buffer_.size() < 2) return std::nullopt;
    size_t head = 2;
    uint64_t size = byte(1);
    const size_t wide = size == 126 ? 2 : size == 127 ? 8 : 0;
    if (wide > 0) {
      head += wide;
      if (buffer_.size() < head) return std::nullopt;
      size = 0;
      for (size_t i = 0; i < wide; ++i) size = size << 8 | byte(2 + i);
    }
    if (buffer_.size() < head + size) return std::nullopt;
    opcode_ = byte(0) & 15;
    std::string payload = buffer_.substr(head, size);
    buffer_.erase(0, head + size);
    if (opcode_ != 8 || payload.size() < 2) return payload;
    const int code = static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
    return "close " + std::to_string(code);
  }

  int socket_;
  bool is_connected_ = false;
  std::string buffer_;
  int opcode_ = 0;
};

}  // namespace skyline::serve
