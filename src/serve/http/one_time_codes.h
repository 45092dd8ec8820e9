// Codes for addresses that stand where others can read them: every user of a machine sees the words that a
// browser is started with, for as long as it runs. A code opens the page once and soon, or not at all.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skyline::serve {

// Any thread may call.
class OneTimeCodes {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State : unsigned char { kUnknown, kGood, kDead };  // dead: used, or too old

  explicit OneTimeCodes(Clock::duration lifetime) : lifetime_(lifetime) {}

  std::string make(Clock::time_point now);

  State state(std::string_view code, Clock::time_point now) const;

  // True for one caller, once, while the code is good.
  bool use(std::string_view code, Clock::time_point now);

 private:
  struct Code {
    std::string text;
    Clock::time_point end;
  };

  std::vector<Code>::const_iterator find(std::string_view code) const;

  const Clock::duration lifetime_;
  mutable std::mutex mutex_;
  std::vector<Code> codes_;
};

}  // namespace skyline::serve
