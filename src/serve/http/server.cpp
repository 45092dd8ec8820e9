#include "serve/http/server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/out_of_memory.h"
#include "serve/http/connection.h"
#include "serve/http/token.h"

namespace skyline::serve {
namespace {

namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

constexpr int kPendingConnections = 512;          // that the system keeps until they are accepted
constexpr std::chrono::milliseconds kRetry{100};  // after the system had no socket left for us
constexpr std::chrono::milliseconds kPause{10};   // after it had no memory

std::string machine_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

class BeastServer : public Server {
 public:
  BeastServer(const ServeOptions& options, const Context& context)
      : pool_(options.limits.threads, options.limits.threads_per_client),
        hub_{context,
             {.host = options.host, .port = 0, .token = random_token()},
             options.limits,
             pool_,
             context_},
        acceptor_(context_),
        retry_(context_) {}

  ~BeastServer() override {
    context_.stop();
    if (network_.joinable()) network_.join();
    pool_.end();  // its work refers to connections, and these to the context
  }

  Status listen(const ServeOptions& options) {
    const auto fail = [&](const error_code& error) {
      return Error{fmt::format("cannot listen on {}: {}; choose another address with --host", options.host,
                               error.message())};
    };
    error_code error;
    tcp::resolver resolver(context_);
    const auto found = resolver.resolve(options.host, std::to_string(options.port),
                                        tcp::resolver::passive | tcp::resolver::numeric_service, error);
    if (error) return fail(error);
    const tcp::endpoint endpoint = found.begin()->endpoint();
    acceptor_.open(endpoint.protocol(), error);
    if (error) return fail(error);
    acceptor_.set_option(net::socket_base::reuse_address(true), error);
    acceptor_.bind(endpoint, error);
    if (error == net::error::address_in_use && options.is_port_only_liked) {
      acceptor_.bind(tcp::endpoint(endpoint.address(), 0), error);
    }
    if (!error) acceptor_.listen(kPendingConnections, error);
    if (error == net::error::address_in_use) {
      return Error{
          fmt::format("port {} of {} is in use by another program; choose another with --port, or leave "
                      "--port out to get a free one",
                      options.port, options.host)};
    }
    if (error == net::error::access_denied) {
      return Error{
          fmt::format("port {} is for root only; choose one from 1024 on with --port", options.port)};
    }
    if (error) return fail(error);
    hub_.address.port = acceptor_.local_endpoint().port();
    hub_.address.is_any = endpoint.address().is_unspecified();
    hub_.address.machine = machine_name();
    accept();
    network_ = std::thread([this] { serve(); });
    return Done{};
  }

  std::string url() const override { return url_of(hub_.address); }
  uint16_t port() const override { return hub_.address.port; }
  std::string one_time_url() override {
    return one_time_url_of(hub_.address, hub_.codes.make(OneTimeCodes::Clock::now()));
  }

  void broadcast(const std::string& kind, std::string text) override {
    auto shared = std::make_shared<const std::string>(std::move(text));
    net::post(context_, [this, kind, shared = std::move(shared)] {
      // A client that is let go meanwhile leaves the list.
      for (auto next = hub_.clients.begin(); next != hub_.clients.end();) {
        const std::shared_ptr<Client> client = (next++)->second.lock();
        if (client != nullptr) client->tell(kind, shared);
      }
    });
  }

 private:
  void serve() {
    while (!context_.stopped()) {
      try {
        if (!is_accepting_) accept();
        context_.run();
      } catch (const std::bad_alloc&) {
        // The connection that needed too much has gone with its handler. What is short now may be had soon.
        std::this_thread::sleep_for(kPause);
      }
    }
  }

  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      is_accepting_ = false;
      if (error == net::error::operation_aborted) return;
      if (error) {  // no descriptors left, most likely
        retry_.expires_after(kRetry);
        retry_.async_wait([this](error_code stopped) {
          is_accepting_ = false;
          if (!stopped) accept();
        });
        is_accepting_ = true;
        return;
      }
      accept();
      serve_connection(std::move(socket), hub_);
    });
    is_accepting_ = true;
  }

  // Connections go with the context, before what they refer to.
  WorkerPool pool_;
  Hub hub_;
  net::io_context context_{1};
  tcp::acceptor acceptor_;
  net::steady_timer retry_;
  bool is_accepting_ = false;  // or will after a pause; once listening, of the network's thread
  std::thread network_;
};

Result<std::unique_ptr<Server>> start_server(const ServeOptions& options, const Context& context) {
  auto server = std::make_unique<BeastServer>(options, context);
  SKYLINE_RETURN_IF_ERROR(server->listen(options));
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const ServeOptions& options, const Context& context) {
  try {
    return or_out_of_memory("serve", "the page", [&] { return start_server(options, context); });
  } catch (const std::system_error& error) {
    return Error{fmt::format(
        "cannot serve the page, as the system refuses what it needs ({}); free memory or raise ulimit -u",
        error.what())};
  }
}

}  // namespace skyline::serve
