#include "serve/http/resumption.h"

#include <gtest/gtest.h>

#include "serve/http/answers.h"

namespace skyline::serve {
namespace {

using namespace std::chrono_literals;

const std::string kNumber(32, 'a');
constexpr const char* kHost = "127.0.0.1:4000";
const Resumption::Clock::time_point kFirst = {};

std::string page_proof(const Resumption::Challenge& challenge, std::string_view secret = "s",
                       std::string_view host = kHost) {
  return resume_proof(secret, "page", host, kNumber, challenge.number);
}

TEST(Resumption, BothProveTheSecretAndOnlyOnce) {
  Resumption server("s");
  const auto challenge = server.challenge(kNumber, kHost, kFirst);
  ASSERT_TRUE(challenge);
  EXPECT_EQ(challenge->proof, resume_proof("s", "server", kHost, kNumber, challenge->number));
  EXPECT_TRUE(server.admits(kNumber, challenge->number, page_proof(*challenge), kHost, kFirst));
  EXPECT_FALSE(server.admits(kNumber, challenge->number, page_proof(*challenge), kHost, kFirst));
}

TEST(Resumption, AProofIsTheOneThatThePageComputes) {  // client/resume.test.ts
  EXPECT_EQ(resume_proof("s", "server", kHost, kNumber, "n"),
            "b263b2aa602cde5400fe98d90d7cc39cf3b895c93c01f144ef9a237a5f662011");
}

TEST(Resumption, WhoDoesNotKnowTheSecretIsNotAdmitted) {
  Resumption server("s");
  const auto ask = [&] { return *server.challenge(kNumber, kHost, kFirst); };
  Resumption::Challenge challenge = ask();
  EXPECT_FALSE(server.admits(kNumber, challenge.number, page_proof(challenge, "other"), kHost, kFirst));
  challenge = ask();
  EXPECT_FALSE(server.admits(kNumber, challenge.number, challenge.proof, kHost, kFirst));  // ours, sent back
  challenge = ask();
  // Made for the server at another port, by a page that somebody there has talked to.
  EXPECT_FALSE(
      server.admits(kNumber, challenge.number, page_proof(challenge, "s", "127.0.0.1:5000"), kHost, kFirst));
  challenge = ask();
  EXPECT_FALSE(server.admits(std::string(32, 'b'), challenge.number, page_proof(challenge), kHost, kFirst));
  EXPECT_FALSE(server.admits(kNumber, "never given", page_proof({"never given", ""}), kHost, kFirst));
}

TEST(Resumption, ANumberIsTooOldAfterAWhileAndManyStrangersTakeNoMemory) {
  Resumption server("s");
  const auto first = server.challenge(kNumber, kHost, kFirst);
  EXPECT_FALSE(server.admits(kNumber, first->number, page_proof(*first), kHost, kFirst + 31s));
  const auto second = server.challenge(kNumber, kHost, kFirst);
  for (int i = 0; i < 64; ++i) server.challenge(kNumber, kHost, kFirst);
  EXPECT_FALSE(server.admits(kNumber, second->number, page_proof(*second), kHost, kFirst));
}

TEST(Resumption, WithoutASecretOrANumberThereIsNoAnswer) {
  EXPECT_FALSE(Resumption("").challenge(kNumber, kHost, kFirst));
  Resumption server("s");
  for (const std::string& number : {std::string("short"), std::string(32, 'X'), std::string(65, 'a')})
    EXPECT_FALSE(server.challenge(number, kHost, kFirst)) << number;
}

class ResumedOverHttp : public testing::Test {
 protected:
  HttpAnswer get(const std::string& target, std::string_view host = kHost) {
    OneTimeCodes none(0s);
    return answer_http(address_, none, {.verb = "GET", .target = target, .host = host}, &resumption_);
  }
  static std::string header(const HttpAnswer& from, std::string_view name) {
    for (const auto& [key, value] : from.headers) {
      if (key == name) return value;
    }
    return "";
  }

  const ServeAddress address_ = {.host = "127.0.0.1", .port = 4000, .token = "token"};
  Resumption resumption_ = Resumption("s");
};

TEST_F(ResumedOverHttp, ThePageGetsTheTokenForItsProof) {
  const HttpAnswer first = get("/resume/" + kNumber);
  EXPECT_EQ(first.status, 200u);
  EXPECT_FALSE(first.is_admitted);
  const std::string ours = header(first, "Skyline-Number");
  EXPECT_EQ(header(first, "Skyline-Proof"), resume_proof("s", "server", kHost, kNumber, ours));
  EXPECT_EQ(header(first, "Skyline-Token"), "");
  const std::string proof = resume_proof("s", "page", kHost, kNumber, ours);
  const HttpAnswer second = get("/resume/" + kNumber + "/" + ours + "/" + proof);
  EXPECT_EQ(second.status, 200u);
  EXPECT_EQ(header(second, "Skyline-Token"), "token");
  EXPECT_EQ(header(second, "Cache-Control"), "no-store");
}

TEST_F(ResumedOverHttp, WhateverElseIsTheUsualRefusal) {
  const std::string ours = header(get("/resume/" + kNumber), "Skyline-Number");
  for (const std::string& target :
       {std::string("/resume/"), std::string("/resume/x"), "/resume/" + kNumber + "/" + ours,
        "/resume/" + kNumber + "/" + ours + "/", "/resume/" + kNumber + "/" + ours + "/0/0"}) {
    const HttpAnswer got = get(target);
    EXPECT_EQ(got.status, 403u) << target;
    EXPECT_EQ(header(got, "Skyline-Token"), "");
  }
  EXPECT_EQ(get("/resume/" + kNumber, "evil.example:4000").status, 403u);
}

}  // namespace
}  // namespace skyline::serve
