#include "serve/http/connection.h"

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "serve/http/one_block.h"
#include "serve/http/outbox.h"
#include "serve/http/peer_user.h"
#include "serve/http/token_bucket.h"

namespace skyline::serve {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using Clock = TokenBucket::Clock;
using HttpRequest = http::request<http::empty_body>;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// ---- A WebSocket. ------------------------------------------------------------------------------

class Page : public Client, public std::enable_shared_from_this<Page> {
 public:
  Page(beast::tcp_stream stream, Hub& hub, Seat seat)
      : hub_(hub),
        seat_(std::move(seat)),
        id_(++hub.last_client),
        socket_(std::move(stream)),
        bucket_(hub.limits.requests_per_second, hub.limits.request_burst, Clock::now()),
        pause_(socket_.get_executor()),
        stall_(socket_.get_executor()) {}

  ~Page() override { hub_.clients.erase(id_); }

  void accept(HttpRequest request) {
    upgrade_ = std::move(request);
    const ServeLimits& limits = hub_.limits;
    hub_.clients[id_] = weak_from_this();
    beast::get_lowest_layer(socket_).expires_never();  // the WebSocket has timers of its own
    socket_.set_option(websocket::stream_base::timeout{limits.handshake, limits.idle, true});
    socket_.read_message_max(limits.message_bytes);
    socket_.auto_fragment(false);
    // It is compressed by nobody: on a loopback that costs more than it saves.
    socket_.async_accept(upgrade_, [self = shared_from_this()](error_code error) {
      if (!error) self->or_end([&] { self->read(); });
    });
  }

  void tell(const std::string& kind, const std::shared_ptr<const std::string>& text) override {
    if (is_greeted_) or_end([&] { send({text, false, kind}); });
  }

 private:
  // Requests are taken only as fast as their answers go: the rest waits at the client.
  void read() {
    if (is_over_ || is_reading_ || is_pausing_ || in_flight_ >= hub_.limits.in_flight ||
        outbox_.bytes() > hub_.limits.waiting_bytes) {
      return;
    }
    if (const Clock::duration wait = bucket_.take(Clock::now()); wait > Clock::duration::zero()) {
      is_pausing_ = true;
      pause_.expires_after(wait);
      pause_.async_wait([self = shared_from_this()](error_code error) {
        self->is_pausing_ = false;
        if (!error) self->or_end([&] { self->read(); });
      });
      return;
    }
    is_reading_ = true;
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, size_t) {
      self->is_reading_ = false;
      if (error) return self->end();
      self->or_end([&] {
        self->answer(beast::buffers_to_string(self->buffer_.data()));
        self->buffer_.clear();
        self->read();
      });
    });
  }

  // A request on its way through the pool and back.
  struct Answering {
    std::shared_ptr<Page> page;
    std::string request;
    std::optional<Reply> reply = {};
    OneBlock handler = {};
  };

  void answer(std::string request) {
    auto answering = std::make_shared<Answering>();
    answering->page = shared_from_this();
    answering->request = std::move(request);
    ++in_flight_;
    hub_.pool.run(id_, [answering = std::move(answering)]() mutable {
      Page& page = *answering->page;
      try {
        answering->reply = answer_request(page.hub_.context, answering->request);
      } catch (const std::exception&) {
        // There is no memory even for saying so: the client is let go.
      }
      // This was the thread's last word: a Page may end only on the network's thread.
      const OneBlock::Allocator<char> memory(answering->handler);
      net::post(page.hub_.io, net::bind_allocator(memory, [answering = std::move(answering)] {
                  Page& self = *answering->page;
                  if (!answering->reply) return self.end();
                  self.or_end([&] { self.finish(std::move(*answering->reply)); });
                }));
    });
  }

  // What there is no memory for ends the page, which then knows; half a conversation it would wait for.
  template <typename Work>
  void or_end(Work work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      end();
    }
  }

  void finish(Reply reply) {
    --in_flight_;
    send({std::make_shared<const std::string>(std::move(reply.body)), reply.is_binary});
    if (reply.is_hello) {
      is_greeted_ = true;
      // Asked for here, on the thread of tell(): nothing older can come after something newer.
      if (hub_.context.greeting) {
        for (std::string& text : hub_.context.greeting()) {
          send({std::make_shared<const std::string>(std::move(text)), false});
        }
      }
    }
    read();
  }

  void send(Outgoing message) {
    if (is_over_) return;
    const bool is_idle = outbox_.empty();
    outbox_.put(std::move(message));
    if (outbox_.bytes() > hub_.limits.most_waiting_bytes) return drop();
    if (is_idle) write();
  }

  void write() {
    const Outgoing& message = outbox_.front();
    stall_.expires_after(hub_.limits.write);
    stall_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->drop();
    });
    socket_.binary(message.is_binary);
    socket_.async_write(net::buffer(*message.bytes), [self = shared_from_this()](error_code error, size_t) {
      self->stall_.cancel();
      if (error) return self->end();
      self->or_end([&] {
        self->outbox_.pop();
        if (!self->outbox_.empty() && !self->is_over_) self->write();
        self->read();
      });
    });
  }

  // Without a farewell, which a client that does not read would not hear; and the system forgets what it has
  // not taken.
  void drop() {
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().set_option(net::socket_base::linger(true, 0), ignored);
    end();
  }

  void end() {
    if (std::exchange(is_over_, true)) return;
    pause_.cancel();
    stall_.cancel();
    hub_.pool.forget(id_);
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

  Hub& hub_;
  const Seat seat_;
  const uint64_t id_;
  websocket::stream<beast::tcp_stream, false> socket_;
  HttpRequest upgrade_;
  beast::flat_buffer buffer_;
  Outbox outbox_;
  TokenBucket bucket_;
  net::steady_timer pause_, stall_;
  size_t in_flight_ = 0;
  bool is_reading_ = false, is_pausing_ = false, is_greeted_ = false, is_over_ = false;
};

// ---- HTTP. -------------------------------------------------------------------------------------

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(net::ip::tcp::socket socket, Hub& hub)
      : hub_(hub), stream_(std::move(socket)), buffer_(2 * hub.limits.header_bytes) {}

  ~HttpConnection() { hub_.strangers.leave(stranger_); }

  void start() {
    stranger_ = hub_.strangers.enter([weak = weak_from_this()] {
      if (const std::shared_ptr<HttpConnection> self = weak.lock()) self->stream_.close();
    });
    read();
  }

 private:
  enum class Then : unsigned char { kReadOn, kEnd };

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(hub_.limits.header_bytes));
    parser_->body_limit(0);
    stream_.expires_after(hub_.limits.handshake);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code error, size_t) {
      if (!error) return self->answer();
      // Silence and a connection that is over get no answer; what is no HTTP does.
      const bool is_bad = error.category() == http::make_error_code(http::error::bad_line_ending).category();
      if (is_bad && error != http::error::end_of_stream) self->write(refuse_http(400), Then::kEnd);
    });
  }

  void answer() {
    const HttpRequest& request = parser_->get();
    // Two Hosts or Origins: it is not to be told which one counts.
    if (request.count(http::field::host) > 1 || request.count(http::field::origin) > 1) {
      return write(refuse_http(400), Then::kEnd);
    }
    const HttpQuestion question = {
        .verb = view(request.method_string()),
        .target = view(request.target()),
        .host = view(request[http::field::host]),
        .origin = view(request[http::field::origin]),
        .accepted_encodings = view(request[http::field::accept_encoding]),
        .is_upgrade = websocket::is_upgrade(request),
        .is_our_user = [this] { return is_our_user_at_other_end(stream_.socket().native_handle()); }};
    HttpAnswer answer = answer_http(hub_.address, hub_.codes, question, &hub_.resumption);
    if (answer.is_admitted && !seat_ && !take_seat()) return write(refuse_http(503), Then::kEnd);
    if (answer.is_socket) {
      std::make_shared<Page>(std::move(stream_), hub_, std::move(*seat_))->accept(parser_->release());
      return;
    }
    write(answer, answer.is_admitted && request.keep_alive() ? Then::kReadOn : Then::kEnd);
  }

  bool take_seat() {
    if (hub_.connections >= hub_.limits.connections) return false;
    seat_.emplace(hub_);
    hub_.strangers.leave(stranger_);
    return true;
  }

  void write(const HttpAnswer& answer, Then then) {
    const HttpRequest& request = parser_->get();
    response_ = {};
    response_.result(answer.status);
    response_.version(11);
    for (const auto& [name, value] : answer.headers) response_.set(name, value);
    response_.keep_alive(then == Then::kReadOn);
    response_.content_length(answer.body.size());
    if (request.method() != http::verb::head) response_.body() = answer.body;
    stream_.expires_after(hub_.limits.write);
    http::async_write(stream_, response_, [self = shared_from_this(), then](error_code error, size_t) {
      if (error) return;
      then == Then::kReadOn ? self->read() : self->linger();
    });
  }

  // A connection that ends with unread bytes is reset, and the answer lost: so the client has a moment to
  // take it.
  void linger() {
    error_code ignored;
    stream_.socket().shutdown(net::socket_base::shutdown_send, ignored);
    stream_.expires_after(hub_.limits.linger);
    read_away();
  }

  void read_away() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(buffer_.max_size()),
                            [self = shared_from_this()](error_code error, size_t bytes) {
                              if (!error && bytes > 0) self->read_away();
                            });
  }

  Hub& hub_;
  uint64_t stranger_ = 0;     // its place among those
  std::optional<Seat> seat_;  // once it has shown the token
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
};

}  // namespace

void serve_connection(net::ip::tcp::socket socket, Hub& hub) {
  error_code ignored;
  socket.set_option(net::ip::tcp::no_delay(true), ignored);
  std::make_shared<HttpConnection>(std::move(socket), hub)->start();
}

}  // namespace skyline::serve
