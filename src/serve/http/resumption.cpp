#include "serve/http/resumption.h"

#include <fmt/format.h>

#include <algorithm>

#include "serve/http/hmac.h"
#include "serve/http/token.h"

namespace skyline::serve {
namespace {

constexpr std::chrono::seconds kLifetime{30};
constexpr size_t kMostAsked = 64;  // strangers may ask as well: the oldest is forgotten
constexpr size_t kLeastDigits = 32, kMostDigits = 64;

bool is_page_number(std::string_view text) {
  return text.size() >= kLeastDigits && text.size() <= kMostDigits &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace

std::string resume_proof(std::string_view secret, std::string_view who, std::string_view host,
                         std::string_view of_page, std::string_view of_server) {
  return hmac_sha256(secret, fmt::format("skyline resume\n{}\n{}\n{}\n{}", who, host, of_page, of_server));
}

std::optional<Resumption::Challenge> Resumption::challenge(std::string_view number, std::string_view host,
                                                           Clock::time_point now) {
  if (secret_.empty() || !is_page_number(number)) return std::nullopt;
  Challenge challenge = {random_token(), {}};
  challenge.proof = resume_proof(secret_, "server", host, number, challenge.number);
  const std::lock_guard lock(mutex_);
  if (asked_.size() == kMostAsked) asked_.erase(asked_.begin());
  asked_.push_back({std::string(number), challenge.number, now + kLifetime});
  return challenge;
}

bool Resumption::admits(std::string_view number, std::string_view ours, std::string_view proof,
                        std::string_view host, Clock::time_point now) {
  if (secret_.empty()) return false;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(asked_, [&](const Asked& each) { return each.end <= now; });
    const auto found = std::find_if(asked_.begin(), asked_.end(), [&](const Asked& each) {
      return is_same_token(each.ours, ours) && each.number == number;
    });
    if (found == asked_.end()) return false;
    asked_.erase(found);
  }
  return is_same_token(proof, resume_proof(secret_, "page", host, number, ours));
}

}  // namespace skyline::serve
