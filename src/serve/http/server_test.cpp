#include "serve/http/server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "serve/http/test_client.h"

namespace skyline::serve {
namespace {

using std::chrono::milliseconds;

constexpr const char* kHello = R"({"id": 1, "method": "hello", "params": {}})";

class ServerTest : public testing::Test {
 protected:
  void start(const ServeLimits& limits = {}) {
    server_ = Server::start({.host = "127.0.0.1", .port = 0, .limits = limits}, context_).value();
    const std::string url = server_->url();
    host_ = url.substr(7, url.find('/', 7) - 7);
    path_ = url.substr(url.find('/', 7));
  }

  std::string get(const std::string& path, const std::string& headers = "") const {
    return "GET " + path + " HTTP/1.1\r\nHost: " + host_ + "\r\nAccept-Encoding: gzip\r\n" + headers + "\r\n";
  }

  std::unique_ptr<RawClient> page(int receive_buffer = 0) const {
    auto client = std::make_unique<RawClient>(server_->port(), receive_buffer);
    EXPECT_TRUE(client->upgrade(path_ + "ws", host_));
    return client;
  }

  std::unique_ptr<RawClient> greeted_page() const {
    auto client = page();
    client->send(RawClient::frame(kHello));
    EXPECT_TRUE(client->message().value_or("").starts_with(R"({"id":1,"result":)"));
    return client;
  }

  OpenedTraces traces_;
  Context context_ = {.program = "skyline test", .traces = traces_};
  std::unique_ptr<Server> server_;
  std::string host_, path_;
};

TEST_F(ServerTest, SeveralRequestsShareAConnection) {
  start();
  const RawClient client(server_->port());
  for (int i = 0; i < 3; ++i) {
    client.send(get(path_));
    EXPECT_TRUE(client.receive().starts_with("HTTP/1.1 200"));
  }
  client.send(get(path_, "Connection: close\r\n"));
  EXPECT_TRUE(client.receive_all().starts_with("HTTP/1.1 200"));
}

TEST_F(ServerTest, HeadHasNoBody) {
  start();
  const RawClient client(server_->port());
  client.send("HEAD " + path_ + " HTTP/1.1\r\nHost: " + host_ +
              "\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
  const std::string answer = client.receive_all();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
  EXPECT_EQ(answer.find("Content-Length: 0\r\n"), std::string::npos);
}

TEST_F(ServerTest, WhatIsNoHttpGetsOneSentenceAndTheEnd) {
  start();
  const std::string endless = "GET " + path_ + " HTTP/1.1\r\nHost: " + host_ + "\r\n" +
                              "X: " + std::string(100'000, 'x') + "\r\n\r\n";
  const std::string with_body = get(path_, "Content-Length: 10\r\n") + "0123456789";
  const std::string two_hosts = get(path_, "Host: evil.example\r\n");
  for (const std::string& bytes :
       {std::string("\r\n\r\n\r\n"), std::string("hello\r\n\r\n"), endless, with_body, two_hosts,
        std::string("GET / HTTP/9.9\r\n\r\n"), std::string(1000, '\0')}) {
    const RawClient client(server_->port());
    client.send(bytes);
    const std::string answer = client.receive_all();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400")) << bytes.substr(0, 40) << " -> " << answer.substr(0, 40);
    EXPECT_EQ(answer.find("200 OK"), std::string::npos);
  }
}

TEST_F(ServerTest, SilentClientsGoAway) {
  start({.handshake = milliseconds(100)});
  const RawClient silent(server_->port());
  EXPECT_TRUE(silent.is_ended());
  const RawClient half(server_->port());
  half.send("GET " + path_ + " HTTP/1.1\r\nHo");
  EXPECT_TRUE(half.is_ended());
}

TEST_F(ServerTest, PagesThatDoNotAnswerPingsGoAwayAndOthersStay) {
  start({.idle = milliseconds(200)});
  const auto dead = page();
  EXPECT_EQ(dead->message(5'000), std::nullopt);
}

TEST_F(ServerTest, ConnectionsAboveTheLimitAreToldSo) {
  start({.connections = 4});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 4; ++i) clients.push_back(greeted_page());
  const RawClient one_more(server_->port());
  one_more.send(get(path_));
  EXPECT_TRUE(one_more.receive_all().starts_with("HTTP/1.1 503"));
  clients.pop_back();
  // The server hears of that a moment later.
  std::string answer;
  for (int i = 0; i < 100 && !answer.starts_with("HTTP/1.1 200"); ++i) {
    const RawClient next(server_->port());
    next.send(get(path_));
    answer = next.receive();
    if (!answer.starts_with("HTTP/1.1 200")) std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200"));
}

TEST_F(ServerTest, WhoHasShownNoTokenIsSentAwayAfterTheAnswer) {
  start();
  const std::string other_host = "GET " + path_ + " HTTP/1.1\r\nHost: evil.example\r\n\r\n";
  for (const std::string& bytes : {get("/", "Connection: keep-alive\r\n"), get("/wrong/ws"), other_host}) {
    const RawClient stranger(server_->port());
    stranger.send(bytes);
    const std::string answer = stranger.receive_all();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 403")) << answer;
    EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;
    EXPECT_TRUE(stranger.is_ended());
  }
}

TEST_F(ServerTest, TheTokenShownOnceIsNotEnoughForTheNextRequest) {
  start();
  const RawClient client(server_->port());
  client.send(get(path_));
  EXPECT_TRUE(client.receive().starts_with("HTTP/1.1 200"));
  client.send(get("/"));
  EXPECT_TRUE(client.receive_all().starts_with("HTTP/1.1 403"));
}

TEST_F(ServerTest, StrangersTakeNoPlacesFromTheOwner) {
  start(
      {.connections = 4, .strangers = 4, .handshake = milliseconds(60'000), .linger = milliseconds(60'000)});
  const auto before = greeted_page();
  std::vector<std::unique_ptr<RawClient>> strangers;
  for (const std::string& bytes :
       {std::string(), get("/"), "GET " + path_ + " HTTP/1.1\r\nHost: ", get("/")}) {
    for (int i = 0; i < 8; ++i) {
      strangers.push_back(std::make_unique<RawClient>(server_->port()));
      strangers.back()->send(bytes);
    }
  }
  for (int i = 0; i < 3; ++i) {
    const RawClient owner(server_->port());
    owner.send(get(path_, "Connection: close\r\n"));
    EXPECT_TRUE(owner.receive_all().starts_with("HTTP/1.1 200"));
  }
  greeted_page();
  EXPECT_TRUE(strangers.front()->is_ended());
  server_->broadcast("session", "news");
  EXPECT_EQ(before->message(), "news");
}

TEST_F(ServerTest, AMessageThatIsTooLargeEndsTheConnection) {
  start({.message_bytes = 1000});
  const auto client = greeted_page();
  client->send(RawClient::frame(std::string(1001, ' ')));
  EXPECT_EQ(client->message(), "close 1009");
  EXPECT_TRUE(client->is_ended());
}

TEST_F(ServerTest, BadFramesEndTheConnection) {
  start();
  const std::string unmasked("\x81\x02{}", 4),
      reserved = RawClient::frame("{}", 0xf1), unknown = RawClient::frame("{}", 0x83),
      rest = RawClient::frame("{}", 0x80), not_utf8 = RawClient::frame("\xff\xfe");
  for (const std::string& bytes : {unmasked, reserved, unknown, rest, not_utf8}) {
    const auto client = page();
    client->send(bytes);
    EXPECT_TRUE(client->message().value_or("").starts_with("close 10"));
    EXPECT_TRUE(client->is_ended());
  }
  greeted_page();
}

TEST_F(ServerTest, EventsComeAfterHelloAndTheGreetingBeforeThem) {
  context_.greeting = [] { return std::vector<std::string>{"greeting"}; };
  start();
  const auto stranger = page();
  const auto client = greeted_page();
  EXPECT_EQ(client->message(), "greeting");
  server_->broadcast("session", "news");
  EXPECT_EQ(client->message(), "news");
  stranger->send(RawClient::frame(kHello));
  EXPECT_TRUE(stranger->message().value_or("").starts_with(R"({"id":1,"result":)"));
  EXPECT_EQ(stranger->message(), "greeting");
}

TEST_F(ServerTest, AClientThatDoesNotReadIsLetGoAndGetsNoMoreThanItsShare) {
  start({.write = milliseconds(300)});
  const auto slow = page(4096);
  slow->send(RawClient::frame(kHello));
  ASSERT_TRUE(slow->message());
  const std::string large(32 << 20, 'x');  // more than sockets hold
  server_->broadcast("a", large);
  const auto other = greeted_page();
  std::this_thread::sleep_for(milliseconds(1'500));  // not to read is the point
  EXPECT_LT(slow->receive_all().size(), large.size());
  EXPECT_TRUE(slow->is_ended());
  server_->broadcast("b", "news");
  EXPECT_EQ(other->message(), "news");
}

TEST_F(ServerTest, AClientWithTooMuchWaitingIsLetGo) {
  start({.most_waiting_bytes = 1 << 20});
  const auto slow = page(4096);
  slow->send(RawClient::frame(kHello));
  slow->message();
  for (int i = 0; i < 100; ++i) server_->broadcast("kind " + std::to_string(i), std::string(1 << 18, 'x'));
  EXPECT_TRUE(slow->is_ended());
}

TEST_F(ServerTest, EventsThatAPageHasNotTakenYetAreReplacedByNewerOnes) {
  start();
  const auto slow = page(4096);
  slow->send(RawClient::frame(kHello));
  ASSERT_TRUE(slow->message());
  constexpr int kEvents = 400;
  for (int i = 0; i < kEvents; ++i) {
    server_->broadcast("session",
                       std::to_string(i) + std::string(1 << 18, 'x'));  // 100 MB: more than may wait
  }
  int last = -1, count = 0;
  while (last != kEvents - 1) {
    const std::optional<std::string> text = slow->message();
    ASSERT_TRUE(text);
    const int number = std::stoi(text->substr(0, text->find('x')));
    EXPECT_GT(number, last);
    last = number;
    ++count;
  }
  EXPECT_LT(count, kEvents);
}

TEST_F(ServerTest, RequestsAreTakenAsFastAsAllowed) {
  start({.requests_per_second = 100, .request_burst = 10});
  const auto client = page();
  std::string all;
  for (int i = 0; i < 40; ++i) all += RawClient::frame(R"({"id": 1, "method": "nope", "params": {}})");
  const auto begin = std::chrono::steady_clock::now();
  client->send(all);
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(client->message());
  EXPECT_GT(std::chrono::steady_clock::now() - begin, milliseconds(250));  // 30 requests more than the burst
}

TEST_F(ServerTest, MoreRequestsThanMayRunAtOnceAreAllAnswered) {
  start({.in_flight = 2});
  const auto client = page();
  std::string all;
  for (int i = 0; i < 100; ++i) all += RawClient::frame(kHello);
  client->send(all);
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(client->message().value_or("").starts_with(R"({"id":1,"result":)")) << i;
}

TEST_F(ServerTest, ItEndsWithClientsConnected) {
  start();
  const auto client = greeted_page();
  const RawClient silent(server_->port());
  server_.reset();
  EXPECT_TRUE(client->is_ended());
}

TEST_F(ServerTest, ATakenPortIsOneSentenceWithACure) {
  start();
  const auto second = Server::start({.host = "127.0.0.1", .port = server_->port(), .limits = {}}, context_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().sentence,
            "port " + std::to_string(server_->port()) +
                " of 127.0.0.1 is in use by another program; choose another with --port, "
                "or leave --port out to get a free one");
  EXPECT_FALSE(Server::start({.host = "no such host", .port = 0, .limits = {}}, context_).ok());
}

}  // namespace
}  // namespace skyline::serve
