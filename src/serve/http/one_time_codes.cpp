#include "serve/http/one_time_codes.h"

#include <algorithm>

#include "serve/http/token.h"

namespace skyline::serve {

std::string OneTimeCodes::make(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  return codes_.emplace_back(Code{random_token(), now + lifetime_}).text;
}

OneTimeCodes::State OneTimeCodes::state(std::string_view code, Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  const auto found = find(code);
  if (found == codes_.end()) return State::kUnknown;
  return now < found->end ? State::kGood : State::kDead;
}

bool OneTimeCodes::use(std::string_view code, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto found = find(code);
  if (found == codes_.end() || now >= found->end) return false;
  codes_[static_cast<size_t>(found - codes_.begin())].end = Clock::time_point::min();
  return true;
}

std::vector<OneTimeCodes::Code>::const_iterator OneTimeCodes::find(std::string_view code) const {
  return std::find_if(codes_.begin(), codes_.end(),
                      [&](const Code& known) { return is_same_token(known.text, code); });
}

}  // namespace skyline::serve
