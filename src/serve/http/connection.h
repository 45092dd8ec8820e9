// One connection: HTTP requests, one after another, until one of them makes it a WebSocket. Only for
// server.cpp and connection.cpp, the two files that know Boost.
//
// All of this lives on the network's one thread; only methods run elsewhere.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "serve/http/answers.h"
#include "serve/http/limits.h"
#include "serve/http/strangers.h"
#include "serve/http/worker_pool.h"
#include "serve/methods/registry.h"

namespace skyline::serve {

// A page that has said hello or will.
class Client {
 public:
  virtual ~Client() = default;
  virtual void tell(const std::string& kind, const std::shared_ptr<const std::string>& text) = 0;
};

// What connections share.
struct Hub {
  const Context& context;
  ServeAddress address;
  const ServeLimits limits;
  WorkerPool& pool;
  boost::asio::io_context& io;
  std::map<uint64_t, std::weak_ptr<Client>> clients = {};
  uint64_t last_client = 0;
  size_t connections = 0;
  Strangers strangers = Strangers(limits.strangers);
  OneTimeCodes codes = OneTimeCodes(limits.one_time_code);
  Resumption resumption = Resumption(context.resume_secret);
};

// A place among the connections that have shown the token, for as long as this lives.
class Seat {
 public:
  explicit Seat(Hub& hub) : hub_(&hub) { ++hub_->connections; }
  ~Seat() {
    if (hub_ != nullptr) --hub_->connections;
  }
  Seat(Seat&& other) noexcept : hub_(other.hub_) { other.hub_ = nullptr; }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  Seat& operator=(Seat&&) = delete;

 private:
  Hub* hub_;
};

// Keeps itself alive until the client is gone.
void serve_connection(boost::asio::ip::tcp::socket socket, Hub& hub);

}  // namespace skyline::serve
