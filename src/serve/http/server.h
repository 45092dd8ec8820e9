// Server: one address, one page, many clients. Serves the bundle over HTTP and the protocol over a WebSocket.
//
//   SKYLINE_TRY(std::unique_ptr<Server> server, Server::start(options, context));
//   print(server->url());
//
// Safe by default: loopback, a random token as the first part of every path, Host and Origin checked, limits
// on everything a client can send or hold. Slow and dead clients are let go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "serve/http/limits.h"
#include "serve/methods/context.h"

namespace skyline::serve {

struct ServeOptions {
  std::string host = "127.0.0.1";
  uint16_t port = 0;                // 0: any free one
  bool is_port_only_liked = false;  // if somebody has it, any free one will do
  ServeLimits limits = {};
};

class Server {
 public:
  // Answers from now on, on threads of its own. `context` must outlive the server.
  static Result<std::unique_ptr<Server>> start(const ServeOptions& options, const Context& context);
  virtual ~Server() = default;

  // "http://127.0.0.1:40123/<token>/"
  virtual std::string url() const = 0;
  virtual uint16_t port() const = 0;

  // An address for who starts a browser: it holds a code instead of the token and leads to url(), once, soon,
  // and only for our own user on this machine.
  virtual std::string one_time_url() = 0;

  // Sends an event to every page, from any thread. A page that is behind gets only the newest of each `kind`.
  virtual void broadcast(const std::string& kind, std::string text) = 0;
};

}  // namespace skyline::serve
