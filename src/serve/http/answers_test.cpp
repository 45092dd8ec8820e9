#include "serve/http/answers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace skyline::serve {
namespace {

const ServeAddress kAddress = {.host = "127.0.0.1", .port = 4000, .token = "secret"};

HttpQuestion question(std::string_view target) {
  return {.verb = "GET",
          .target = target,
          .host = "127.0.0.1:4000",
          .origin = "",
          .accepted_encodings = "gzip, deflate, br"};
}

HttpAnswer answer(const HttpQuestion& asked, const ServeAddress& address = kAddress) {
  OneTimeCodes none(std::chrono::seconds(0));
  return answer_http(address, none, asked);
}

unsigned status(const HttpQuestion& asked, const ServeAddress& address = kAddress) {
  return answer(asked, address).status;
}

std::string header(const HttpAnswer& from, std::string_view name) {
  for (const auto& [key, value] : from.headers) {
    if (key == name) return value;
  }
  return "";
}

TEST(HttpAnswers, ThePageIsBelowTheToken) {
  const HttpAnswer got = answer(question("/secret/"));
  EXPECT_EQ(got.status, 200u);
  EXPECT_EQ(header(got, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(header(got, "Cache-Control"), "no-store");
  EXPECT_EQ(header(got, "Referrer-Policy"), "no-referrer");
  EXPECT_EQ(header(got, "X-Content-Type-Options"), "nosniff");
  const std::string policy = header(got, "Content-Security-Policy");
  for (const char* part :
       {"default-src 'none'", "script-src 'self';", "connect-src 'self' ws://127.0.0.1:4000;",
        "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"}) {
    EXPECT_NE(policy.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(answer(question("/secret/?step=3")).status, 200u);
}

TEST(HttpAnswers, WithoutTheTokenEverythingIsTheSameRefusal) {
  const HttpAnswer refusal = answer(question("/"));
  EXPECT_EQ(refusal.status, 403u);
  for (const char* target :
       {"", "*", "/secreT/", "/secre/", "/secrets/", "//secret/", "/%73ecret/", "secret/", "/x/secret/",
        "http://127.0.0.1:4000/secret/", "/../secret/", "/secret%2f"}) {
    const HttpAnswer got = answer(question(target));
    EXPECT_EQ(got.status, 403u) << target;
    EXPECT_EQ(got.body, refusal.body);
    EXPECT_EQ(got.headers, refusal.headers);
  }
  HttpQuestion post = question("/wrong/");
  post.verb = "POST";
  EXPECT_EQ(answer(post).body, refusal.body);
  EXPECT_EQ(header(refusal, "Content-Security-Policy").find("4000"), std::string::npos);
}

TEST(HttpAnswers, OtherNamesForThisMachineAreRefused) {
  for (const char* host : {"127.0.0.1:4000", "localhost:4000", "[::1]:4000"}) {
    HttpQuestion asked = question("/secret/");
    asked.host = host;
    EXPECT_EQ(status(asked), 200u) << host;
    asked.origin = "http://evil.example";
    EXPECT_EQ(status(asked), 403u) << host;
  }
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:80", "evil.example:4000",
                           "localhost.evil.example:4000", "127.0.0.1:4000.evil.example", "10.0.0.1:4000"}) {
    HttpQuestion asked = question("/secret/");
    asked.host = host;
    EXPECT_EQ(status(asked), 403u) << host;
  }
}

TEST(HttpAnswers, OnlyOurOwnOriginMayAsk) {
  HttpQuestion asked = question("/secret/ws");
  asked.is_upgrade = true;
  EXPECT_TRUE(answer(asked).is_socket);
  asked.origin = "http://127.0.0.1:4000";
  EXPECT_TRUE(answer(asked).is_socket);
  for (const char* origin : {"null", "http://localhost:4000", "https://127.0.0.1:4000", "http://127.0.0.1",
                             "http://127.0.0.1:4000.evil.example"}) {
    asked.origin = origin;
    EXPECT_FALSE(answer(asked).is_socket) << origin;
    EXPECT_EQ(status(asked), 403u) << origin;
  }
}

TEST(HttpAnswers, AnAddressOfAllNetworksHasTheMachinesNameAndNumbers) {
  const ServeAddress any = {
      .host = "0.0.0.0", .port = 4000, .token = "secret", .is_any = true, .machine = "gpu-box"};
  EXPECT_EQ(url_of(any), "http://gpu-box:4000/secret/");
  for (const char* host : {"gpu-box:4000", "10.0.0.7:4000", "[fe80::1]:4000", "localhost:4000"}) {
    HttpQuestion asked = question("/secret/");
    asked.host = host;
    EXPECT_EQ(status(asked, any), 200u) << host;
  }
  HttpQuestion asked = question("/secret/");
  for (const char* host : {"evil.example:4000", "1.evil.example:4000", ":4000"}) {
    asked.host = host;
    EXPECT_EQ(status(asked, any), 403u) << host;
  }
}

TEST(HttpAnswers, AnIpv6AddressStandsInBrackets) {
  EXPECT_EQ(url_of({.host = "::1", .port = 4000, .token = "secret"}), "http://[::1]:4000/secret/");
}

TEST(HttpAnswers, NothingOutsideTheBundleIsFound) {
  for (const char* target : {"/secret/nothing.js", "/secret/../etc/passwd", "/secret/..%2f..%2fetc/passwd",
                             "/secret//etc/passwd", "/secret/./index.html", "/secret/assets/../index.html"}) {
    EXPECT_EQ(status(question(target)), 404u) << target;
  }
}

TEST(HttpAnswers, OnlyGetAndHeadAreAnswered) {
  for (const char* verb : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", ""}) {
    HttpQuestion asked = question("/secret/");
    asked.verb = verb;
    EXPECT_EQ(status(asked), 405u) << verb;
  }
  HttpQuestion asked = question("/secret/");
  asked.verb = "HEAD";
  EXPECT_EQ(status(asked), 200u);
}

class CodeAnswers : public testing::Test {
 protected:
  HttpAnswer use(const std::string& code, std::string_view verb = "GET", bool is_our_user = true) {
    const std::string target = "/open/" + code;
    HttpQuestion asked = question(target);
    asked.verb = verb;
    asked.is_our_user = [=] { return is_our_user; };
    return answer_http(kAddress, codes_, asked);
  }

  OneTimeCodes codes_ = OneTimeCodes(std::chrono::hours(1));
  const std::string code_ = codes_.make(OneTimeCodes::Clock::now());
};

TEST_F(CodeAnswers, ACodeLeadsToThePageOnce) {
  const HttpAnswer first = use(code_);
  EXPECT_EQ(first.status, 303u);
  EXPECT_EQ(header(first, "Location"), "/secret/");
  EXPECT_EQ(header(first, "Cache-Control"), "no-store");
  EXPECT_EQ(header(first, "Referrer-Policy"), "no-referrer");
  EXPECT_FALSE(first.is_admitted);
  const HttpAnswer second = use(code_);
  EXPECT_EQ(second.status, 410u);
  EXPECT_EQ(header(second, "Location"), "");
  EXPECT_NE(second.body.find("address that skyline printed in its terminal"), std::string_view::npos);
}

TEST_F(CodeAnswers, ACodeThatIsTooOldLeadsNowhere) {
  const std::string old = codes_.make(OneTimeCodes::Clock::now() - std::chrono::hours(1));
  EXPECT_EQ(use(old).status, 410u);
}

TEST_F(CodeAnswers, OthersGetTheSameRefusalAsEverywhereAndSpendNothing) {
  const HttpAnswer refusal = answer(question("/"));
  const std::vector<HttpAnswer> answers = {use(""), use("wrong"), use(code_ + "/"), use("secret"),
                                           use(code_, "GET", false)};
  for (const HttpAnswer& got : answers) {
    EXPECT_EQ(got.status, 403u);
    EXPECT_EQ(got.body, refusal.body);
    EXPECT_EQ(got.headers, refusal.headers);
  }
  EXPECT_EQ(use(code_, "HEAD").status, 405u);
  EXPECT_EQ(use(code_, "POST").status, 405u);
  const std::string target = "/open/" + code_;
  for (const auto& [host, origin] :
       {std::pair{"evil.example:4000", ""}, {"127.0.0.1:4000", "http://evil.example"}}) {
    HttpQuestion asked = question(target);
    asked.host = host;
    asked.origin = origin;
    asked.is_our_user = [] { return true; };
    EXPECT_EQ(answer_http(kAddress, codes_, asked).status, 403u);
  }
  EXPECT_EQ(use(code_).status, 303u);
}

TEST(HttpAnswers, AOneTimeAddressHoldsNoToken) {
  EXPECT_EQ(one_time_url_of(kAddress, "code"), "http://127.0.0.1:4000/open/code");
}

TEST(HttpAnswers, OnlyWhoHasTheTokenIsAdmitted) {
  EXPECT_TRUE(answer(question("/secret/")).is_admitted);
  EXPECT_TRUE(answer(question("/secret/nothing.js")).is_admitted);
  EXPECT_FALSE(answer(question("/")).is_admitted);
}

TEST(HttpAnswers, AMissingSlashIsAddedAndAWebSocketMustBeAskedForAsOne) {
  const HttpAnswer got = answer(question("/secret"));
  EXPECT_EQ(got.status, 308u);
  EXPECT_EQ(header(got, "Location"), "/secret/");
  EXPECT_EQ(status(question("/secret/ws")), 426u);
}

}  // namespace
}  // namespace skyline::serve
