// How a page and a server that was started again find each other. The page's token is that of the server
// before, and who answers at its port now may be somebody else. So neither sends a secret: each proves that
// it knows the one that both were given, the page by the server before, the server by a file of its user's.
//
//   page      GET /resume/<its number>                      numbers are random, and used once
//   server    its own number, proof("server", both numbers, the address)
//   page      GET /resume/<its number>/<the server's>/<proof("page", …)>
//   server    the token
//
// The address is part of the proofs: who sits at another port cannot pass them on to us and take the token.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skyline::serve {

class Resumption {
 public:
  using Clock = std::chrono::steady_clock;

  // Without a secret nobody resumes.
  explicit Resumption(std::string secret = {}) : secret_(std::move(secret)) {}

  struct Challenge {
    std::string number;  // ours
    std::string proof;
  };
  // `host` is what the page believes to talk to, "127.0.0.1:40123". None: the number is no number, or there
  // is no secret.
  std::optional<Challenge> challenge(std::string_view number, std::string_view host, Clock::time_point now);

  // Whether the proof is right. Each of our numbers serves once, soon.
  bool admits(std::string_view number, std::string_view ours, std::string_view proof, std::string_view host,
              Clock::time_point now);

 private:
  struct Asked {
    std::string number, ours;
    Clock::time_point end;
  };

  const std::string secret_;
  std::mutex mutex_;
  std::vector<Asked> asked_;  // the oldest first
};

// What both compute; `who` is "server" or "page".
std::string resume_proof(std::string_view secret, std::string_view who, std::string_view host,
                         std::string_view of_page, std::string_view of_server);

}  // namespace skyline::serve
